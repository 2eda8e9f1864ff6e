import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { IsUnseen } from "../../app/sight.ts";
import { containerStatus } from "../../format/container-status.ts";
import { lastKnownStatus } from "../../format/last-known.ts";
import { STATUSES, type Status } from "../../format/status.ts";

export interface GroupSummary {
  name: string;
  source: ContainerList["groups"][number]["source"];
  count: number;
  /** Of those that are seen. */
  running: number;
  /** How many are shown as they were last seen. */
  unseen: number;
  /** The worst of its containers'; idle only when none runs. */
  status: Status;
  /** The last change of any of its containers. */
  changedAt: string;
}

/** Each group in one line. */
export function summarise(groups: ContainerList["groups"], isUnseen: IsUnseen): GroupSummary[] {
  return groups.map(({ name, source, containers }) => {
    const seen = containers.filter(({ agent_id }) => !isUnseen("container", agent_id));
    const statuses = new Set(
      containers
        .filter((container) => !container.is_ignored)
        .map((container) => {
          const { status } = containerStatus(container);
          return isUnseen("container", container.agent_id) ? lastKnownStatus(status) : status;
        }),
    );
    const running = seen.filter(({ state }) => state === "running").length;
    const worst = STATUSES.findLast((status) => statuses.has(status)) ?? "idle";
    return {
      name,
      source,
      count: containers.length,
      running,
      unseen: containers.length - seen.length,
      // What is done or paused takes nothing from those that run.
      status: worst === "idle" && running > 0 && seen.length === containers.length ? "ok" : worst,
      changedAt: containers.reduce((latest, { last_state_change_at: at }) => (at > latest ? at : latest), ""),
    };
  });
}
