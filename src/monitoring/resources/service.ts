import type { Range } from "../../contract/ranges.ts";
import { DEFAULT_THRESHOLDS } from "../../contract/thresholds.ts";
import type { ResourceMetric } from "../../events.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import type { ThresholdsBody } from "./api.ts";
import type { History, Hosts, Snapshot, Sparklines, Summary, Thresholds, ThresholdList, Top } from "./answers.ts";
import type { ResourceHistory, MomentSpan, UsageAround } from "./history.ts";
import { type Applied, readThresholds, spellThresholds } from "./limits.ts";
import type { Overview } from "./overview.ts";
import { createScopeThresholds, type ScopeThresholdService } from "./scope-thresholds.ts";
import type { ThresholdWatch } from "./thresholds.ts";
import type { TopQuery } from "./top.ts";

/** What can be asked about resources. Each throws `not_found` for a container that does not exist. `agentId` undefined: all hosts. */
export interface ResourceService extends ScopeThresholdService {
  /** All null while it does not run. */
  current(id: number): Promise<Snapshot>;
  /** Throws EDITION_REQUIRED for a range above the edition. */
  history(id: number, range: Range): Promise<History>;
  /** What it used around a moment. Throws EDITION_REQUIRED for one that is longer ago than the edition shows. */
  around(id: number, span: MomentSpan): Promise<UsageAround>;
  thresholds(id: number): Promise<Thresholds>;
  /** Those that are set for present containers, groups and hosts, and what exceeds them. */
  thresholdList(agentId: string | null | undefined): ThresholdList;
  /** Throws `conflict` for an archived container. */
  setThresholds(id: number, body: ThresholdsBody): Promise<Thresholds>;
  /** Takes its own away, so that those of its group or host apply. */
  clearThresholds(id: number): Promise<Thresholds>;
  /** Throws EDITION_REQUIRED for an order by growth below the edition that looks back a day. */
  top(query: TopQuery): Promise<Top>;
  /** Throws `not_found` for an unknown host. */
  summary(agentId: string | null): Summary;
  hosts(): Hosts;
  sparklines(agentId: string | null | undefined): Sparklines;
}

export interface ResourceServiceDependencies {
  containers: Pick<Containers, "present" | "service">;
  overview: Overview;
  history: ResourceHistory;
  around(containerId: number, span: MomentSpan): Promise<UsageAround>;
  top(query: TopQuery): Promise<Top>;
  thresholds: ThresholdWatch;
  isHostKnown(agentId: string | null): boolean;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  requireCapability(capability: string): void;
}

export function createResourceService({
  containers,
  overview,
  history,
  around,
  top,
  thresholds,
  isHostKnown,
  requireCapability,
}: ResourceServiceDependencies): ResourceService {
  const { limits } = thresholds;
  const { present } = containers;
  const ofScopes = createScopeThresholds({ thresholds, present, isHostKnown });

  function thresholdsRecord(id: number): Thresholds {
    const applied = limits.of(id);
    const set = applied?.thresholds;
    const breach = (metric: ResourceMetric): Thresholds["cpu_breach"] => {
      const lasting = thresholds.breach(id, metric);
      return lasting === null ? null : { since: lasting.firedAt.toISOString(), peak: lasting.peak };
    };
    return {
      container_id: id,
      configured: set !== undefined,
      source: sourceRecord(applied),
      inherits_from: sourceRecord(limits.inherited(id)),
      ...(set === undefined ? DEFAULT_THRESHOLDS : spellThresholds(set)),
      cpu_breach: breach("cpu"),
      memory_breach: breach("memory"),
    };
  }

  const find = (id: number): Promise<SavedContainer> => containers.service.find(id);
  return {
    ...ofScopes,
    async current(id) {
      return overview.current(await find(id));
    },
    async history(id, range) {
      requireCapability(`history_${range}`);
      await find(id);
      return history.of(id, range);
    },
    async around(id, span) {
      await find(id);
      return around(id, span);
    },
    async thresholds(id) {
      await find(id);
      return thresholdsRecord(id);
    },
    thresholdList(agentId) {
      const shown = [...new Set([...limits.ids(), ...thresholds.exceeded()])].filter((id) => {
        const container = present.get(id);
        return container !== undefined && (agentId === undefined || container.agentId === agentId);
      });
      return { thresholds: shown.map(thresholdsRecord), scopes: ofScopes.scopeList(agentId), total: shown.length };
    },
    async setThresholds(id, body) {
      const container = await find(id);
      if (container.archivedAt !== null)
        throw new ServiceError("conflict", `Container ${container.name} was removed from its host; there is nothing left to watch.`);
      await thresholds.set({ kind: "container", id, thresholds: readThresholds(body) });
      return thresholdsRecord(id);
    },
    async clearThresholds(id) {
      await find(id);
      await thresholds.set({ kind: "container", id, thresholds: null });
      return thresholdsRecord(id);
    },
    top,
    summary: overview.summary,
    hosts: overview.hosts,
    sparklines: overview.sparklines,
  };
}

/** The host that a request names; undefined when it names none. */
export function hostOf(asked: string | undefined): string | null | undefined {
  return asked === "local" ? null : asked;
}

function sourceRecord(applied: Applied | undefined): Thresholds["source"] {
  return applied === undefined ? null : { entity_type: applied.source.type, entity_id: applied.source.id };
}
