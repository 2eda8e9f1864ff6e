import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { createFaultyDisk, type FaultyDisk, RULES_VARIABLE } from "../../../test/support/disk-faults.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { IDS, inUnits, openKnownSeries, unitsAt } from "../../../test/support/known-series.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { openSqlite } from "../sqlite.ts";

const TICK_MS = 10_000;
const START_MS = Date.UTC(2026, 2, 1, 11);
const EIO = 5;
/** With BINNACLE_TEST_LONG=1 every write of some commits is cut. */
const IS_LONG = process.env["BINNACLE_TEST_LONG"] === "1";

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Known series in a SQLite file, for a process whose disk fails: by the rules that it writes itself, or that its parent wrote. */
const PRELUDE = `
  import { writeFileSync, writeSync } from "node:fs";
  import { sql } from ${JSON.stringify(import.meta.resolve("kysely"))};
  import { openSqlite } from ${url("../sqlite.ts")};
  import { CHECKPOINT_PAGES } from ${url("../sqlite-file.ts")};
  import { systemClock } from ${url("../../platform/clock.ts")};
  import { silentLog } from ${url("../../platform/log.ts")};
  import { createScheduler } from ${url("../../platform/scheduler.ts")};
  import { createFakeClock } from ${url("../../../test/support/fake-clock.ts")};
  import { openKnownSeries, tickAt } from ${url("../../../test/support/known-series.ts")};
  import { watchTasks } from ${url("../../../test/support/watched-tasks.ts")};
  import { until } from ${url("../../../test/support/until.ts")};
  const fail = (...rules) => writeFileSync(process.env.${RULES_VARIABLE}, rules.join("\\n"));
  const say = (line) => writeSync(1, line + "\\n");
  const database = openSqlite({ path: process.argv[2], clock: systemClock, log: silentLog });
  await database.start();
  const clock = createFakeClock(new Date(${START_MS + HOUR_MS}));
  const tasks = watchTasks(createScheduler(clock, silentLog), () => {});
  const series = openKnownSeries({ database, clock, scheduler: tasks.scheduler, log: silentLog });
  await series.start();
  const append = async (atMs) => { await series.append(tickAt(atMs)); say("kept " + atMs); };
  /** Makes the log so long that it is moved into the file. */
  const fill = () => database.tables().write((tx) => sql\`CREATE TABLE filling AS SELECT zeroblob(\${4096 * CHECKPOINT_PAGES}) AS content\`.execute(tx));
  const journal = () => database.tables().read.selectFrom("series_journal").select("id").execute();
`;

/** Runs a scenario until it ends or is killed; answers the ticks that it reported as kept, and its other lines. */
function run(scenario: string, path: string, disk: FaultyDisk): { kept: number[]; reported: string[]; signal: string | null } {
  // A file, since the thread that seals takes no program from the command line.
  const program = join(temporaryFolder(), "scenario.mjs");
  writeFileSync(program, PRELUDE + scenario);
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [program, path], {
    env: { ...process.env, ...disk.env },
    encoding: "utf8",
  });
  if (signal === null && status !== 0) throw new Error(stderr);
  const lines = stdout.split("\n").filter((line) => line !== "");
  const kept = lines.flatMap((line) => (line.startsWith("kept ") ? [Number(line.slice(5))] : []));
  return { kept, reported: lines.filter((line) => !line.startsWith("kept ")), signal };
}

/** Opens the file on a disk that is well: what was kept is there as it was measured, and nothing else than was measured. */
async function holds(path: string, kept: readonly number[], ids: readonly number[]): Promise<void> {
  const database = openSqlite({ path, clock: systemClock, log: silentLog });
  await database.start();
  const clock = createFakeClock(new Date(START_MS + 2 * HOUR_MS));
  const { log, text } = createLogCapture();
  const scheduler = createScheduler(clock, silentLog);
  const series = openKnownSeries({ database, clock, scheduler, log });
  await series.start();
  const wanted = new Set(kept);
  for (const id of ids) {
    const figures = await series.read({ id, fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS, stepMs: TICK_MS });
    for (let step = 0; step < (2 * HOUR_MS) / TICK_MS; step += 1) {
      const atMs = START_MS + step * TICK_MS;
      const found = figures.map(({ mean }, column) => Math.round(inUnits(column, mean[step] ?? Number.NaN)));
      if (found.every(Number.isNaN) && !wanted.has(atMs)) continue;
      assert.deepEqual(found, unitsAt(id, atMs) ?? [Number.NaN, Number.NaN, Number.NaN], `series ${id} at ${new Date(atMs).toISOString()}`);
    }
  }
  await series.stop();
  await scheduler.stop();
  await database.stop();
  assert.equal(text(), "", "nothing was found to be corrupt");
}

describe("series on a disk that fails", () => {
  it("are refused and sealed later while writing fails, and are all there afterwards", async () => {
    const path = join(temporaryFolder(), "x.db");
    const { kept, reported } = run(
      `
      for (let atMs = ${START_MS}; atMs < ${START_MS + HOUR_MS}; atMs += ${TICK_MS}) await append(atMs);
      fail("write .db-wal ${EIO} 0", "sync .db-wal ${EIO} 0");
      await append(${START_MS + HOUR_MS}).catch((error) => say(error.code));
      await clock.advance(140_000);
      await tasks.idle();
      say("journal " + (await journal()).length);
      fail();
      await until(() => database.status().connected);
      await append(${START_MS + HOUR_MS});
      await clock.advance(60_000);
      await tasks.idle();
      say("journal " + (await journal()).length);
      process.exit();
    `,
      path,
      createFaultyDisk(),
    );
    assert.deepEqual(reported, ["storage_unavailable", "journal 360", "journal 1"]);
    assert.equal(kept.length, HOUR_MS / TICK_MS + 1);
    await holds(path, kept, IDS.slice(0, 20));
  });

  // The schema alone takes nearly five hundred writes: of each page a head of 24 bytes, and the page.
  const cuts: [pathEnd: string, keptBytes: number, after: number][] = [
    ["x.db-wal", 0, 520],
    ["x.db-wal", 23, 531],
    ["x.db-wal", 24, 552],
    ["x.db-wal", 2000, 563],
    ["x.db-wal", 4095, 574],
    ["x.db", 1, 5],
    ["x.db", 3000, 6],
    ...(IS_LONG
      ? Array.from({ length: 200 }, (_, index): [string, number, number] => ["x.db-wal", (index * 137) % 4097, 520 + index])
      : []),
  ];
  for (const [pathEnd, keptBytes, after] of cuts)
    it(`lose nothing that was kept when write ${after} of ${pathEnd} is cut after ${keptBytes} bytes and the process with it`, async () => {
      const path = join(temporaryFolder(), "x.db");
      const disk = createFaultyDisk();
      disk.cut({ pathEnd, after }, keptBytes);
      const { kept, signal } = run(
        `
        for (let atMs = ${START_MS}; atMs < ${START_MS + HOUR_MS}; atMs += ${TICK_MS}) await append(atMs);
        await fill();
        for (let atMs = ${START_MS + HOUR_MS}; atMs < ${START_MS + 2 * HOUR_MS}; atMs += ${TICK_MS}) await append(atMs);
        say("never cut");
      `,
        path,
        disk,
      );
      assert.equal(signal, "SIGKILL");
      assert.ok(kept.length > 0, "it was cut before anything was kept");
      await holds(path, kept, IDS.slice(0, 9));
    });
});
