import type { Log } from "../../../platform/log.ts";
import type { Head, Check } from "./head.ts";
import { type CheckStore, type ChunkSpan, CorruptBytes } from "./store.ts";

/** The checks of endpoints, wherever they are kept. */
export interface CheckHistory {
  /** What some chunks hold, by chunk; corrupt ones are logged and left out. */
  byChunk(ids: readonly number[]): Promise<Map<number, Check[]>>;
  /** Those of a range, both ends with it, oldest first. */
  range(endpointId: number, range: TimeRange): Promise<Check[]>;
  /** The same a part at a time, so that a month can be read without holding anybody up. Parts may overlap in time where checks came late. */
  parts(endpointId: number, range: TimeRange): AsyncIterable<Check[]>;
  /** Some of a range, newest first, and how many there are. */
  page(endpointId: number, page: TimeRange & { limit: number; offset: number }): Promise<{ checks: Check[]; total: number }>;
}

export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** Chunks read at once. */
const CHUNKS_AT_ONCE = 50;

/** A stretch of time whose checks are in these places alone. */
interface Stretch extends TimeRange {
  chunks: number[];
  /** Checks of the head. */
  fresh: Check[];
  /** How many there are, while no two places may hold the same. */
  count: number | undefined;
}

export function createCheckHistory({ store, head, log }: { store: CheckStore; head: Head; log: Log }): CheckHistory {
  async function byChunk(ids: readonly number[]): Promise<Map<number, Check[]>> {
    const found = new Map<number, Check[]>();
    for (const { id, checks } of await store.chunks(ids)) {
      try {
        found.set(id, checks());
      } catch (error) {
        if (!(error instanceof CorruptBytes)) throw error;
        log.warn({ chunk: id, reason: error.message }, "corrupt checks left out");
      }
    }
    return found;
  }

  async function decode(ids: readonly number[]): Promise<Check[]> {
    return [...(await byChunk(ids)).values()].flat();
  }

  /** The head is read first: what is sealed meanwhile is then seen twice, which is harmless, and never missed. */
  async function stretches(endpointId: number, range: TimeRange): Promise<Stretch[]> {
    const fresh = head.of(endpointId, range);
    return joinOverlapping(await store.spans(endpointId, range), fresh, range);
  }

  async function checksOf({ chunks, fresh }: Stretch, range: TimeRange): Promise<Check[]> {
    const checks = [...(await decode(chunks)).filter(({ atMs }) => isWithin(atMs, range)), ...fresh];
    return inOrderOnce(checks);
  }

  async function* parts(endpointId: number, range: TimeRange): AsyncGenerator<Check[]> {
    const fresh = head.of(endpointId, range);
    const ids = (await store.spans(endpointId, range)).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += CHUNKS_AT_ONCE) {
      yield (await decode(ids.slice(from, from + CHUNKS_AT_ONCE))).filter(({ atMs }) => isWithin(atMs, range));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (fresh.length > 0) yield fresh;
  }

  return {
    byChunk,
    parts,
    async range(endpointId, range) {
      const checks: Check[] = [];
      for await (const part of parts(endpointId, range)) checks.push(...part);
      return inOrderOnce(checks);
    },
    async page(endpointId, { limit, offset, ...range }) {
      const checks: Check[] = [];
      let total = 0;
      for (const stretch of (await stretches(endpointId, range)).toReversed()) {
        const isWanted = stretch.count === undefined || (total + stretch.count > offset && total < offset + limit);
        if (!isWanted) {
          total += stretch.count ?? 0;
          continue;
        }
        const found = (await checksOf(stretch, range)).toReversed();
        checks.push(...found.slice(Math.max(offset - total, 0), Math.max(offset + limit - total, 0)));
        total += found.length;
      }
      return { checks, total };
    },
  };
}

/** Chunks and fresh checks that overlap in time belong together. One chunk that lies wholly in the range is as long as it says. */
function joinOverlapping(spans: readonly ChunkSpan[], fresh: readonly Check[], range: TimeRange): Stretch[] {
  const freshTimes = fresh.map(({ atMs }) => atMs);
  const pieces: Stretch[] = spans.map(({ id, startMs, endMs, checks }) => ({
    fromMs: startMs,
    toMs: endMs,
    chunks: [id],
    fresh: [],
    count: startMs >= range.fromMs && endMs <= range.toMs ? checks : undefined,
  }));
  if (fresh.length > 0)
    pieces.push({ fromMs: Math.min(...freshTimes), toMs: Math.max(...freshTimes), chunks: [], fresh: [...fresh], count: undefined });
  const joined: Stretch[] = [];
  for (const piece of pieces.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last === undefined || piece.fromMs > last.toMs) {
      joined.push(piece);
      continue;
    }
    last.toMs = Math.max(last.toMs, piece.toMs);
    last.chunks.push(...piece.chunks);
    last.fresh.push(...piece.fresh);
    last.count = undefined;
  }
  return joined;
}

/** By time; one that is in two places once. */
export function inOrderOnce(checks: readonly Check[]): Check[] {
  const sorted = checks.toSorted((a, b) => a.atMs - b.atMs);
  return sorted.filter(({ atMs }, index) => index === 0 || sorted[index - 1]?.atMs !== atMs);
}

function isWithin(atMs: number, { fromMs, toMs }: TimeRange): boolean {
  return atMs >= fromMs && atMs <= toMs;
}
