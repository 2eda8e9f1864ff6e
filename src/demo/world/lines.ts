import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import type { DemoContainer, LogStyle } from "./containers.ts";
import { noise, seedOf } from "./noise.ts";
import { runAt, runsSince } from "./story.ts";

/** Made-up log lines: each belongs to a moment, so whoever reads them again reads the same. */
export interface Lines {
  /** The last so many that were written by a moment, the oldest first. */
  last(count: number, untilMs: number, sinceMs?: number): LogLine[];
  /** Those written after one moment and by another. */
  between(fromMs: number, untilMs: number): LogLine[];
}

/** Beyond this nobody reads. */
const MOST_LINES = 5_000;

type Draw = (limit: number) => number;
type Text = (draw: Draw, at: Date) => string;

const PATHS = [
  "/",
  "/p/oak-table",
  "/p/brass-lamp",
  "/p/wool-rug",
  "/cart",
  "/search?q=lamp",
  "/api/stock/4711",
  "/assets/app.8f3c.js",
  "/c/kitchen",
  "/account",
];
const pick = <Item>(items: readonly Item[], draw: Draw): Item => items[draw(items.length)] as Item;
const address = (draw: Draw): string => `203.0.113.${1 + draw(250)}`;
const logfmt = (level: string, message: string, at: Date, more = ""): string =>
  `time=${at.toISOString()} level=${level} msg="${message}"${more === "" ? "" : ` ${more}`}`;

const STYLES: Readonly<Record<LogStyle, { everyMs: number; text: Text }>> = {
  access: {
    everyMs: 700,
    text: (draw) =>
      `${address(draw)} "GET ${pick(PATHS, draw)} HTTP/2.0" ${draw(40) === 0 ? 404 : 200} ${400 + draw(48_000)} ${2 + draw(90)}ms`,
  },
  app: {
    everyMs: 2_300,
    text: (draw, at) =>
      draw(25) === 0
        ? logfmt("warn", "slow query", at, `table=products took=${300 + draw(900)}ms`)
        : logfmt("info", pick(["request served", "cache hit", "cache filled", "session renewed"], draw), at, `took=${1 + draw(60)}ms`),
  },
  checkout: {
    everyMs: 1_900,
    text: (draw, at) =>
      draw(3) === 0
        ? logfmt("error", "payment not started: dial tcp payments:8080: connection refused", at, `order=${100_000 + draw(9000)}`)
        : logfmt("info", "basket priced", at, `order=${100_000 + draw(9000)} took=${4 + draw(30)}ms`),
  },
  database: {
    everyMs: 9_000,
    text: (draw) =>
      pick(
        [
          `LOG:  checkpoint complete: wrote ${200 + draw(3000)} buffers (${1 + draw(9)}.${draw(9)}%)`,
          "LOG:  checkpoint starting: time",
          `LOG:  automatic vacuum of table "shop.public.events": index scans: ${draw(2)}`,
          `LOG:  duration: ${200 + draw(800)}.${draw(999)} ms  execute <unnamed>: SELECT id, name FROM products WHERE updated_at > $1`,
        ],
        draw,
      ),
  },
  worker: {
    everyMs: 3_100,
    text: (draw, at) =>
      logfmt(
        "info",
        "job done",
        at,
        `queue=${pick(["orders", "mail", "images"], draw)} id=${10_000 + draw(89_999)} took=${20 + draw(900)}ms`,
      ),
  },
  backup: {
    everyMs: 40_000,
    text: (draw) => `processed ${1000 + draw(4000)} files, ${2 + draw(9)}.${draw(999)} GiB in 0:${10 + draw(49)}`,
  },
  plain: {
    everyMs: 12_000,
    text: (draw, at) => logfmt("info", pick(["tick", "compaction done", "segment written", "scrape done"], draw), at, `n=${draw(5000)}`),
  },
  payments: { everyMs: MINUTE_MS, text: () => "" },
};

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
  const { everyMs, text } = STYLES[log];
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
