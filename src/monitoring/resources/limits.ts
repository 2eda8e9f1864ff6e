import { SCOPES } from "../../contract/scope.ts";
import type { Thresholds } from "./threshold.ts";

/** A group by its name; a host as `local`, or the id of its agent. */
export interface ThresholdScope {
  type: (typeof SCOPES)[keyof typeof SCOPES];
  id: string;
}

export interface ScopeThresholds {
  scope: ThresholdScope;
  thresholds: Thresholds;
}

/** Thresholds that hold for a container, and for what they were set. */
export interface Applied {
  thresholds: Thresholds;
  source: ThresholdScope | { type: "container"; id: string };
}

/** Thresholds that are set, or taken away by null. */
export type LimitChange =
  | { kind: "container"; id: number; thresholds: Thresholds | null }
  | { kind: "scope"; scope: ThresholdScope; thresholds: Thresholds | null };

/** Where a container is now; undefined of one that is not known. */
export type PlaceOf = (containerId: number) => { group: string; agentId: string | null } | undefined;

/** All thresholds that are set, in memory. To a container its own apply, else those of its group, else those of its host. */
export interface Limits {
  load(own: ReadonlyMap<number, Thresholds>, scopes: readonly ScopeThresholds[]): void;
  isEmpty(): boolean;
  /** What applies to a container now; undefined: nothing is watched. */
  of(id: number): Applied | undefined;
  /** What would without its own. */
  inherited(id: number): Applied | undefined;
  has(id: number): boolean;
  ids(): Iterable<number>;
  scopes(): ScopeThresholds[];
  /** What would apply after a change. */
  after(change: LimitChange): (id: number) => Applied | undefined;
  keep(change: LimitChange): void;
}

export function createLimits(placeOf: PlaceOf): Limits {
  const own = new Map<number, Thresholds>();
  const scopes = { [SCOPES.group]: new Map<string, Thresholds>(), [SCOPES.host]: new Map<string, Thresholds>() };

  function inherited(id: number, change?: LimitChange): Applied | undefined {
    const place = placeOf(id);
    if (place === undefined) return undefined;
    return ofScope({ type: SCOPES.group, id: place.group }, change) ?? ofScope({ type: SCOPES.host, id: place.agentId ?? "local" }, change);
  }

  function ofScope(scope: ThresholdScope, change: LimitChange | undefined): Applied | undefined {
    const isChanged = change?.kind === "scope" && change.scope.type === scope.type && change.scope.id === scope.id;
    const thresholds = isChanged ? change.thresholds : scopes[scope.type].get(scope.id);
    return thresholds == null ? undefined : { thresholds, source: scope };
  }

  function applied(id: number, change?: LimitChange): Applied | undefined {
    const thresholds = change?.kind === "container" && change.id === id ? change.thresholds : own.get(id);
    return thresholds == null ? inherited(id, change) : { thresholds, source: { type: "container", id: String(id) } };
  }

  return {
    load(ofContainers, ofScopes) {
      for (const [id, thresholds] of ofContainers) own.set(id, thresholds);
      for (const { scope, thresholds } of ofScopes) scopes[scope.type].set(scope.id, thresholds);
    },
    isEmpty: () => own.size + scopes[SCOPES.group].size + scopes[SCOPES.host].size === 0,
    of: (id) => applied(id),
    inherited: (id) => inherited(id),
    has: (id) => own.has(id),
    ids: () => own.keys(),
    scopes: () =>
      [SCOPES.group, SCOPES.host].flatMap((type) => [...scopes[type]].map(([id, thresholds]) => ({ scope: { type, id }, thresholds }))),
    after: (change) => (id) => applied(id, change),
    keep(change) {
      if (change.kind === "container") put(own, change.id, change.thresholds);
      else put(scopes[change.scope.type], change.scope.id, change.thresholds);
    },
  };
}

function put<Key>(map: Map<Key, Thresholds>, key: Key, thresholds: Thresholds | null): void {
  if (thresholds === null) map.delete(key);
  else map.set(key, thresholds);
}
