import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { emptyStores, type Store as TestStore } from "../../../test/support/stores.ts";
import { until } from "../../../test/support/until.ts";
import { parseConfig } from "../../config/config.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { storageUse } from "../meta/answers.ts";
import type { Store } from "../stores.ts";
import { backupFindings } from "../doctor-backups.ts";
import { createScheduledBackups } from "./scheduled.ts";
import { takeBackup } from "./take.ts";

const stores = emptyStores();
after(() => stores.stop());

const storeOf = ({ engine, place }: TestStore): Store => (engine === "sqlite" ? { path: place } : { url: place });
const optionsOf = (store: TestStore, folder: string) => ({
  store: storeOf(store),
  dataDir: folder,
  programVersion: "1.2.3",
  destination: { kind: "folder", folder } as const,
  keep: 2,
});

for (const engine of ["sqlite", "postgresql"] as const)
  it(`takes and verifies a backup of ${engine}, and leaves nothing of an interrupted one`, async () => {
    const folder = join(temporaryFolder(), "backups");
    mkdirSync(folder);
    mkdirSync(join(folder, "trial-restore-aB3x9Z"));
    mkdirSync(join(folder, "trial-restore-of-mine"));
    for (const name of [
      "binnacle-20260101T000000Z.backup.partial",
      "binnacle-20260101T000000Z.backup",
      "binnacle-20260102T000000Z.backup",
      "mine.backup",
    ])
      writeFileSync(join(folder, name), "");
    const { taken, removalError } = await takeBackup(optionsOf(await stores.filled(engine), folder));
    const { file, rows, bytes } = taken;
    assert.ok(rows > 100 && bytes > 1000);
    assert.equal(removalError, null);
    assert.deepEqual(readdirSync(folder).toSorted(), ["binnacle-20260102T000000Z.backup", file, "mine.backup", "trial-restore-of-mine"]);
  });

it("a backup stays when the clock was ahead before", async () => {
  const folder = temporaryFolder();
  const ahead = ["binnacle-20990101T000000Z.backup", "binnacle-20990102T000000Z.backup"];
  for (const name of ahead) writeFileSync(join(folder, name), "");
  const options = optionsOf(await stores.filled("sqlite"), folder);
  const { taken } = await takeBackup(options);
  assert.deepEqual(readdirSync(folder).toSorted(), [taken.file, ahead[1]]);
  rmSync(join(folder, taken.file));
  const alone = await takeBackup({ ...options, keep: 1 });
  assert.deepEqual(readdirSync(folder), [alone.taken.file]);
});

it("a backup that cannot be restored is removed, and the earlier ones stay", async () => {
  const folder = temporaryFolder();
  const store = await stores.filled("sqlite");
  for (const name of ["binnacle-20260101T000000Z.backup", "binnacle-20260102T000000Z.backup"]) writeFileSync(join(folder, name), "");
  const before = readdirSync(folder);
  const file = new DatabaseSync(store.place);
  file.exec("PRAGMA foreign_keys = OFF; UPDATE transitions SET container_id = 4711");
  file.close();
  await assert.rejects(takeBackup(optionsOf(store, folder)), /A row of the table transitions refers to one that is not there/);
  assert.deepEqual(readdirSync(folder), before);
});

it("backups are taken when they are due, and the last one is remembered", async () => {
  const clock = createFakeClock(new Date());
  const folder = temporaryFolder();
  const store = await stores.filled("sqlite");
  const start = parseConfig({ argv: [`--backup-dir=${folder}`, "--backup-interval=1h"], env: store.env });
  const config = "config" in start ? start.config : assert.fail("no config");
  const opened = () => {
    const scheduler = createScheduler(clock, silentLog);
    const backups = createScheduledBackups({ config, version: "1.2.3", clock, scheduler, log: silentLog });
    backups.start();
    return { scheduler, status: () => storageUse.shape.backups.parse(backups.status()) ?? assert.fail("none are taken") };
  };
  const first = opened();
  assert.deepEqual(first.status(), { folder, interval_seconds: 3600, keep: 7, last: null, error: null });
  await clock.advance(10_000);
  await until(() => first.status().last !== null);
  await first.scheduler.stop();

  const { last } = first.status();
  const again = opened();
  assert.deepEqual(again.status().last, last);
  await clock.advance(10_000);
  assert.deepEqual(again.status().last, last, "the next one is due an hour after the last");
  new DatabaseSync(store.place).exec("ALTER TABLE alerts RENAME TO away");
  // Backups are named by the second, on the system's clock.
  const sinceMs = Date.now();
  await until(() => Date.now() - sinceMs > 1000);
  await clock.advance(3_600_000);
  await until(() => again.status().error !== null);
  assert.match(again.status().error ?? "", /The table alerts of the database file .* cannot be read/);
  assert.deepEqual(again.status().last, last);
  new DatabaseSync(store.place).exec("ALTER TABLE away RENAME TO alerts");
  await clock.advance(900_000);
  await until(() => again.status().error === null, { what: "the next try after a quarter of an hour" });
  assert.notDeepEqual(again.status().last, last);
  await again.scheduler.stop();
});

it("the doctor says whether the folder can be written, and that none was taken yet", async () => {
  const folder = join(temporaryFolder(), "backups");
  const configOf = (...argv: string[]) => {
    const start = parseConfig({ argv, env: {} });
    return "config" in start ? start.config : assert.fail("no config");
  };
  assert.match(JSON.stringify(await backupFindings(configOf())), /"ok","text":"none are taken/);
  const config = configOf(`--backup-dir=${folder}`);
  const [place, last] = await backupFindings(config);
  assert.match(place?.text ?? "", /backups is not there yet; it will be made, /);
  assert.match(last?.text ?? "", /none was taken yet/);
  writeFileSync(folder, "");
  assert.match(JSON.stringify(await backupFindings(config)), /"fail","text":"[^"]*backups cannot be written: [^"]* is not a folder/);
});

it("none are taken without a folder", () => {
  const start = parseConfig({ argv: [], env: {} });
  const config = "config" in start ? start.config : assert.fail("no config");
  const clock = createFakeClock(new Date());
  const backups = createScheduledBackups({ config, version: "1", clock, scheduler: createScheduler(clock, silentLog), log: silentLog });
  backups.start();
  assert.equal(backups.status(), null);
});
