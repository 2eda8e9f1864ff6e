import type { run } from "node:test";
import { inspect } from "node:util";

/** What Node's test runner says of a run. */
export type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Each> ? Each : never;
export type Summary = Extract<TestEvent, { type: "test:summary" }>["data"];
export type Counts = Summary["counts"];

const TOTALS = new Set<TestEvent["type"]>(["test:plan", "test:diagnostic", "test:summary"]);

/** Whether an event sums up a whole run of the runner, not a file: many runs make one report here. */
export function isRunTotal(event: TestEvent): boolean {
  return TOTALS.has(event.type) && event.data !== undefined && !("file" in event.data && event.data.file !== undefined);
}

/** One summary of several. */
export function addUp(all: readonly Counts[]): Counts {
  const total = (name: keyof Counts): number => all.reduce((sum, counts) => sum + counts[name], 0);
  return {
    tests: total("tests"),
    suites: total("suites"),
    passed: total("passed"),
    failed: total("failed"),
    cancelled: total("cancelled"),
    skipped: total("skipped"),
    todo: total("todo"),
    topLevel: total("topLevel"),
  };
}

/** As the runner itself ends its report. */
export function summaryLines({ tests, suites, passed, failed, cancelled, skipped, todo }: Counts, durationMs: number): string[] {
  const lines = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo, duration_ms: durationMs };
  return Object.entries(lines).map(([name, value]) => `${name} ${value}`);
}

/** An error as it crosses to another process, where only the text of a custom class would be left. */
interface SentError {
  text: string;
  failureType: unknown;
}

/** Makes an event ready to be sent to another process. */
export function packEvent(event: TestEvent): TestEvent {
  if (event.type !== "test:fail" && event.type !== "test:complete") return event;
  const { error } = event.data.details as { error?: Error & { failureType?: unknown } };
  if (error === undefined) return event;
  const sent: SentError = { text: inspect(error.cause ?? error), failureType: error.failureType };
  return { ...event, data: { ...event.data, details: { ...event.data.details, error: sent } } } as unknown as TestEvent;
}

/** The event as it was packed, its error printing as it would have there. */
export function unpackEvent(event: TestEvent): TestEvent {
  if (event.type !== "test:fail" && event.type !== "test:complete") return event;
  const { error } = event.data.details as { error?: SentError };
  if (error === undefined) return event;
  const shown = { failureType: error.failureType, [inspect.custom]: () => error.text };
  return { ...event, data: { ...event.data, details: { ...event.data.details, error: shown } } } as unknown as TestEvent;
}
