import { type Log, silentLog } from "../../src/platform/log.ts";

/** A log that keeps its lines with level and fields. */
export interface LogCapture {
  log: Log;
  /** All of it, a line each. */
  text(): string;
}

export function createLogCapture(): LogCapture {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log: Log = { ...silentLog, info: keep("info"), warn: keep("warn"), error: keep("error"), child: () => log };
  return { log, text: () => lines.join("\n") };
}
