import { SCOPES } from "../../contract/scope.ts";
import type { ResourceMetric } from "../../events.ts";

export const METRICS: readonly ResourceMetric[] = ["cpu", "memory"];

/** The values that raise an alert. Percent of what is allocated; null is off. Source: specification, Container resource alert thresholds. */
export interface Thresholds {
  cpu: number | null;
  memory: number | null;
  debounceSeconds: number;
}

/** Thresholds as bodies, records and rows spell them. */
export interface SpelledThresholds {
  cpu_threshold: number | null;
  memory_threshold: number | null;
  debounce_seconds: number;
}

export function readThresholds({ cpu_threshold, memory_threshold, debounce_seconds }: SpelledThresholds): Thresholds {
  return { cpu: cpu_threshold, memory: memory_threshold, debounceSeconds: debounce_seconds };
}

export function spellThresholds({ cpu, memory, debounceSeconds }: Thresholds): SpelledThresholds {
  return { cpu_threshold: cpu, memory_threshold: memory, debounce_seconds: debounceSeconds };
}

/** How one figure of one container stands to its threshold. */
export interface ThresholdState {
  /** Exceeded for the whole debounce, and not yet back for as long. */
  fired: boolean;
  /** Since when it has been on the other side, without a break; null while it is not. */
  pendingSinceMs: number | null;
  /** The most since it went above; null while it is not above. */
  peak: number | null;
  /** The last sample; null when none is known. */
  lastMs: number | null;
}

export interface Step {
  state: ThresholdState;
  change: "fired" | "cleared" | undefined;
}

/** Beyond this nobody knows what was between two samples. Source: contract, section 5. */
export const LONGEST_GAP_MS = 35_000;

export const NOT_EXCEEDED: ThresholdState = { fired: false, pendingSinceMs: null, peak: null, lastMs: null };

/**
 * One sample more. Fires when the value was strictly above the threshold for the whole debounce, clears when it was at or below for as long. A
 * sample without a value, and a gap, break what was pending; what has fired stays until something says otherwise. A sample that is not
 * newer changes nothing. Values in percent, times in milliseconds.
 */
export function stepThreshold(
  state: ThresholdState,
  { value, atMs }: { value: number | null; atMs: number },
  { threshold, debounceMs }: { threshold: number; debounceMs: number },
): Step {
  if (state.lastMs !== null && atMs <= state.lastMs) return { state, change: undefined };
  const { fired } = state;
  if (value === null) return { state: { fired, pendingSinceMs: null, peak: fired ? state.peak : null, lastMs: atMs }, change: undefined };

  const unbroken = state.lastMs !== null && atMs - state.lastMs <= LONGEST_GAP_MS;
  const pendingSinceMs = unbroken ? state.pendingSinceMs : null;
  const above = value > threshold;
  const peakBefore = fired || pendingSinceMs !== null ? state.peak : null;
  const peak = above ? Math.max(peakBefore ?? value, value) : fired ? peakBefore : null;

  if (above === fired) return { state: { fired, pendingSinceMs: null, peak, lastMs: atMs }, change: undefined };
  const sinceMs = pendingSinceMs ?? atMs;
  if (atMs - sinceMs < debounceMs) return { state: { fired, pendingSinceMs: sinceMs, peak, lastMs: atMs }, change: undefined };
  return above
    ? { state: { fired: true, pendingSinceMs: null, peak, lastMs: atMs }, change: "fired" }
    : { state: { ...NOT_EXCEEDED, lastMs: atMs }, change: "cleared" };
}

/** A time in which a threshold was exceeded. */
export interface Breach {
  containerId: number;
  metric: ResourceMetric;
  /** Percent, as it was when it fired. */
  threshold: number;
  /** The most in it, percent. */
  peak: number;
  firedAt: Date;
  /** null while it lasts. */
  resolvedAt: Date | null;
}

export type BreachEnd = "below_threshold" | "threshold_changed" | "not_watched";

/** A breach that began, or ended for a reason. */
export interface BreachChange {
  breach: Breach;
  /** null: it began. */
  end: BreachEnd | null;
  /** Percent now; null when it is not known. */
  value: number | null;
  debounceSeconds: number;
  at: Date;
}

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
