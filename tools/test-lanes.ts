/** Runs test files in lanes that go on beside each other, and reports them as one run. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/** Files that are run one after another. */
export interface Lane {
  files: readonly string[];
  /** For each test, and for each file. */
  timeoutMs: number;
}

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Each> ? Each : never;
type Summary = Extract<TestEvent, { type: "test:summary" }>["data"];

/** More events than any run has. */
const ALL_EVENTS = 1e9;
/** A lane's account of itself gives way to the one of all. */
const OWN_ACCOUNT = new Set<TestEvent["type"]>(["test:plan", "test:diagnostic", "test:summary"]);

/** Tells what happens in the first lane as it happens, and in each other when those before it are over; 0 when nothing failed. */
export async function runLanes(lanes: readonly Lane[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  const running = lanes
    .filter(({ files }) => files.length > 0)
    .map(({ files, timeoutMs }) => run({ files, concurrency: false, timeout: timeoutMs, env, signal }));
  // All are read at once, since a lane that nobody reads stands still.
  const kept = running.map((lane) => lane.pipe(new PassThrough({ objectMode: true, highWaterMark: ALL_EVENTS })));
  const report = new spec();
  report.pipe(process.stdout, { end: false });
  const ended = once(report, "end");
  const summaries: Summary[] = [];
  for (const lane of kept)
    for await (const event of lane as AsyncIterable<TestEvent>) {
      const isOfLane = OWN_ACCOUNT.has(event.type) && event.data !== undefined && !("file" in event.data && event.data.file !== undefined);
      if (!isOfLane) report.write(event);
      else if (event.type === "test:summary") summaries.push(event.data);
    }
  const all = addUp(summaries, performance.now() - startedMs);
  for (const message of linesOf(all)) report.write({ type: "test:diagnostic", data: { nesting: 0, message, level: "info" } });
  report.end({ type: "test:summary", data: all });
  await ended;
  return all.success && summaries.length === running.length ? 0 : 1;
}

/** One summary of several runs. */
function addUp(summaries: readonly Summary[], durationMs: number): Summary {
  const total = (count: keyof Summary["counts"]): number => summaries.reduce((sum, { counts }) => sum + counts[count], 0);
  return {
    success: summaries.every(({ success }) => success),
    duration_ms: durationMs,
    file: undefined,
    counts: {
      tests: total("tests"),
      suites: total("suites"),
      passed: total("passed"),
      failed: total("failed"),
      cancelled: total("cancelled"),
      skipped: total("skipped"),
      todo: total("todo"),
      topLevel: total("topLevel"),
    },
  };
}

/** As the runner itself ends its report. */
function linesOf({ counts, duration_ms }: Summary): string[] {
  const { tests, suites, passed, failed, cancelled, skipped, todo } = counts;
  const lines = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo, duration_ms };
  return Object.entries(lines).map(([name, value]) => `${name} ${value}`);
}
