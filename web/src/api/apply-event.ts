import type { EventData } from "../../../src/events.ts";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";

/** A container's record after an event; undefined when it must be read again. */
export type Patch = (container: ContainerRecord) => ContainerRecord;

/** After `container.state_changed`. An event older than what is known, as after a resumed stream, changes nothing. */
export function patchState(data: EventData["container.state_changed"]): Patch {
  return (container) => {
    if (data.timestamp < container.last_state_change_at) return container;
    const starts = data.state === "running" && data.previous_state !== "paused";
    const ends = data.state === "exited" || data.state === "completed" || data.state === "dead";
    return {
      ...container,
      state: data.state,
      health: data.health,
      exit_code: data.exit_code,
      oom_killed: data.oom_killed,
      stop_requested: data.stop_requested,
      error_detail: data.error_detail,
      last_state_change_at: data.timestamp,
      started_at: starts ? data.timestamp : container.started_at,
      finished_at: ends ? data.timestamp : container.finished_at,
      resources: ends ? null : container.resources,
    };
  };
}

/** After `container.health_changed`. */
export function patchHealth(data: EventData["container.health_changed"]): Patch {
  return (container) =>
    data.timestamp < container.last_state_change_at
      ? container
      : { ...container, state: data.state, health: data.health, last_state_change_at: data.timestamp };
}

/** After `container.restart_alert`. */
export function patchRestartLoop(data: EventData["container.restart_alert"]): Patch {
  return (container) => ({
    ...container,
    restart_threshold: data.threshold,
    restart_loop:
      data.severity === null
        ? null
        : { severity: data.severity, restarts: data.restarts, since: container.restart_loop?.since ?? data.timestamp },
  });
}

/** After `container.label_errors`. */
export function patchLabelErrors(data: EventData["container.label_errors"]): Patch {
  return (container) => ({ ...container, label_errors: data.label_errors });
}

/** The list with one container patched. All other rows and groups stay the same objects, so that nothing else renders again. */
export function patchInList(list: ContainerList, id: number, patch: Patch): ContainerList {
  for (const [groupIndex, group] of list.groups.entries()) {
    const index = group.containers.findIndex((container) => container.id === id);
    const container = group.containers[index];
    if (container === undefined) continue;
    const patched = patch(container);
    if (patched === container) return list;
    return { ...list, groups: list.groups.with(groupIndex, { ...group, containers: group.containers.with(index, patched) }) };
  }
  return list;
}
