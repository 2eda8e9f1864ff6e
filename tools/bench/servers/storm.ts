/** All of alerting on a separate database, with the given channels: each argument is the address of one. It raises alerts when asked to. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { numberedProblem, openAlerting } from "../../../test/support/alerting.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { systemClock as clock } from "../../../src/platform/clock.ts";
import { silentLog as log } from "../../../src/platform/log.ts";
import { openSqlite } from "../../../src/storage/sqlite.ts";
import { residentBytes, serveQuestions } from "../questions.ts";

const SLICE_MS = 10;
const LOOK_EVERY_MS = 100;

const database = openSqlite({ path: join(temporaryFolder(), "storm.db"), clock, log });
await database.start();
const alerting = await openAlerting(database, log);
for (const [index, url] of process.argv.slice(2).entries()) await alerting.addChannel(`channel ${index + 1}`, url);

let raised = 0;
let highest = 0;
setInterval(() => {
  highest = Math.max(highest, residentBytes(process.pid));
}, LOOK_EVERY_MS).unref();

/** It carries the time at which it was raised. */
function raise(): Promise<void> {
  raised += 1;
  return alerting.alerts.raise(numberedProblem(raised, { raised_ms: Date.now() }));
}

serveQuestions(0, {
  /** Raises so many one by one, with time in between. */
  async calmly({ calmly }) {
    for (let count = 0; count < Number(calmly); count += 1) {
      await raise();
      await wait(25);
    }
    return {};
  },
  /** Raises so many within so many seconds; answers how long it took until the last one was saved. */
  async storm({ storm, seconds }) {
    const startedMs = performance.now();
    const saved: Promise<void>[] = [];
    while (saved.length < Number(storm)) {
      const share = Math.min(1, (performance.now() - startedMs) / 1000 / Number(seconds));
      while (saved.length < Math.ceil(share * Number(storm))) saved.push(raise());
      await wait(SLICE_MS);
    }
    await Promise.all(saved);
    return { savedMs: performance.now() - startedMs };
  },
  /** Resident memory in bytes now, and the most of it since the last question. */
  memory() {
    const now = residentBytes(process.pid);
    const most = Math.max(highest, now);
    highest = 0;
    return { now, most };
  },
});
