import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { type S3Server, startS3Server } from "../../../test/support/s3-server.ts";
import { emptyStores, type Store } from "../../../test/support/stores.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { type Config, parseConfig } from "../../config/config.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { listBucket, openDestination } from "./destination.ts";
import type { BucketOptions, DestinationOptions } from "./destination-options.ts";
import { backupFindings } from "../doctor-backups.ts";
import { createScheduledBackups } from "./scheduled.ts";
import { createS3Client } from "./s3-client.ts";
import { listKeys } from "./s3-upload.ts";
import { takeBackup } from "./take.ts";

const stores = emptyStores();
let server: S3Server;
before(async () => void (server = await startS3Server()));
after(() => Promise.all([server.stop(), stores.stop()]));

const EARLIER = ["binnacle-20260101T000000Z.backup", "binnacle-20260102T000000Z.backup"];

function bucketOf(prefix: string, changes: Partial<BucketOptions> = {}): BucketOptions {
  const { endpoint, region, bucket, accessKey, secretKey } = server;
  const workFolder = join(temporaryFolder(), "backup-work");
  const settings = { endpoint, region, bucket, accessKey, secretKey };
  return { kind: "bucket", ...settings, prefix, workFolder, caCert: undefined, ...changes };
}

const optionsOf = ({ place }: Store, destination: DestinationOptions) => ({
  store: { path: place },
  dataDir: temporaryFolder(),
  programVersion: "1.2.3",
  destination,
  keep: 2,
});

async function put(keys: readonly string[]): Promise<void> {
  for (const key of keys) await server.client.request({ method: "PUT", key, body: "earlier" });
}

const inBucket = async (prefix: string): Promise<string[]> =>
  (await listKeys(server.client, prefix)).map((key) => key.slice(prefix.length)).toSorted();

describe("backups in a bucket of an S3-compatible store", () => {
  it("are stored, read back and verified, and the oldest of ours are removed", async () => {
    const destination = bucketOf("one/binnacle/");
    await put([...EARLIER, "mine.backup", "deeper/binnacle-20250101T000000Z.backup"].map((name) => `one/binnacle/${name}`));
    const { taken, removalError } = await takeBackup(optionsOf(await stores.filled("sqlite"), destination));
    assert.ok(taken.rows > 100 && taken.bytes > 1000);
    assert.equal(removalError, null);
    assert.deepEqual(await inBucket("one/binnacle/"), [EARLIER[1], taken.file, "deeper/binnacle-20250101T000000Z.backup", "mine.backup"]);
    assert.ok(!existsSync(destination.workFolder), "nothing stays on the disk");
  });

  it("a large one is sent in parts, comes back as it was, and what an interrupted upload left is removed", async () => {
    const options = bucketOf("large/");
    const destination = openDestination(options);
    await destination.clear();
    const name = "binnacle-20260103T000000Z.backup";
    const path = join(options.workFolder, name);
    const bytes = Buffer.alloc(17 * 1024 * 1024 + 5, "a large backup, ");
    writeFileSync(path, bytes);
    await destination.store(name);
    assert.ok(!existsSync(path));
    const back = await destination.fetch(name);
    assert.ok(bytes.equals(readFileSync(back)));

    const query = { uploads: "", prefix: "large/" };
    for (const key of [`large/${name}`, "large/of-others"]) await server.client.request({ method: "POST", key, query: { uploads: "" } });
    assert.equal((await server.client.request({ method: "GET", query })).text.split("<Upload>").length - 1, 2);
    await destination.clear();
    assert.match((await server.client.request({ method: "GET", query })).text, /<Upload><Key>large\/of-others<\/Key>/);
    assert.doesNotMatch((await server.client.request({ method: "GET", query })).text, /\.backup<\/Key>/);
    destination.close();
  });

  it("more than two pages of them are listed", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `binnacle-20260101T0000${10 + index}Z.backup`);
    await put(names.map((name) => `many/${name}`));
    const destination = openDestination(bucketOf("many/"));
    assert.deepEqual(await destination.names(), names);
    destination.close();
  });

  it("one that cannot be restored is removed, and the earlier ones stay", async () => {
    const store = await stores.filled("sqlite");
    await put(EARLIER.map((name) => `broken/${name}`));
    const file = new DatabaseSync(store.place);
    file.exec("PRAGMA foreign_keys = OFF; UPDATE transitions SET container_id = 4711");
    file.close();
    await assert.rejects(
      takeBackup(optionsOf(store, bucketOf("broken/"))),
      /A row of the table transitions refers to one that is not there/,
    );
    assert.deepEqual(await inBucket("broken/"), EARLIER);
  });

  for (const [what, changes, reason] of [
    [
      "another secret",
      { secretKey: "another-secret" },
      /backups\/refused\/binnacle-\S+\.backup cannot be stored: 127\.0\.0\.1:\d+ answered 403, SignatureDoesNotMatch/,
    ],
    ["another key", { accessKey: "another-key" }, /answered 403, SignatureDoesNotMatch/],
    ["a bucket that is not there", { bucket: "nowhere" }, /s3:\/\/nowhere\/refused\/\S+ cannot be stored: \S+ answered 404, NoSuchBucket/],
  ] as const)
    it(`${what} is named, and no credential`, async () => {
      const destination = bucketOf("refused/", changes);
      const fault = await takeBackup(optionsOf(await stores.filled("sqlite"), destination)).catch((error: unknown) => error);
      assert.match(String(fault), reason);
      for (const credential of [destination.accessKey, destination.secretKey]) assert.ok(!String(fault).includes(credential));
      assert.deepEqual(await inBucket("refused/"), []);
    });

  for (const [what, failures, wanted] of [
    ["a store that fails for a moment is asked again", 2, /^done$/],
    ["what a store keeps answering is named", 9, /answered 503, SlowDown: Later & again$/],
  ] as const)
    it(what, async () => {
      let requests = 0;
      const busy = createServer((request, response) => {
        requests += 1;
        if (requests > failures) response.end("<ok/>");
        else response.writeHead(503).end("<Error><Code>SlowDown</Code><Message>Later &amp; again</Message></Error>");
        request.resume();
      });
      await once(busy.listen(0, "127.0.0.1"), "listening");
      const clock = createFakeClock(new Date());
      const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
      const endpoint = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
      let outcome: string | undefined;
      createS3Client({ ...server, endpoint }, outbound, clock)
        .request({ method: "PUT", key: "slow", body: "x" })
        .then(
          () => (outcome = "done"),
          (error: unknown) => (outcome = String(error)),
        );
      await turnUntil(clock, () => outcome !== undefined, { stepMs: 1000, mostMs: 10_000 });
      assert.match(outcome ?? "", wanted);
      assert.equal(requests, 3);
      outbound.stop();
      busy.close();
    });

  it("a store that does not answer is given up by whoever asks it", async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const patience = new AbortController();
    const listing = listBucket(bucketOf("silent/", { endpoint }), patience.signal);
    silent.once("request", () => patience.abort());
    await assert.rejects(listing, /The backups in s3:..backups.silent. cannot be listed/);
    silent.closeAllConnections();
    silent.close();
  });

  it("are taken when they are due, by the options", async () => {
    const clock = createFakeClock(new Date());
    const store = await stores.filled("sqlite");
    const dataDir = temporaryFolder();
    const { endpoint, accessKey, secretKey } = server;
    const env = { ...store.env, SERVICE_BACKUP_S3_KEY_ID: accessKey, SERVICE_BACKUP_S3_SECRET: secretKey };
    const argv = [`--data-dir=${dataDir}`, "--backup-s3=s3://backups/due", `--backup-s3-endpoint=${endpoint}`, "--backup-interval=1h"];
    const start = parseConfig({ argv, env });
    const config = "config" in start ? start.config : assert.fail("no config");
    const opened = () => {
      const scheduler = createScheduler(clock, silentLog);
      const backups = createScheduledBackups({ config, version: "1.2.3", clock, scheduler, log: silentLog });
      backups.start();
      return { scheduler, status: () => backups.status() ?? assert.fail("none are taken") };
    };
    const first = opened();
    await clock.advance(10_000);
    await until(() => first.status().last !== null || first.status().error !== null);
    await first.scheduler.stop();
    const { folder, last, error } = first.status();
    assert.deepEqual([folder, error], ["s3://backups/due/", null]);
    assert.deepEqual(await inBucket("due/"), [last?.file]);
    assert.ok(!readdirSync(dataDir).includes("backup-work"));
    const again = opened();
    assert.deepEqual(again.status().last, last);
    assert.deepEqual(await backupFindings(config, clock), [
      { verdict: "ok", text: "s3://backups/due/ can be listed and holds 1 backup" },
      { verdict: "ok", text: `the last was taken at ${last?.taken_at} and verified by a trial restore` },
    ]);
    await clock.advance(3 * 3_600_000);
    assert.match((await backupFindings(config, clock))[1]?.text ?? "", /longer ago than 2 intervals/);
    const refused = { ...config, backupTarget: { ...config.backupTarget, bucket: "nowhere" } } as Config;
    assert.match(
      JSON.stringify(await backupFindings(refused, clock)),
      /"fail","text":"The backups in s3:..nowhere.due.* cannot be listed: \S+ answered 404/,
    );
    await again.scheduler.stop();
  });
});
