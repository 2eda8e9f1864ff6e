/** The commands backup, restore and copy-store, on the production build. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { StorageUse } from "../../src/app/meta/answers.ts";
import type { ContainerList, TransitionList } from "../../src/monitoring/containers/answers.ts";
import { startStorm, wholeHistory } from "../support/container-storm.ts";
import { createPostgresDatabase, sharedPostgres } from "../support/databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { type ReceivedEvent, listen } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { makeHeartbeat, ridsOf, startRain } from "../support/ping-rain.ts";
import { spawnProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { startS3Server } from "../support/s3-server.ts";
import { isLong, repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";
import { contentsOf, emptyStores, sqliteStore, type Store } from "../support/stores.ts";
import { until } from "../support/until.ts";

const NOWHERE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
const KILLS = repetitions({ gate: 1, long: 40 });
const KILLS_ON_POSTGRESQL = repetitions({ gate: 1, long: 20 });

const stores = emptyStores();
after(() => stores.stop());

interface Ended {
  code: number | null;
  text: string;
}

async function run(args: string[], env: Record<string, string>, dataDir = temporaryFolder()): Promise<Ended> {
  const { exited, log } = spawnProgram({ args, env, dataDir });
  const code = await exited;
  return { code, text: log() };
}

async function succeed(args: string[], env: Record<string, string>, dataDir?: string): Promise<string> {
  const { code, text } = await run(args, env, dataDir);
  assert.equal(code, 0, text);
  return text;
}

/** A backup taken under a storm of pings and of container events has all that was answered and published before it began. */
function stormStory(from: Store["engine"], into: Store["engine"]): void {
  describe(`a backup of ${from} under a storm, restored into ${into}`, () => {
    let engine: TestEngine;
    let containers: TestContainers;
    before(async () => {
      engine = await startEngine();
      await importBusybox(engine);
      containers = createTestContainers(engine);
    });
    after(async () => {
      await containers?.removeAll();
      await engine?.stop();
    });

    it("has every ping that was answered and every transition that was published", async (context) => {
      const externalIds = await Promise.all([0, 1, 2].map((index) => containers.run(`storm-${index}`)));
      const store = await stores.of(from);
      const env = { ...store.env, SERVICE_DOCKER_HOST: engine.host, SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" };
      const program = await startProgram({ env });
      context.after(() => program.kill());
      const heartbeats = await Promise.all(Array.from({ length: 10 }, (_, index) => makeHeartbeat(program.url, index)));
      const live = await listen(`${program.url}/api/v1/containers/events?types=container.state_changed`);
      const storm = startStorm(engine, externalIds);
      context.after(() => storm.end());
      const answered = new Map<string, number>();
      const rain = startRain({ port: program.port, heartbeats, chance: chanceOf(context) }, (rid, id) => answered.set(rid, id));
      await live.wait(({ type }) => type === "container.state_changed", 60_000);
      await new Promise((resolve) => setTimeout(resolve, 1500));

      const answeredBefore = new Map(answered);
      const published = live.events.filter(({ type }) => type === "container.state_changed");
      const path = join(temporaryFolder(), "storm.backup");
      await succeed(["backup", path], store.env, program.dataDir);
      const taken = answered.size;
      live.close();
      rain.end();
      await storm.end();
      assert.equal(await program.stop(), 0);

      const restored = await stores.of(into);
      await succeed(["restore", path], restored.env);
      const again = await startProgram({ env: { ...NOWHERE, ...restored.env } });
      context.after(() => again.kill());
      const kept = new Map<string, number>();
      for (const { id } of heartbeats) for (const rid of await ridsOf(again.get, id)) kept.set(rid, id);
      context.diagnostic(
        `${answeredBefore.size} answered before, ${taken} until the end of the backup, ${kept.size} in it; ${published.length} transitions published`,
      );
      assert.ok(answeredBefore.size > 100 && taken > answeredBefore.size, "there was a storm, also while the backup was taken");
      assert.deepEqual(
        [...answeredBefore].filter(([rid, id]) => kept.get(rid) !== id),
        [],
      );
      await assertKept(again.get, externalIds, published);
      assert.equal(await again.stop(), 0);
    });
  });
}

async function assertKept(
  get: <Body>(path: string) => Promise<Body>,
  externalIds: readonly string[],
  published: readonly ReceivedEvent[],
): Promise<void> {
  const list = (await get<ContainerList>("/api/v1/containers")).groups.flatMap((group) => group.containers);
  const records = list.filter(({ external_id }) => externalIds.includes(external_id));
  assert.equal(records.length, externalIds.length);
  for (const { id } of records) {
    const transitions = await wholeHistory((path) => get<TransitionList>(path), id);
    for (const { data } of published.filter((event) => event.data["id"] === id))
      assert.ok(
        transitions.some((each) => each.timestamp === data["timestamp"] && each.new_state === data["state"]),
        `published at ${String(data["timestamp"])}: ${String(data["state"])}`,
      );
  }
  assert.ok(published.length > 0, "there was a storm");
}

stormStory("sqlite", "postgresql");
if (isLong()) stormStory("postgresql", "sqlite");

for (const [engine, kills] of [
  ["sqlite", KILLS],
  ["postgresql", KILLS_ON_POSTGRESQL],
] as const)
  it(`a restore into ${engine} that is killed ${kills} times leaves the old or the new, whole`, async (context) => {
    const chance = chanceOf(context);
    const store = await stores.filled(engine);
    const backups: { path: string; contents: Awaited<ReturnType<typeof contentsOf>> }[] = [];
    const folder = temporaryFolder();
    // Two that differ in every table: what was filled, and what a program makes of nothing.
    for (const each of [store, await started(await stores.of("sqlite"))]) {
      const path = join(folder, `${backups.length}.backup`);
      await succeed(["backup", path], each.env);
      backups.push({ path, contents: withoutAccess(await contentsOf(each)) });
    }
    let now = 0;
    let tookMs = 0;
    const outcomes = { old: 0, new: 0 };
    for (let kill = 0; kill <= kills; kill += 1) {
      const other = backups[1 - now] ?? assert.fail("no backup");
      const startedMs = performance.now();
      const restoring = spawnProgram({ args: ["restore", other.path], env: store.env, dataDir: folder });
      if (kill > 0) {
        const aimed =
          engine === "sqlite" && kill % 2 === 0
            ? replacedIn(store)
            : new Promise((resolve) => setTimeout(resolve, tookMs * (0.4 + chance.below(80) / 100)));
        await Promise.race([restoring.exited, aimed]);
        await restoring.kill();
      } else {
        assert.equal(await restoring.exited, 0, restoring.log());
        tookMs = performance.now() - startedMs;
      }
      const contents = withoutAccess(await contentsOf(store));
      const found = backups.findIndex((each) => isDeepStrictEqual(each.contents, contents));
      const differing = ({ rows }: typeof contents): string[] =>
        Object.keys(contents.rows).filter((name) => !isDeepStrictEqual(rows[name], contents.rows[name]));
      const unlike = backups.map((each) => differing(each.contents).join(" "));
      assert.ok(found >= 0, `a mixture after kill ${kill}: unlike the old in ${unlike[now]}; unlike the new in ${unlike[1 - now]}`);
      if (kill > 0) outcomes[found === now ? "old" : "new"] += 1;
      now = found;
    }
    context.diagnostic(`${outcomes.old} times the old, ${outcomes.new} times the new`);
    const program = await startProgram({ env: { ...NOWHERE, ...store.env } });
    assert.equal(await program.stop(), 0);
    if (engine === "sqlite")
      assert.deepEqual(
        readdirSync(dirname(store.place)).filter((name) => /before-restore|incoming/.test(name)),
        [],
        "what was replaced is removed",
      );
  });

/** All but what a restore takes back. */
function withoutAccess<Contents extends { rows: Record<string, string[]> }>(contents: Contents): Contents {
  const ended = /^(?:ended_sessions|enrollment_tokens|mcp_(?:connections|tokens|codes))$/;
  return { ...contents, rows: Object.fromEntries(Object.entries(contents.rows).filter(([name]) => !ended.test(name))) };
}

/** Settles when the old file is kept under its other name, the moment before the new one takes its place. */
function replacedIn({ place }: Store): Promise<void> {
  return new Promise((resolve) => {
    const folder = dirname(place);
    const known = new Set(readdirSync(folder));
    const watcher = watch(folder, () => {
      if (!readdirSync(folder).some((name) => name.includes(".before-restore-") && !known.has(name))) return;
      watcher.close();
      resolve();
    });
    setTimeout(() => watcher.close(), 60_000).unref();
  });
}

async function started(store: Store): Promise<Store> {
  const program = await startProgram({ env: { ...NOWHERE, ...store.env } });
  await program.stop();
  return store;
}

it("refuses to restore into a database that a program uses, and to copy from it", async () => {
  const program = await startProgram({ env: NOWHERE });
  const { dataDir } = program;
  const path = join(temporaryFolder(), "x.backup");
  await succeed(["backup", path], {}, dataDir);
  for (const args of [
    ["restore", path],
    ["copy-store", `--to=sqlite:${join(temporaryFolder(), "copy.db")}`],
  ]) {
    const { code, text } = await run(args, {}, dataDir);
    assert.equal(code, 2);
    assert.match(text, /another program that is running uses it/);
  }
  assert.equal((await program.get<{ status: string }>("/api/v1/ready")).status, "ready");
  assert.equal(await program.stop(), 0);

  const server = await sharedPostgres();
  const env = { SERVICE_DATABASE_URL: await createPostgresDatabase(server.url) };
  const second = await startProgram({ env: { ...NOWHERE, ...env } });
  const { code, text } = await run(["restore", path], env);
  assert.equal(code, 2);
  assert.match(text, /is in use by a program that is running. Stop it first/);
  assert.equal(await second.stop(), 0);
  await server.stop();
});

it("takes backups by itself, and says when the last one was verified", async () => {
  const folder = join(temporaryFolder(), "backups");
  const program = await startProgram({ env: { ...NOWHERE, SERVICE_BACKUP_DIR: folder } });
  const last = async () => (await program.get<StorageUse>("/api/v1/storage")).backups?.last ?? null;
  await until(async () => (await last()) !== null, { everyMs: 500, withinMs: 60_000 });
  const taken = await last();
  assert.ok((taken?.verified_at ?? "") >= (taken?.taken_at ?? "none"));
  assert.equal(await program.stop(), 0);
  const restored = await stores.of("sqlite");
  await succeed(["restore", join(folder, taken?.file ?? "")], restored.env);
});

it("takes backups into a bucket, one of which is restored elsewhere, and never says its key", async (context) => {
  const s3 = await startS3Server();
  context.after(() => s3.stop());
  const program = await startProgram({
    env: {
      ...NOWHERE,
      SERVICE_BACKUP_S3: `s3://${s3.bucket}/of/binnacle`,
      SERVICE_BACKUP_S3_ENDPOINT: s3.endpoint,
      SERVICE_BACKUP_S3_KEY_ID: s3.accessKey,
      SERVICE_BACKUP_S3_SECRET: s3.secretKey,
    },
  });
  context.after(() => program.kill());
  const backups = async () => (await program.get<StorageUse>("/api/v1/storage")).backups;
  await until(async () => (await backups())?.last, { everyMs: 500, withinMs: 60_000 });
  const { folder, last, error } = (await backups()) ?? assert.fail("none are taken");
  assert.deepEqual([folder, error], ["s3://backups/of/binnacle/", null]);
  assert.equal(await program.stop(), 0);
  assert.ok(!program.log().includes(s3.secretKey) && !program.log().includes(s3.accessKey));

  const path = join(temporaryFolder(), "fetched.backup");
  await s3.client.download(`of/binnacle/${last?.file}`, path);
  const restored = await stores.of("sqlite");
  assert.match(await succeed(["restore", path], restored.env), new RegExp(`Restored ${last?.rows} rows of `));
});

it("brings the certificate and the licence along, and overwrites none", async () => {
  const dataDir = temporaryFolder();
  const env = (await started(await stores.of("sqlite"))).env;
  writeFileSync(join(dataDir, "grpc-certificate.pem"), "first");
  writeFileSync(join(dataDir, "licence.json"), "{}\n");
  const path = join(temporaryFolder(), "x.backup");
  await succeed(["backup", path], env, dataDir);

  const elsewhere = temporaryFolder();
  chmodSync(elsewhere, 0o755);
  writeFileSync(join(elsewhere, "grpc-certificate.pem"), "second");
  const text = await succeed(["restore", path], {}, elsewhere);
  assert.match(text, /Sessions, connections of assistants and open enrollment tokens have ended/);
  const { rows } = await contentsOf(sqliteStore(join(elsewhere, "binnacle.db")));
  assert.match(rows["ended_sessions"]?.join() ?? "", /^\["\*",\d+,\d+\]$/);
  assert.match(text, /licence\.json was missing in .* and is back/);
  assert.match(text, /see grpc-certificate\.pem\.from-backup in/);
  assert.equal(readFileSync(join(elsewhere, "grpc-certificate.pem"), "utf8"), "second");
  assert.equal(readFileSync(join(elsewhere, "grpc-certificate.pem.from-backup"), "utf8"), "first");
  for (const name of ["licence.json", "grpc-certificate.pem.from-backup", "binnacle.db"])
    assert.equal(statSync(join(elsewhere, name)).mode & 0o777, 0o600, name);
});

it("copies a store there and back, and says what is missing or in the way", async () => {
  const store = await stores.filled("sqlite");
  const middle = await stores.of("postgresql");
  const text = await succeed(["copy-store", `--to=${middle.place}`], store.env);
  assert.match(text, /Copied \d+ rows of \d+ tables to the database at postgres.*; the counts are the same/);
  const back = join(temporaryFolder(), "back.db");
  await succeed(["copy-store"], { ...middle.env, SERVICE_TO: `sqlite:${back}` });
  const contents = await contentsOf(store);
  assert.deepEqual(await contentsOf(sqliteStore(back)), contents);
  for (const [args, message] of [
    [["copy-store"], /needs --to URL/],
    [["copy-store", "--to=mysql://x"], /neither a PostgreSQL URL nor sqlite:/],
    [["copy-store", `--to=sqlite:${back}`], /There is a database already/],
    [["backup"], /backup: needs a file after it: binnacle backup FILE/],
    [["restore", "a", "b"], /b: not expected after restore/],
    [["restore", "/nowhere/x.backup"], /cannot be read: ENOENT/],
  ] as const) {
    const ended = await run([...args], store.env);
    assert.equal(ended.code, 2, ended.text);
    assert.match(ended.text, message);
  }
  assert.ok(existsSync(back));
});
