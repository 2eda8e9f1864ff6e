import { ServiceError } from "../../platform/errors.ts";
import type { PageQuery, RunDetail, RunPage, RunsOfAlert } from "./api.ts";
import type { Policies } from "./policies.ts";
import { runDetailOf, runRecord } from "./records.ts";
import type { RunStore } from "./runs/store.ts";
import type { Alerts, Channels } from "./seams.ts";

/** What can be asked of runs. */
export interface RunReader {
  /** Oldest first. Throws `not_found`. */
  ofAlert(alertId: number): Promise<RunsOfAlert>;
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
