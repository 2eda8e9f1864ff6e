import type { LogLine } from "../../../runtimes/runtime.ts";
import type { StoredFound } from "./find.ts";

/** The last lines of what `search` visits, which goes from the newest chunk to the oldest until `ends`; oldest first. */
export async function findLastLines(
  lines: number,
  search: (visit: (found: StoredFound) => void, ends: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<LogLine[]> {
  const enough = new AbortController();
  const found: StoredFound[] = [];
  function visit(line: StoredFound): void {
    found.push(line);
    if (found.length >= lines) enough.abort();
  }
  await search(visit, AbortSignal.any([signal, enough.signal]));
  return found
    .sort((one, other) => one.atMs - other.atMs || one.ordinal - other.ordinal)
    .slice(-lines)
    .map((line) => line.readLine());
}
