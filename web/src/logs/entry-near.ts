import type { Finder } from "./find.ts";
import type { LogEntry } from "./log-model.ts";

/**
 * The line of a moment: the last one until then that has what is looked for, else the first one that was written then or after it, else the last of all. Undefined
 * where all lines were written after the moment.
 */
export function entryNear(entries: Iterable<LogEntry>, atMs: number, finder: Finder | null): number | undefined {
  let found: number | undefined;
  let last: number | undefined;
  for (const entry of entries) {
    if ("note" in entry || entry.time === null) continue;
    if (entry.time > atMs) return found ?? (last === undefined ? undefined : entry.id);
    if (finder?.isIn(entry.plain) === true) found = entry.id;
    else if (entry.time === atMs && found === undefined) return entry.id;
    last = entry.id;
  }
  return found ?? last;
}
