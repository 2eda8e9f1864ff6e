import { type FieldCondition, meetsConditions } from "../../contract/field-filter.ts";
import { readFields } from "../../contract/log-fields.ts";
import type { LOG_LEVEL_FILTERS } from "../../contract/log.ts";
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

export type Order = "newest" | "oldest";

/** How two places compare where lines come newest or oldest first. */
export function comparePlaces(order: Order): (one: Place, other: Place) => number {
  const sign = order === "newest" ? -1 : 1;
  return (one, other) => sign * (one.atMs - other.atMs || one.containerId - other.containerId || one.ordinal - other.ordinal);
}

/** A line that was found. */
export interface Found extends Place {
  line: LogLine;
  level: LogLevel | null;
}

/** What is looked for. */
export interface Wanted {
  text: string | undefined;
  level: (typeof LOG_LEVEL_FILTERS)[number] | undefined;
  /** Of the fields of a line; none: any line. */
  conditions: readonly FieldCondition[];
  sinceMs: number;
  untilMs: number;
  order: Order;
}

/** What is looked for from a place on, in the order of the lines. */
export function wantedBehind(wanted: Wanted, place: Place | undefined): Wanted {
  if (place === undefined) return wanted;
  return wanted.order === "newest"
    ? { ...wanted, untilMs: Math.min(wanted.untilMs, place.atMs + 1) }
    : { ...wanted, sinceMs: Math.max(wanted.sinceMs, place.atMs) };
}

/** Takes the lines of one container in their order, and answers those that are looked for. */
export function createLineFilter(
  containerId: number,
  { text, level, conditions, sinceMs, untilMs }: Omit<Wanted, "order">,
): (line: LogLine) => Found | undefined {
  const needle = text?.toLowerCase();
  const levelOf = createLevelReader();
  let atMs = Number.NEGATIVE_INFINITY;
  let ordinal = 0;

  return (line) => {
    const plain = withoutColours(line.text);
    const readLevel = levelOf(plain, line.stream);
    const before = atMs;
    // A line of which the runtime does not say when it was written stands beside the one before it.
    atMs = line.timestamp?.getTime() ?? (before === Number.NEGATIVE_INFINITY ? 0 : before);
    ordinal = atMs === before ? ordinal + 1 : 0;
    if (atMs < sinceMs || atMs >= untilMs) return undefined;
    if (needle !== undefined && !plain.toLowerCase().includes(needle)) return undefined;
    if (!hasFields(plain, conditions)) return undefined;
    const place = { atMs, containerId, ordinal };
    const found = readLevel();
    return passesLevel(found, level) ? { ...place, line, level: found } : undefined;
  };
}

/** Takes all lines of one container without colours, in order, and answers how to read the level of each: that of the line which it continues, if it names none. */
export function createLevelReader(): (plain: string, stream: LogLine["stream"]) => () => LogLevel | null {
  /** Of each stream the last line that continues none. */
  const heads = new Map<LogLine["stream"], string>();
  return (plain, stream) => {
    if (!isContinuation(plain)) heads.set(stream, plain);
    const head = heads.get(stream);
    return () => findLevel(plain)?.level ?? levelOfHead(plain, head);
  };
}

function levelOfHead(plain: string, head: string | undefined): LogLevel | null {
  if (head === undefined || head === plain) return null;
  return findLevel(head)?.level ?? null;
}

/** Whether the fields of a line without colours meet all conditions. */
export function hasFields(plain: string, conditions: readonly FieldCondition[]): boolean {
  if (conditions.length === 0) return true;
  const fields = readFields(plain);
  return fields !== null && meetsConditions(fields, conditions);
}

/** Whether a level is at least as serious as is asked for. */
export function passesLevel(level: LogLevel | null, wanted: Wanted["level"]): boolean {
  if (wanted === undefined) return true;
  if (wanted === "info") return level !== "debug";
  return level === "error" || (wanted === "warn" && level === "warn");
}

/** The first lines of several containers, in one order. */
export interface FirstLines {
  /** Whether a line at this place stands behind the place where they begin. */
  isBehind(place: Place): boolean;
  /** Whether a line at this place may be among them. */
  wants(place: Place): boolean;
  /** Whether there are enough, so that no line of this moment or beyond it can be among them. */
  areWholeBefore(atMs: number): boolean;
  add(found: Found): void;
  read(): Found[];
}

/** Keeps so many of the first lines behind a place, without one from the beginning. */
export function createFirstLines({ order, behind, most }: { order: Order; behind: Place | undefined; most: number }): FirstLines {
  const compare = comparePlaces(order);
  let kept: Found[] = [];
  /** Once there are enough, what stands behind the last of them need not be kept. */
  let last: Place | undefined;

  function settle(): void {
    kept = kept.toSorted(compare).slice(0, most);
    if (kept.length === most) last = kept.at(-1);
  }

  const isBehind = (place: Place): boolean => behind === undefined || compare(place, behind) > 0;
  const wants = (place: Place): boolean => isBehind(place) && (last === undefined || compare(place, last) <= 0);

  return {
    isBehind,
    wants,
    areWholeBefore(atMs) {
      settle();
      return last !== undefined && (order === "newest" ? last.atMs > atMs : last.atMs < atMs);
    },
    add(found) {
      if (!wants(found)) return;
      kept.push(found);
      if (kept.length >= 2 * most) settle();
    },
    read() {
      settle();
      return kept;
    },
  };
}
