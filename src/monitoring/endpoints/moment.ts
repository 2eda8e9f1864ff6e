import type { Whose } from "../../platform/look-back.ts";
import { nextTurnWhenDue } from "../../platform/clock.ts";
import type { Head, Check } from "./checks/head.ts";
import { type CheckHistory, inOrderOnce } from "./checks/history.ts";
import type { CheckStore } from "./checks/store.ts";
import type { Pauses, PausesUntil } from "../pause-store.ts";
import { shownTarget } from "./definition.ts";
import { longestMs, type SavedEndpoint, type Thresholds } from "./endpoint.ts";
import type { Projection } from "./projection.ts";

/** How an endpoint was at a moment, by the checks that are kept. Its name, target and host are those that it has now. */
export interface EndpointAt {
  id: number;
  agentId: string | null;
  name: string;
  target: string;
  /** `stopped`: paused. Whether a certificate made it degraded, the checks of that certificate say. */
  status: "up" | "down" | "stopped" | "unknown";
  /** null: it was not paused then. */
  pausedSince: Date | null;
  /** The last check until then that says something of it. */
  lastCheck: Check | null;
  /** The first check that is kept. */
  knownSince: Date | null;
}

export type MomentOfEndpoints = (at: Date, whose: Whose) => Promise<EndpointAt[]>;

/** Chunks that are read at once. */
const BATCH = 200;

export function createMoment({
  projection,
  head,
  store,
  history,
  pauses,
}: {
  projection: Pick<Projection, "all">;
  head: Pick<Head, "of">;
  store: Pick<CheckStore, "lastUntil" | "spansByChunk">;
  history: Pick<CheckHistory, "byChunk">;
  pauses: Pick<Pauses, "until">;
}): MomentOfEndpoints {
  return async (at, whose) => {
    const atMs = at.getTime();
    const asked = [...projection.all()].filter(
      ({ agentId, createdAt, inactiveSince }) =>
        (whose === undefined || agentId === whose) && createdAt <= at && (inactiveSince === null || inactiveSince > at),
    );
    // The head is read first: what is sealed meanwhile is then seen twice, which is harmless.
    const fresh = new Map(asked.map(({ id }) => [id, head.of(id)]));
    const [kept, pausesOf] = await Promise.all([store.lastUntil(atMs), pauses.until(at)]);
    const found: EndpointAt[] = [];

    /** Where the checks until then are, of those that began last. */
    async function piecesOf(endpoints: readonly SavedEndpoint[]): Promise<Map<number, Piece[]>> {
      const spans = await store.spansByChunk(endpoints.flatMap(({ id }) => kept.get(id)?.chunks ?? []));
      return new Map(
        endpoints.map(({ id }) => {
          const sealed = (kept.get(id)?.chunks ?? []).flatMap((chunk): Piece[] => {
            const span = spans.get(chunk);
            return span === undefined ? [] : [{ ...span, chunk }];
          });
          const own = (fresh.get(id) ?? []).filter((check) => check.atMs <= atMs);
          return [id, own.length === 0 ? sealed : [...sealed, freshPiece(own)]];
        }),
      );
    }

    for (let from = 0; from < asked.length; from += BATCH) {
      const some = asked.slice(from, from + BATCH);
      const pieces = await piecesOf(some);
      const latest = new Map(some.map(({ id }) => [id, latestOf(pieces.get(id) ?? [])]));
      const chunks = await history.byChunk(some.flatMap(({ id }) => chunksOf(latest.get(id))));
      const checksOf = (of: readonly Piece[] | undefined): Check[] =>
        inOrderOnce(
          (of ?? [])
            .flatMap((piece) => ("chunk" in piece ? (chunks.get(piece.chunk) ?? []) : piece.fresh))
            .filter((check) => check.atMs <= atMs),
        );
      const open = some.filter(({ id, check }) => !judge(checksOf(latest.get(id)), check, longestMs(check)).isDecided);
      // Few endpoints need what came before.
      const missing = open.flatMap(({ id }) => chunksOf(pieces.get(id)).filter((each) => !chunks.has(each)));
      for (const [chunk, checks] of await history.byChunk(missing)) chunks.set(chunk, checks);
      const isOpen = new Set(open);
      for (const endpoint of some) {
        const own = fresh.get(endpoint.id) ?? [];
        const checks = checksOf((isOpen.has(endpoint) ? pieces : latest).get(endpoint.id));
        const firstMs = Math.min(kept.get(endpoint.id)?.firstMs ?? Infinity, ...own.map((check) => check.atMs));
        const knownSince = firstMs === Infinity ? null : new Date(firstMs);
        found.push(endpointAt(endpoint, at, { checks, knownSince, pause: pausesOf(endpoint.id) }));
      }
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
    return found;
  };
}

/** Where some checks of an endpoint are: in a chunk, or in memory. */
type Piece = { startMs: number; endMs: number } & ({ chunk: number } | { fresh: readonly Check[] });

function freshPiece(fresh: readonly Check[]): Piece {
  let [startMs, endMs] = [Infinity, -Infinity];
  for (const { atMs } of fresh) [startMs, endMs] = [Math.min(startMs, atMs), Math.max(endMs, atMs)];
  return { startMs, endMs, fresh };
}

function chunksOf(pieces: readonly Piece[] | undefined): number[] {
  return (pieces ?? []).flatMap((piece) => ("chunk" in piece ? [piece.chunk] : []));
}

/** The pieces that hold the last checks: the one that began last, and those that overlap it, as where checks came late. */
function latestOf(pieces: readonly Piece[]): Piece[] {
  const latest: Piece[] = [];
  let fromMs = Infinity;
  for (const piece of pieces.toSorted((a, b) => b.startMs - a.startMs)) {
    if (latest.length > 0 && piece.endMs < fromMs) continue;
    latest.push(piece);
    fromMs = Math.min(fromMs, piece.startMs);
  }
  return latest;
}

/** What was checked before a pause speaks for nothing after it. */
function endpointAt(
  { id, agentId, name, check }: SavedEndpoint,
  at: Date,
  { checks, knownSince, pause }: { checks: readonly Check[]; knownSince: Date | null; pause: PausesUntil },
): EndpointAt {
  const { pausedSince, resumedAt } = pause;
  const lastCheck = checks.findLast(({ observed }) => observed) ?? null;
  const is = { id, agentId, name, target: shownTarget(check), lastCheck, knownSince, pausedSince };
  if (pausedSince !== null) return { ...is, status: "stopped" };
  const counted = resumedAt === null ? checks : checks.filter(({ atMs }) => atMs >= resumedAt.getTime());
  const last = counted.findLast(({ observed }) => observed);
  const speaks = last !== undefined && at.getTime() - last.atMs <= longestMs(check);
  return { ...is, status: speaks ? judge(counted, check, longestMs(check)).status : "unknown" };
}

/**
 * What checks in order make of an endpoint of which nothing was known before the first of them. After a gap nothing is known again. One that
 * succeeds and fails without reaching a threshold may have been down before: that is `unknown`. `isDecided`: checks before the first of these
 * would change nothing, since a threshold was reached among them, or a gap lies between them.
 */
export function judge(
  checks: readonly Check[],
  { failureThreshold, recoveryThreshold }: Thresholds,
  longest: number,
): { status: "up" | "down" | "unknown"; isDecided: boolean } {
  let status: "up" | "down" | "unknown" = "unknown";
  let isDecided = false;
  let [failures, successes] = [0, 0];
  let hasFailed = false;
  let lastMs = -Infinity;
  for (const { atMs, observed, success, wentDown } of checks) {
    if (!observed) continue;
    if (atMs - lastMs > longest) {
      isDecided ||= lastMs !== -Infinity;
      [status, failures, successes, hasFailed] = ["unknown", 0, 0, false];
    }
    lastMs = atMs;
    failures = success ? 0 : failures + 1;
    successes = success ? successes + 1 : 0;
    hasFailed ||= !success;
    if (wentDown || failures >= failureThreshold) status = "down";
    else if (successes >= recoveryThreshold) status = "up";
    isDecided ||= status !== "unknown";
  }
  // A first success is believed, as long as nothing speaks against it.
  return { status: status === "unknown" && successes > 0 && !hasFailed ? "up" : status, isDecided };
}
