import { compareNames } from "../../../../src/contract/words.ts";
import type { ClaimRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { formatBytes } from "../../format/bytes.ts";
import type { Status } from "../../format/status.ts";
import type { KubernetesFilter } from "./filter.ts";

/** What the filter leaves, those with problems first, then the fullest, then by name. */
export function filterClaims(claims: readonly ClaimRecord[], { q, cluster, namespace, state }: KubernetesFilter): ClaimRecord[] {
  const text = q?.toLowerCase();
  return claims
    .filter(
      (claim) =>
        (cluster === undefined || claim.cluster_id === cluster) &&
        (namespace === undefined || claim.namespace === namespace) &&
        (state === undefined || claim.phase === state) &&
        (text === undefined || `${claim.namespace}/${claim.name}\n${claim.storage_class ?? ""}`.toLowerCase().includes(text)),
    )
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) ||
        (other.used_percent ?? -1) - (one.used_percent ?? -1) ||
        compareNames(`${one.namespace}/${one.name}`, `${other.namespace}/${other.name}`),
    );
}

function rank(claim: ClaimRecord): number {
  const { status } = claimStatus(claim);
  return status === "down" ? 0 : status === "degraded" ? 1 : 2;
}

/** How a claim is, and why. */
export function claimStatus({ phase, problems }: Pick<ClaimRecord, "phase" | "problems">): {
  status: Status;
  word: string;
  cause: string | undefined;
  since: undefined;
} {
  const problem = problems[0];
  const cause = problem?.message;
  if (phase === "Lost") return { status: "down", word: "Lost", cause: cause ?? "its volume is gone", since: undefined };
  if (problem !== undefined) {
    const isCritical = problem.severity === "critical";
    return { status: isCritical ? "down" : "degraded", word: isCritical ? "Nearly full" : "Filling up", cause, since: undefined };
  }
  return { status: phase === "Bound" ? "ok" : "idle", word: phase, cause: undefined, since: undefined };
}

/** `1.2 of 10.0 GiB`; what is not known is left out. */
export function fillText({ used_bytes: used, size_bytes: size, capacity_bytes: capacity }: ClaimFill): string {
  const whole = size ?? capacity;
  if (used === null) return whole === null ? "size not known" : formatBytes(whole);
  return whole === null ? formatBytes(used) : `${formatBytes(used)} of ${formatBytes(whole)}`;
}
type ClaimFill = Pick<ClaimRecord, "used_bytes" | "size_bytes" | "capacity_bytes">;
