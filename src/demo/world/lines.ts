import { HOUR_MS } from "../../contract/time.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import type { DemoContainer } from "./containers.ts";
import { LOG_STYLES } from "./log-styles.ts";
import { noise, seedOf } from "./noise.ts";
import { runAt, runsSince } from "./story.ts";

/** Made-up log lines. Each belongs to a moment, so that reading them again gives the same lines. */
export interface Lines {
  /** The last so many that were written by a moment, the oldest first. */
  last(count: number, untilMs: number, sinceMs?: number): LogLine[];
  /** Those written after one moment and by another. */
  between(fromMs: number, untilMs: number): LogLine[];
}

/** Beyond this nobody reads. */
const MOST_LINES = 5_000;

/** What the payments service writes before it fails, by seconds after its start. */
const FAILING: readonly (readonly [afterMs: number, stream: LogLine["stream"], text: string])[] = [
  [300, "stdout", 'level=info msg="payments 2.15.0 starting" commit=c41f0e7'],
  [600, "stdout", 'level=info msg="database connected" host=shop-postgres'],
  [900, "stdout", 'level=info msg="migrations: nothing to do"'],
  [1_400, "stderr", 'level=warn msg="PSP_API_KEY is deprecated since 2.15.0, use PSP_SIGNING_KEY"'],
  [3_900, "stderr", 'level=fatal msg="cannot start: PSP_SIGNING_KEY is not set"'],
];

export function linesOf(container: DemoContainer, updatedMs: number): Lines {
  return container.fate === "crashing" ? failingLines(updatedMs) : steadyLines(container, updatedMs);
}

function steadyLines({ name, log, fate }: DemoContainer, updatedMs: number): Lines {
  const { everyMs, text } = LOG_STYLES[log];
  const seed = seedOf(name);
  // Jobs have written their last line in the night.
  const endMs = fate === "completed" ? updatedMs - 5 * HOUR_MS : Infinity;

  function lineAt(step: number): LogLine {
    const at = new Date(step * everyMs + Math.floor(noise(seed, 0, step) * everyMs));
    let drawn = 0;
    const draw = (limit: number): number => Math.floor(noise(seed, (drawn += 1), step) * limit);
    const written = text(draw, at);
    return { timestamp: at, stream: /level=(?:error|fatal)/.test(written) ? "stderr" : "stdout", text: written };
  }
  function between(fromMs: number, untilMs: number): LogLine[] {
    const end = Math.min(untilMs, endMs);
    const first = Math.max(Math.floor(fromMs / everyMs) - 1, Math.floor(end / everyMs) - MOST_LINES);
    const lines: LogLine[] = [];
    for (let step = first; step * everyMs <= end; step += 1) {
      const line = lineAt(step);
      const atMs = line.timestamp?.getTime() ?? 0;
      if (atMs > fromMs && atMs <= end) lines.push(line);
    }
    return lines;
  }
  return {
    between,
    last(count, untilMs, sinceMs = -Infinity) {
      const end = Math.min(untilMs, endMs);
      const fromMs = Math.max(sinceMs, end - (Math.min(count, MOST_LINES) + 1) * everyMs);
      return count === 0 ? [] : between(fromMs, end).slice(-count);
    },
  };
}

function failingLines(updatedMs: number): Lines {
  function between(fromMs: number, untilMs: number): LogLine[] {
    const lines: LogLine[] = [];
    const from = runAt(updatedMs, fromMs).restarts;
    for (const { restarts, startedMs } of runsSince(updatedMs)) {
      if (startedMs > untilMs) break;
      if (restarts < from) continue;
      for (const [afterMs, stream, text] of FAILING) {
        const atMs = startedMs + afterMs;
        if (atMs > fromMs && atMs <= untilMs)
          lines.push({ timestamp: new Date(atMs), stream, text: `time=${new Date(atMs).toISOString()} ${text}` });
      }
    }
    return lines.slice(-MOST_LINES);
  }
  return {
    between,
    last: (count, untilMs, sinceMs = updatedMs - 1) => (count === 0 ? [] : between(sinceMs, untilMs).slice(-count)),
  };
}
