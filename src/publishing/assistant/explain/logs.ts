import type { ContainerDetail, TransitionRecord } from "../../../monitoring/containers/answers.ts";
import { type Containers, cutLine } from "../../../monitoring/containers/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../../platform/errors.ts";
import { maskKeyLines } from "../../../platform/secrets.ts";
import type { Explanation } from "../answers.ts";

const LINES = 30;
const LINE_LENGTH = 500;
const WITHIN_MS = 5_000;

interface LogParts {
  containers: Pick<Containers, "service">;
  clock: Clock;
  signal: AbortSignal;
}

/** The last lines of a log, live, with what it takes to leave it: a source that does not answer is told, and holds nobody up. */
export async function readLiveLog(
  { id }: ContainerDetail,
  { containers, clock, signal }: LogParts,
): Promise<{ lines: string[] } | { missing: string }> {
  const late = new AbortController();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(new ServiceError("request_timeout", "The log did not come in time."));
  const timer = clock.after(WITHIN_MS, () => late.abort());
  const both = AbortSignal.any([signal, late.signal]);
  both.addEventListener("abort", leave, { once: true });
  if (both.aborted) leave();
  const reading = containers.service.logs(id, { lines: LINES, timestamps: true }, both);
  reading.catch(() => undefined);
  try {
    const { lines } = await Promise.race([reading, left]);
    const texts = maskKeyLines(lines.map(({ text }) => text));
    return { lines: lines.map(({ timestamp }, at) => cutLine(`${timestamp === null ? "" : `${timestamp} `}${texts[at]}`, LINE_LENGTH)) };
  } catch (error) {
    // What its host says of why is not ours to quote; the code is.
    const code = isServiceError(error) ? ` (${error.code})` : "";
    return { missing: `The live log could not be read${code}; what was kept of its end is in logs, if anything was.` };
  } finally {
    timer.cancel();
    both.removeEventListener("abort", leave);
    late.abort();
  }
}

/** What was kept of the log before an end. */
export function snippetOf(transitions: readonly TransitionRecord[]): Explanation["logs"] {
  const end = transitions.find(({ log_snippet: snippet }) => snippet !== null && snippet !== "");
  if (end === undefined) return [];
  const lines = (end.log_snippet ?? "").split("\n").filter((line) => line !== "");
  return [
    {
      of: "before_end",
      transition_id: end.id,
      lines: maskKeyLines(lines)
        .slice(-LINES)
        .map((line) => cutLine(line, LINE_LENGTH)),
    },
  ];
}
