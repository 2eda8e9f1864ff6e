import { SCOPES } from "../../contract/scope.ts";
import { THRESHOLD_BOUNDS } from "../../contract/thresholds.ts";
import { refuseFaults, ServiceError } from "../../platform/errors.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { ScopeParams, ThresholdsBody } from "./api.ts";
import type { ScopeThresholds as ScopeRecord } from "./answers.ts";
import { type ScopeThresholds, readThresholds, spellThresholds, type ThresholdScope } from "./limits.ts";
import type { ThresholdWatch } from "./thresholds.ts";

/** Thresholds for all containers of a group or a host. */
export interface ScopeThresholdService {
  /** With a host: without those of other hosts. */
  scopeList(agentId: string | null | undefined): ScopeRecord[];
  /** Throws `not_found` when none are set, as the last one does. */
  scopeThresholds(scope: ScopeParams): ScopeRecord;
  /** A group need not have any container yet. Throws `unusable_values` for a host that is not known, and `conflict` when there are too many. */
  setScopeThresholds(scope: ScopeParams, body: ThresholdsBody): Promise<ScopeRecord>;
  clearScopeThresholds(scope: ScopeParams): Promise<void>;
}

export function createScopeThresholds({
  thresholds: { limits, exceeded, set },
  present,
  isHostKnown,
}: {
  thresholds: ThresholdWatch;
  present: PresentContainers;
  isHostKnown(agentId: string | null): boolean;
}): ScopeThresholdService {
  /** To whom each applies now, by type and name. */
  function appliedTo(): Map<string, number[]> {
    return Map.groupBy([...present.ids()].filter(isWatched), (id) => keyOf(limits.of(id)?.source));
  }

  function isWatched(id: number): boolean {
    return present.get(id)?.settings.ignored === false;
  }

  function record({ scope, thresholds }: ScopeThresholds, applied: ReadonlyMap<string, readonly number[]>): ScopeRecord {
    const containers = applied.get(keyOf(scope)) ?? [];
    const over = exceeded();
    return {
      entity_type: scope.type,
      entity_id: scope.id,
      ...spellThresholds(thresholds),
      containers: containers.length,
      exceeded: containers.filter((id) => over.has(id)).length,
    };
  }

  function find(scope: ThresholdScope): ScopeRecord | undefined {
    const found = limits.scopes().find((each) => keyOf(each.scope) === keyOf(scope));
    return found && record(found, appliedTo());
  }

  function get(params: ScopeParams): ScopeRecord {
    const found = find(readScope(params));
    if (found === undefined) throw new ServiceError("not_found", `No thresholds are set for the ${nameOf(readScope(params))}.`);
    return found;
  }

  function refuseUnknown(scope: ThresholdScope): void {
    const isUnknown = scope.type === SCOPES.host && !isHostKnown(scope.id === "local" ? null : scope.id);
    refuseFaults(isUnknown ? [{ path: "entity_id", message: `There is no ${nameOf(scope)}` }] : []);
    const others = limits.scopes().filter((each) => keyOf(each.scope) !== keyOf(scope));
    if (others.length >= THRESHOLD_BOUNDS.scopes)
      throw new ServiceError(
        "conflict",
        `Thresholds are set for ${THRESHOLD_BOUNDS.scopes} groups and hosts, which is as many as there may be.`,
      );
  }

  return {
    scopeList(agentId) {
      const all = limits.scopes();
      const applied = all.length === 0 ? new Map<string, number[]>() : appliedTo();
      const host = agentId ?? "local";
      return all
        .filter(({ scope }) => agentId === undefined || scope.type === SCOPES.group || scope.id === host)
        .map((each) => record(each, applied));
    },
    scopeThresholds: get,
    async setScopeThresholds(params, body) {
      const scope = readScope(params);
      await set({ kind: "scope", scope, thresholds: readThresholds(body) }, () => refuseUnknown(scope));
      return get(params);
    },
    async clearScopeThresholds(params) {
      const scope = readScope(params);
      await set({ kind: "scope", scope, thresholds: null }, () => void get(params));
    },
  };
}

/** A host by the one spelling of its id. */
function readScope({ entity_type: type, entity_id: id }: ScopeParams): ThresholdScope {
  return { type, id: type === SCOPES.host ? id.toLowerCase() : id };
}

function nameOf({ type, id }: ThresholdScope): string {
  return `${type === SCOPES.host ? "host" : "group"} ${id}`;
}

function keyOf(source: { type: string; id: string } | undefined): string {
  return source === undefined ? "" : `${source.type} ${source.id}`;
}
