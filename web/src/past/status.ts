import type { Moment, MomentContainer } from "../../../src/publishing/overview/moment/answers.ts";
import { containerStatus } from "../format/container-status.ts";
import type { ContainerStatus } from "../format/status-facts.ts";

/** Whether somebody watched a host then. */
export function pastHostStatus({ is_watched: isWatched }: Moment["hosts"][number]): ContainerStatus {
  return { status: isWatched ? "ok" : "idle", word: isWatched ? "Monitored" : "Not monitored", cause: undefined, since: undefined };
}

/** Status, word and cause of a container as it was then. */
export function pastStatus(container: MomentContainer, at: string): ContainerStatus {
  const since = container.since ?? at;
  const status = containerStatus({
    ...container,
    error_detail: null,
    restart_loop: null,
    last_state_change_at: since,
    finished_at: since,
    archived_at: null,
    runtime: "docker",
    unit: null,
  });
  if (container.status !== "unknown") return status;
  return { status: "idle", word: "Not monitored", cause: `last seen ${status.word.toLowerCase()}`, since: undefined };
}
