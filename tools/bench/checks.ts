import { setTimeout as wait } from "node:timers/promises";
import { checksOfProgram } from "./checks-of-program.ts";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, percentile } from "./figure.ts";

const ENDPOINTS = 10_000;
const INTERVAL_SECONDS = 30;

export const checks: Bench = {
  name: "checks",
  about: `${ENDPOINTS} HTTP checks every ${INTERVAL_SECONDS} s against a loopback server, and all that becomes of them; 1,000 every 20 s by the built program; the quick form has fewer, more often, at the same rate`,
  async run({ quick }) {
    const shorter = quick ? 6 : 1;
    const count = Math.round(ENDPOINTS / shorter);
    const interval = INTERVAL_SECONDS / shorter;
    const target = await startMeasured("target");
    const engine = await startMeasured("checks", [String(count), String(interval), String(target.port)]);
    try {
      const { firstCheckMs } = await engine.ask({ start: true });
      // The first checks come faster than the beats; those begin after another five seconds.
      await wait(5_000);
      await engine.ask({ forget: true });
      await engine.cpuMicroseconds();
      const startedMs = performance.now();
      await wait(interval * 1000 * 2 + 2_000);
      const busy = (await engine.cpuMicroseconds()) / 1000 / (performance.now() - startedMs);
      const { lateness, failures, skipped } = await engine.ask({ figures: true });
      await engine.stop();
      return [
        absoluteFigure({ name: "checks: share of a core", value: busy * 100, unit: "%", atMost: 30 }),
        absoluteFigure({
          name: "checks: start jitter, p99",
          value: percentile(Array.isArray(lateness) ? lateness.map(Number) : [], 99),
          unit: "ms",
          atMost: 250,
        }),
        absoluteFigure({ name: "checks: skipped or failed", value: Number(skipped) + Number(failures), unit: "checks", atMost: 0 }),
        absoluteFigure({ name: "checks: start to first check", value: Number(firstCheckMs), unit: "ms", atMost: 5_000 }),
        ...(quick ? [] : await checksOfProgram(target.port)),
      ];
    } finally {
      await engine.stop();
      await target.stop();
    }
  },
};
