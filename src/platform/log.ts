import { pino } from "pino";
import { isObject } from "./object.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The program's log: constant messages, with values as fields; never a payload, a token or a URL with credentials. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A log with the name of a part of the program. */
  child(fields: { component: string }): Log;
}

export interface LogOptions {
  level: LogLevel;
  /** `pretty` is for people at a terminal, `json` for everything else. */
  format: "json" | "pretty";
  /** Standard error by default: standard output belongs to commands that print a result. */
  destination?: { write(line: string): void };
}

export function createLog({ level, format, destination = process.stderr }: LogOptions): Log {
  const target = format === "pretty" ? { write: (line: string) => destination.write(prettyLine(line)) } : destination;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ["token", "password", "authorization", "secret", "*.token", "*.password", "*.authorization", "*.secret"],
        censor: "***",
      },
    },
    target,
  );
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

function prettyLine(line: string): string {
  const { time, level, component, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${plain(value)}`);
  const thrown = isObject(err) && typeof err["stack"] === "string" ? err["stack"].split("\n") : err === undefined ? [] : [plain(err)];
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${component === undefined ? "" : `${plain(component)}: `}`;
  return `${[`${head}${plain(msg)}${rest.length > 0 ? " " : ""}${rest.join("")}`, ...thrown.map(plain)].join("\n")}\n`;
}

/** A value on one line that cannot control the terminal: names and messages come from outside. */
function plain(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}
