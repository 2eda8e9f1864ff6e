import type { LogLine } from "../../src/runtimes/runtime.ts";

/** Lines as a runtime hands them out, each alone. */
export async function* eachAlone(lines: Iterable<LogLine> | AsyncIterable<LogLine>): AsyncGenerator<LogLine[], void, undefined> {
  for await (const line of lines) yield [line];
}

/** The lines of what a runtime hands out. */
export async function* linesOf(batches: AsyncIterable<readonly LogLine[]>): AsyncGenerator<LogLine, void, undefined> {
  for await (const batch of batches) yield* batch;
}
