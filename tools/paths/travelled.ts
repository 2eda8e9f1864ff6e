import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pause, systemClock } from "../../src/platform/clock.ts";

/** How often a function of the program was called, by `FILE FUNCTION`. */
type Calls = ReadonlyMap<string, number>;

/** What one thing that happens calls. */
export interface Travelled {
  /** Files of the program in which a function was called, sorted. */
  files: string[];
  /** Whether a function was called each time, by `FILE FUNCTION`; also one that the program calls at rest as often. */
  calls(key: string): boolean;
}

const ROUNDS = 4;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Lets the same happen several times in this process, and answers what it called each time, and more often than the program does in as long a time in which
 * nothing happens. `happen` resolves when it is over.
 */
export async function travelled(happen: () => Promise<void>): Promise<Travelled> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

  /** Calls since the last time it was asked. */
  async function takeCalls(): Promise<Calls> {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      const file = url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)) : "";
      if (!file.startsWith("src/")) continue;
      // The first one of a file is its module, which was loaded before.
      for (const { functionName, ranges } of functions) {
        const key = `${file} ${functionName}`;
        if (ranges[0]?.startOffset !== 0) calls.set(key, (calls.get(key) ?? 0) + (ranges[0]?.count ?? 0));
      }
    }
    return calls;
  }

  const travels: Calls[] = [];
  const rests: Calls[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await takeCalls();
    const startedMs = performance.now();
    await happen();
    travels.push(await takeCalls());
    await pause(systemClock, performance.now() - startedMs);
    rests.push(await takeCalls());
  }
  session.disconnect();

  const leastOf = (all: readonly Calls[], key: string): number => Math.min(...all.map((calls) => calls.get(key) ?? 0));
  const called = travels.flatMap((calls) => [...calls.keys()]).filter((key) => leastOf(travels, key) > leastOf(rests, key));
  return {
    files: [...new Set(called.map((key) => key.slice(0, key.indexOf(" "))))].sort(),
    calls: (key) => leastOf(travels, key) > 0,
  };
}
