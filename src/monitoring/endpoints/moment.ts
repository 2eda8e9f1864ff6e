import type { Whose } from "../../platform/look-back.ts";
import { nextTurnWhenDue } from "../../platform/time-slice.ts";
import type { Head, Check } from "./checks/head.ts";
import { type CheckHistory, inOrderOnce } from "./checks/history.ts";
import type { CheckStore } from "./checks/store.ts";
import { longestMs, type SavedEndpoint, type Thresholds } from "./endpoint.ts";
import type { Projection } from "./projection.ts";

/** How an endpoint was at a moment, by the checks that are kept. Its name, target and host are those that it has now. */
export interface EndpointAt {
  id: number;
  agentId: string | null;
  name: string;
  target: string;
  /** `stopped`: paused since before it. Whether a certificate made it degraded is not kept. */
  status: "up" | "down" | "stopped" | "unknown";
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
}: {
  projection: Pick<Projection, "all">;
  head: Pick<Head, "of">;
  store: Pick<CheckStore, "lastUntil">;
  history: Pick<CheckHistory, "byChunk">;
}): MomentOfEndpoints {
  return async (at, whose) => {
    const atMs = at.getTime();
    const asked = [...projection.all()].filter(
      ({ agentId, createdAt, inactiveSince }) =>
        (whose === undefined || agentId === whose) && createdAt <= at && (inactiveSince === null || inactiveSince > at),
    );
    // The head is read first: what is sealed meanwhile is then seen twice, which is harmless.
    const fresh = new Map(asked.map(({ id }) => [id, head.of(id)]));
    const kept = await store.lastUntil(atMs);
    const found: EndpointAt[] = [];
    for (let from = 0; from < asked.length; from += BATCH) {
      const some = asked.slice(from, from + BATCH);
      const chunks = await history.byChunk(some.flatMap(({ id }) => kept.get(id)?.chunks ?? []));
      for (const endpoint of some) {
        const own = fresh.get(endpoint.id) ?? [];
        const sealed = (kept.get(endpoint.id)?.chunks ?? []).flatMap((id) => chunks.get(id) ?? []);
        const checks = [...sealed, ...own].filter((check) => check.atMs <= atMs);
        const firstMs = Math.min(kept.get(endpoint.id)?.firstMs ?? Infinity, ...own.map((check) => check.atMs));
        const knownSince = firstMs === Infinity ? null : new Date(firstMs);
        found.push(endpointAt(endpoint, at, { checks: inOrderOnce(checks), knownSince }));
      }
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
    return found;
  };
}

function endpointAt(
  { id, agentId, name, check, paused, state }: SavedEndpoint,
  at: Date,
  { checks, knownSince }: { checks: readonly Check[]; knownSince: Date | null },
): EndpointAt {
  const lastCheck = checks.findLast(({ observed }) => observed) ?? null;
  const is = { id, agentId, name, target: check.target, lastCheck, knownSince };
  if (paused && state.statusSince <= at) return { ...is, status: "stopped" };
  const speaks = lastCheck !== null && at.getTime() - lastCheck.atMs <= longestMs(check);
  return { ...is, status: speaks ? statusBy(checks, check, longestMs(check)) : "unknown" };
}

/**
 * What checks in order make of an endpoint of which nothing was known before the first of them. After a gap nothing is known again. One that
 * succeeds and fails without reaching a threshold may have been down before: that is `unknown`.
 */
export function statusBy(
  checks: readonly Check[],
  { failureThreshold, recoveryThreshold }: Thresholds,
  longest: number,
): "up" | "down" | "unknown" {
  let status: "up" | "down" | "unknown" = "unknown";
  let [failures, successes] = [0, 0];
  let hasFailed = false;
  let lastMs = -Infinity;
  for (const { atMs, observed, success, wentDown } of checks) {
    if (!observed) continue;
    if (atMs - lastMs > longest) [status, failures, successes, hasFailed] = ["unknown", 0, 0, false];
    lastMs = atMs;
    failures = success ? 0 : failures + 1;
    successes = success ? successes + 1 : 0;
    hasFailed ||= !success;
    if (wentDown || failures >= failureThreshold) status = "down";
    else if (successes >= recoveryThreshold) status = "up";
  }
  // A first success is believed, as long as nothing speaks against it.
  return status === "unknown" && successes > 0 && !hasFailed ? "up" : status;
}
