import { type LogLevel, findLevel, isContinuation } from "../../contract/log-level.ts";
import { withoutColours } from "../../platform/text.ts";
import type { LogLine } from "../../runtimes/runtime.ts";

/** Where a line stands among the lines of all containers. */
export interface Place {
  atMs: number;
  containerId: number;
  /** Among the lines of its container that have the same time. */
  ordinal: number;
}

/** Newest first. */
export function comparePlaces(one: Place, other: Place): number {
  return other.atMs - one.atMs || other.containerId - one.containerId || other.ordinal - one.ordinal;
}

/** A line that was found. */
export interface Found extends Place {
  line: LogLine;
  level: LogLevel | null;
}

/** What is looked for. */
export interface Wanted {
  text: string | undefined;
  level: "error" | "warn" | "info" | undefined;
  sinceMs: number;
  untilMs: number;
  /** Only what stands behind this place. */
  behind: Place | undefined;
}

/** Takes the lines of one container in their order, and answers those that are looked for. */
export function createLineFilter(
  containerId: number,
  { text, level, sinceMs, untilMs, behind }: Wanted,
): (line: LogLine) => Found | undefined {
  const needle = text?.toLowerCase();
  /** Of each stream the last line that continues none: its level is that of what continues it. */
  const heads = new Map<LogLine["stream"], string>();
  let atMs = Number.NEGATIVE_INFINITY;
  let ordinal = 0;

  return (line) => {
    const plain = withoutColours(line.text);
    if (!isContinuation(plain)) heads.set(line.stream, plain);
    const before = atMs;
    // A line of which the runtime does not say when it was written stands beside the one before it.
    atMs = line.timestamp?.getTime() ?? (before === Number.NEGATIVE_INFINITY ? 0 : before);
    ordinal = atMs === before ? ordinal + 1 : 0;
    if (atMs < sinceMs || atMs >= untilMs) return undefined;
    if (needle !== undefined && !plain.toLowerCase().includes(needle)) return undefined;
    const place = { atMs, containerId, ordinal };
    if (behind !== undefined && comparePlaces(place, behind) <= 0) return undefined;
    const found = findLevel(plain)?.level ?? levelOfHead(plain, heads.get(line.stream));
    return passes(found, level) ? { ...place, line, level: found } : undefined;
  };
}

function levelOfHead(plain: string, head: string | undefined): LogLevel | null {
  if (head === undefined || head === plain) return null;
  return findLevel(head)?.level ?? null;
}

function passes(level: LogLevel | null, wanted: Wanted["level"]): boolean {
  if (wanted === undefined) return true;
  if (wanted === "info") return level !== "debug";
  return level === "error" || (wanted === "warn" && level === "warn");
}

/** The newest of two lists, newest first. */
export function newestOf(one: readonly Found[], other: readonly Found[], most: number): Found[] {
  return [...one, ...other].toSorted(comparePlaces).slice(0, most);
}
