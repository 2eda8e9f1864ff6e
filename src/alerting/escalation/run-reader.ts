import { ServiceError } from "../../platform/errors.ts";
import type { PageQuery } from "./api.ts";
import type { RunDetail, RunPage, RunsOfAlert } from "./answers.ts";
import type { Policies } from "./policies.ts";
import { runDetailOf, runRecord } from "./records.ts";
import type { RunStore } from "./store.ts";
import type { Alerts, Channels } from "./seams.ts";

/** A level of an escalation that is not due yet. */
export interface NextLevel {
  runId: number;
  policy: string;
  /** From 1. */
  level: number;
  levels: number;
  at: Date;
  /** Names of channels, without deleted ones. */
  channels: string[];
}

/** What users can ask of runs. */
export interface RunReader {
  /** Oldest first. Throws `not_found`. */
  ofAlert(alertId: number): Promise<RunsOfAlert>;
  /** The level that is notified next unless somebody acknowledges; undefined when none is. */
  nextLevel(alertId: number): Promise<NextLevel | undefined>;
  /** Throws `not_found`. */
  detail(id: number): Promise<RunDetail>;
  /** Newest first. Throws `not_found`. */
  ofPolicy(policyId: number, page: PageQuery): Promise<RunPage>;
}

export function createRunReader({
  store,
  policies,
  alerts,
  channels,
}: {
  store: RunStore;
  policies: Policies;
  alerts: Alerts;
  channels: Channels;
}): RunReader {
  return {
    async ofAlert(alertId) {
      const runs = await store.ofAlert(alertId);
      if (runs.length === 0 && (await alerts.get(alertId)) === undefined) {
        throw new ServiceError("not_found", `There is no alert ${alertId}.`);
      }
      return { runs: runs.map(runRecord), total: runs.length };
    },
    async nextLevel(alertId) {
      const waiting = (await store.ofAlert(alertId)).flatMap(({ id, status, levelIndex, nextAt, plan }) => {
        const level = plan.levels[levelIndex];
        if (status !== "active" || nextAt === null || level === undefined) return [];
        const channelNames = level.channelIds.flatMap((channelId) => channels.get(channelId)?.name ?? []);
        return [{ runId: id, policy: plan.name, level: levelIndex + 1, levels: plan.levels.length, at: nextAt, channels: channelNames }];
      });
      return waiting.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0];
    },
    async detail(id) {
      const run = await store.get(id);
      if (run === undefined) throw new ServiceError("not_found", `There is no escalation run ${id}.`);
      return runDetailOf(run, await store.deliveries(id), (channelId) => channels.get(channelId)?.name);
    },
    async ofPolicy(policyId, page) {
      policies.get(policyId);
      const { runs, total } = await store.ofPolicy(policyId, page);
      return { runs: runs.map(runRecord), total, has_more: page.offset + runs.length < total };
    },
  };
}
