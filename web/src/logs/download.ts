import { formatCount } from "../format/number.ts";
import type { LogEntry, LogModel } from "./log-model.ts";

/** Gives what is kept of a log to the browser as a text file: times in UTC, no colours. */
export function downloadLog(model: LogModel, name: string): void {
  const { dropped } = model.snapshot();
  const lines = dropped === 0 ? [] : [`--- ${formatCount(dropped)} older lines are not included ---\n`];
  for (const entry of model.entries()) lines.push(`${textOf(entry)}\n`);
  const url = URL.createObjectURL(new Blob(lines, { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name, new Date());
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function textOf(entry: LogEntry): string {
  const time = entry.time === null ? "" : `${new Date(entry.time).toISOString()} `;
  if ("note" in entry) return `${time}--- ${entry.note} ---`;
  const source = entry.source === undefined ? "" : `${entry.source.name}@${entry.source.node ?? "?"} `;
  return `${time}${source}${entry.stream} ${entry.plain}`;
}

/** `shop_api-1 2026-01-01 04.12.07.log`: what every file system takes. */
export function fileName(name: string, at: Date): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) || "container";
  return `${safe} ${at.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".")}.log`;
}
