import { MINUTE_MS } from "../../contract/time.ts";
import type { SwarmTopology } from "../../observations/swarm.ts";

/** After a start a manager shows its swarm within this time, if it is watched at all. */
export const SETTLING_MS = MINUTE_MS;

/** Since when a cluster has shown each of its services and nodes, by id. Those that it shows no more are left out. */
export function shownSince(before: ReadonlyMap<string, number>, { services, nodes }: SwarmTopology, nowMs: number): Map<string, number> {
  return new Map([...services, ...nodes].map(({ id }) => [id, before.get(id) ?? nowMs]));
}

/**
 * The cluster that a service or a node belongs to: the one that showed it first. Ids are random, so two never have the same, and an agent may name those of
 * others. null when two began at the same time; undefined when none shows it.
 */
export function ownerOf(clusters: Iterable<[string, { shownMs: ReadonlyMap<string, number> }]>, id: string): string | null | undefined {
  let first: { owner: string | null; sinceMs: number } | undefined;
  for (const [owner, { shownMs }] of clusters) {
    const sinceMs = shownMs.get(id);
    if (sinceMs === undefined || (first !== undefined && sinceMs > first.sinceMs)) continue;
    first = { owner: first?.sinceMs === sinceMs ? null : owner, sinceMs };
  }
  return first?.owner;
}
