/** The path of readings from the intake to the file and back over HTTP, for the number of containers given as argument. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DAY_MS } from "../../../src/contract/time.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sparePort } from "../../../test/support/postgres.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { TICK_MS } from "../../../src/observations.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { residentBytes, serveQuestions } from "../questions.ts";
import { makeReadings } from "../readings.ts";
import { openResourcePath } from "../resource-path.ts";

const START_MS = Date.UTC(2026, 2, 1);
/** Of the histogram of delays, whose figures contain it. */
const RESOLUTION_MS = 1;

const folder = temporaryFolder();
const file = join(folder, "binnacle.db");
const readings = makeReadings(Number(process.argv[2]));
const path = await openResourcePath({ file, startMs: START_MS, readings });
const port = await sparePort();
const start = parseConfig({ argv: [], env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" } });
if (!("config" in start)) throw new Error("no configuration");
const http = createHttpServer({
  routes: path.routes,
  config: start.config,
  clock: systemClock,
  log: silentLog,
  version: "0.0.0",
});
await http.start();

serveQuestions(port, {
  /** So many ticks through the program; answers CPU time, and how long the event loop was held up meanwhile. */
  async write({ write }) {
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    const before = process.cpuUsage();
    delay.enable();
    for (let tick = 0; tick < Number(write); tick += 1) await path.tick();
    delay.disable();
    const heldUpMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    return {
      cpu: microsecondsSince(before),
      delayP99Ms: heldUpMs(delay.percentile(99)),
      delayMaxMs: heldUpMs(delay.max),
      residentBytes: residentBytes(process.pid),
    };
  },
  /** So many ticks that are made and thrown away. */
  make({ make }) {
    const before = process.cpuUsage();
    const fromMs = path.clock.now().getTime();
    for (let tick = 0; tick < Number(make); tick += 1) readings.at(fromMs + tick * TICK_MS);
    return { cpu: microsecondsSince(before) };
  },
  /** Lets the last whole hour be sealed. */
  async seal() {
    for (let tick = 0; tick < 30; tick += 1) await path.rest(TICK_MS);
    return {};
  },
  /** The rollups of the first day also for so many days before it: a chunk does not say when it was. */
  repeat({ repeat }) {
    const database = new DatabaseSync(file);
    const copy = database.prepare(
      `INSERT INTO series_chunks SELECT family, level, bundle, start_at - ?, bytes, size FROM series_chunks
        WHERE level > 0 AND start_at >= ${START_MS} AND start_at < ${START_MS + DAY_MS}`,
    );
    for (let day = 1; day <= Number(repeat); day += 1) copy.run(day * DAY_MS);
    database.close();
    return {};
  },
  /** Closes the database; answers what it takes on disk. */
  async close() {
    await http.stop();
    await path.stop();
    const bytes = ["", "-wal", "-shm"].reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);
    rmSync(folder, { recursive: true });
    return { bytes };
  },
});

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
