import type { ContainerList } from "../../../../src/monitoring/containers/api.ts";
import { containerStatus } from "../../format/container-status.ts";
import { STATUSES, type Status } from "../../format/status.ts";

export interface GroupSummary {
  name: string;
  source: ContainerList["groups"][number]["source"];
  count: number;
  running: number;
  /** The worst of its containers'; idle only when none runs. */
  status: Status;
  /** The last change of any of its containers. */
  changedAt: string;
}

/** Each group in one line. */
export function summarise(groups: ContainerList["groups"]): GroupSummary[] {
  return groups.map(({ name, source, containers }) => {
    const statuses = new Set(containers.filter((container) => !container.is_ignored).map((container) => containerStatus(container).status));
    const running = containers.filter(({ state }) => state === "running").length;
    const worst = STATUSES.findLast((status) => statuses.has(status)) ?? "idle";
    return {
      name,
      source,
      count: containers.length,
      running,
      // What is done or paused takes nothing from those that run.
      status: worst === "idle" && running > 0 ? "ok" : worst,
      changedAt: containers.reduce((latest, { last_state_change_at: at }) => (at > latest ? at : latest), ""),
    };
  });
}
