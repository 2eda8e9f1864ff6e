import type { Event } from "../../events.ts";
import { type Transition, RESTART_WINDOW_MS } from "./container.ts";
import type { SavedContainer } from "./rows.ts";

/** The events of a saved change, in order. An ignored container has none but that it became ignored. */
export function eventsOf(previous: SavedContainer | undefined, next: SavedContainer, transitions: readonly Transition[]): Event[] {
  const about = aboutContainer(next, next.lastObservedAt);
  if (next.settings.ignored) return previous?.settings.ignored === false ? [{ type: "container.updated", data: about }] : [];
  if (previous === undefined || previous.archivedAt !== null || previous.settings.ignored) {
    return [
      { type: "container.discovered", data: { ...about, state: next.state, health: next.health } },
      ...labelErrorEvents(undefined, next),
    ];
  }
  const updated = factsShown(previous) !== factsShown(next);
  return [
    ...transitions.flatMap((transition) => transitionEvents(next, transition)),
    ...restartAlertEvents(previous, next, next.lastObservedAt),
    ...(updated ? [{ type: "container.updated" as const, data: about }] : []),
    ...labelErrorEvents(previous, next),
  ];
}

/** The events to publish again for a container that has a problem now. */
export function problemEvents(container: SavedContainer, at: Date): Event[] {
  const { restartHistory, state, health } = container;
  const events: Event[] = [];
  if (restartHistory.loop !== null)
    events.push(...restartAlertEvents({ ...container, restartHistory: { ...restartHistory, loop: null } }, container, at));
  if (health === "unhealthy")
    events.push({ type: "container.health_changed", data: { ...aboutContainer(container, at), state, health, previous_health: null } });
  return events;
}

export function downEvent(container: SavedContainer, { down, at }: { down: boolean; at: Date }): Event {
  const { state, exitCode, oomKilled, stopRequested, errorDetail, lastStateChangeAt } = container;
  return {
    type: "container.down",
    data: {
      ...aboutContainer(container, at),
      down,
      state,
      exit_code: exitCode,
      oom_killed: oomKilled,
      stop_requested: stopRequested,
      error_detail: errorDetail,
      since: lastStateChangeAt.toISOString(),
    },
  };
}

export function archivedEvent(container: SavedContainer): Event {
  return { type: "container.archived", data: aboutContainer(container, container.archivedAt ?? container.lastObservedAt) };
}

export function removedEvent(container: SavedContainer, at: Date): Event {
  return { type: "container.removed", data: aboutContainer(container, at) };
}

/** The restart loop's level changed: it began, grew worse, or is over. */
export function restartAlertEvents(previous: SavedContainer, next: SavedContainer, at: Date): Event[] {
  const severity = next.restartHistory.loop?.severity ?? null;
  const previousSeverity = previous.restartHistory.loop?.severity ?? null;
  if (severity === previousSeverity) return [];
  return [
    {
      type: "container.restart_alert",
      data: {
        ...aboutContainer(next, at),
        severity,
        previous_severity: previousSeverity,
        restarts: next.restartHistory.restarts.length,
        threshold: next.settings.restartThreshold,
        window_seconds: RESTART_WINDOW_MS / 1000,
      },
    },
  ];
}

function transitionEvents(
  container: SavedContainer,
  { previousState, newState, previousHealth, newHealth, exitCode, oomKilled, stopRequested, at }: Transition,
): Event[] {
  const about = aboutContainer(container, at);
  const events: Event[] = [];
  if (previousState !== null && previousState !== newState) {
    events.push({
      type: "container.state_changed",
      data: {
        ...about,
        state: newState,
        previous_state: previousState,
        health: newHealth,
        exit_code: exitCode,
        oom_killed: oomKilled,
        stop_requested: stopRequested,
        error_detail: container.errorDetail,
      },
    });
  }
  if (previousHealth !== newHealth) {
    events.push({
      type: "container.health_changed",
      data: { ...about, state: newState, health: newHealth, previous_health: previousHealth },
    });
  }
  return events;
}

function labelErrorEvents(previous: SavedContainer | undefined, next: SavedContainer): Event[] {
  if (JSON.stringify(previous?.labelErrors ?? []) === JSON.stringify(next.labelErrors)) return [];
  return [{ type: "container.label_errors", data: { ...aboutContainer(next, next.lastObservedAt), label_errors: [...next.labelErrors] } }];
}

/** What pages show in addition to state and health. */
const SHOWN = [
  "agentId",
  "name",
  "image",
  "imageDigest",
  "imageId",
  "imagePlatform",
  "group",
  "labels",
  "ports",
  "settings",
  "networkMode",
  "privileged",
  "restartCount",
  "startedAt",
  "stopRequested",
] as const satisfies readonly (keyof SavedContainer)[];

/** The facts that pages show in addition to state and health, as one text to compare. */
function factsShown(container: SavedContainer): string {
  return JSON.stringify(SHOWN.map((fact) => container[fact]));
}

/** What every event about a container says. */
export function aboutContainer({ id, agentId, name, runtime, image, group, labels, settings }: SavedContainer, at: Date) {
  return {
    id,
    agent_id: agentId,
    name,
    runtime,
    image,
    group,
    labels: { ...labels },
    alert_severity: settings.alertSeverity,
    alert_channels: settings.alertChannels,
    alert_tags: settings.alertTags,
    timestamp: at.toISOString(),
  };
}
