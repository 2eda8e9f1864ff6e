/** How serious a line says it is, and where in its text it says so. */

export type LogLevel = "error" | "warn" | "info" | "debug";

export interface LevelMark {
  level: LogLevel;
  start: number;
  end: number;
}

/** Levels stand at the beginning of a line or in one of its first fields; further text is the message. */
const LOOKED_AT = 400;

const NAMES: Readonly<Record<string, LogLevel>> = {
  emerg: "error",
  emergency: "error",
  alert: "error",
  panic: "error",
  fatal: "error",
  crit: "error",
  critical: "error",
  severe: "error",
  err: "error",
  error: "error",
  warn: "warn",
  warning: "warn",
  wrn: "warn",
  notice: "info",
  info: "info",
  information: "info",
  inf: "info",
  log: "info",
  hint: "info",
  debug: "debug",
  dbg: "debug",
  debu: "debug",
  verbose: "debug",
  trace: "debug",
  trc: "debug",
  ftl: "error",
  eror: "error",
  erro: "error",
  fata: "error",
  pani: "error",
};

const NAME = Object.keys(NAMES)
  .toSorted((a, b) => b.length - a.length)
  .join("|");

/** Each finds the level's word as group `level`; the first that matches decides. */
const FORMS: readonly RegExp[] = [
  // {"level":"warn"}, {"severity":"ERROR"}, {"level":50}
  new RegExp(String.raw`"(?:level|severity|lvl|loglevel|log\.level|levelname|@l)"\s*:\s*"?(?<level>${NAME}|\d{1,2}(?!\d))`, "di"),
  // level=warn, lvl="error", severity: info
  new RegExp(String.raw`(?<![\w.-])(?:level|lvl|severity|loglevel)\s?[=:]\s?"?(?<level>${NAME})(?!\w)`, "di"),
  // E0312 07:12:31.440312       1 main.go:120] of klog and glog
  /^(?<level>[EFWID])(?=\d{4}\s+\d\d:\d\d:\d\d)/d,
  // [WARN], <error>, (info), [main/ERROR], [12:00:00 INF]
  new RegExp(String.raw`[[(<](?:[^\s[\]()<>]{1,40}[/:\s])?(?<level>${NAME})[\])>]`, "di"),
  // WARN, ERROR:, 2026-01-01 12:00:00,000 INFO name, LOG:  database system is ready
  new RegExp(String.raw`(?<![\w./"'=-])(?<level>${NAME.toUpperCase()})(?![\w./"'=-])`, "d"),
  // warn  heap at 212 MB, at the beginning or after the time
  new RegExp(String.raw`^(?:[\d:.,/TZ+\-[\]]+\s+){0,3}(?<level>(?:${NAME})(?=:|\s?\||\s\s)|(?:fatal|error|warn|info|debug)(?=\s))`, "di"),
];

/** Finds a line's level in plain text: JSON, logfmt, brackets, klog, upper-case words, pino's and bunyan's numbers. */
export function findLevel(text: string): LevelMark | null {
  const head = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  for (const form of FORMS) {
    const range = form.exec(head)?.indices?.groups?.["level"];
    if (range === undefined) continue;
    const [start, end] = range;
    const level = levelOf(head.slice(start, end));
    if (level !== null) return { level, start, end };
  }
  return null;
}

const ABBREVIATIONS: Readonly<Record<string, LogLevel>> = { E: "error", F: "error", W: "warn", I: "info", D: "debug" };

function levelOf(word: string): LogLevel | null {
  if (/^\d+$/.test(word)) return levelOfNumber(Number(word));
  return NAMES[word.toLowerCase()] ?? ABBREVIATIONS[word] ?? null;
}

/** Tens are pino's and bunyan's scale (50 is error), single digits are syslog's (3 is error). */
function levelOfNumber(value: number): LogLevel | null {
  if (value >= 10) return value >= 50 ? "error" : value >= 40 ? "warn" : value >= 30 ? "info" : "debug";
  return value <= 3 ? "error" : value === 4 ? "warn" : value <= 6 ? "info" : value === 7 ? "debug" : null;
}

/** Whether a line continues the one before it: a stack trace, an indented block. */
export function isContinuation(text: string): boolean {
  return /^(?:(?:\t| {2,})\s*\S|\}|\]|Caused by:|Traceback |at |\.\.\. \d+ more)/.test(text);
}
