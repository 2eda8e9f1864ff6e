import { cleanName } from "../../platform/text.ts";
import type { RuntimeContainer } from "../runtime.ts";
import { type InspectedContainer, fromLabels, hasEnded } from "./container.ts";
import type { EngineEvent } from "./event.ts";
import type { ExitCause } from "./exit-causes.ts";

/** What is at hand when an event is read: the container as seen after it (undefined once it is gone), as it was reported before, and what preceded the event. */
export interface EventContext {
  seen: InspectedContainer | undefined;
  before: RuntimeContainer | undefined;
  exitCause: ExitCause;
}

/**
 * Whether an event and what was known before it say all there is, so that nobody has to look. An engine that is busy with the end of a
 * container answers only when it is done with it, which may take longer than all the rest of the way to the reader.
 */
export function isEnough(event: EngineEvent, { before, exitCause }: { before: InspectedContainer; exitCause: ExitCause }): boolean {
  switch (event.action) {
    case "pause":
    case "unpause":
    case "rename":
      return true;
    case "health_status":
      // Only an inspection shows what the check printed.
      return !event.podman && event.health !== "unhealthy";
    case "stop":
      return hasEnded(before.container.state) && before.container.state !== "restarting" && before.container.stopRequested;
    case "die":
      // It may come back by itself, or have been killed for memory without saying so: then look.
      return (
        !hasEnded(before.container.state) &&
        event.exitCode !== null &&
        (exitCause.stopRequested || (!event.podman && !before.restarts && event.exitCode !== SIGKILL_EXIT))
      );
    default:
      return false;
  }
}

const SIGKILL_EXIT = 137;

/**
 * The container as it was right after an event. An inspection may be of a later moment (the container may have started again, or be gone),
 * so what the event itself says about the state wins. Undefined when nothing changed that is worth reporting.
 */
export function containerAfter(event: EngineEvent, context: EventContext): RuntimeContainer | undefined {
  const { seen, before } = context;
  const base = seen?.container ?? before ?? fromEvent(event);
  switch (event.action) {
    case "create":
      return { ...base, ...NEVER_RAN, errorDetail: base.state === "created" ? base.errorDetail : null };
    case "start":
      return started(event, base, context);
    case "die":
      return died(event, base, context);
    case "pause":
      return { ...base, ...lifeOf(before ?? base), state: "paused" };
    case "unpause":
      return { ...base, ...lifeOf(before ?? base), state: "running" };
    case "health_status":
      return healthChanged(event, base, context);
    case "rename":
    case "update":
      return { ...base, ...lifeOf(before ?? base), ...(event.name !== "" && { name: cleanName(event.name) }) };
    case "stop":
      // Says something new only of a container that waited to be restarted, or (Podman) that died without a kill before.
      if (seen === undefined || !hasEnded(base.state) || (before?.state === base.state && before.stopRequested)) return undefined;
      return { ...base, stopRequested: true };
    case "disconnect":
      // The only sign that a start failed: it never has a start or a die.
      return seen !== undefined && base.state === "created" && base.errorDetail !== null ? base : undefined;
    case "oom":
    case "kill":
    case "restart":
    case "cleanup":
    case "destroy":
      return undefined;
  }
}

const NEVER_RAN = {
  state: "created",
  health: null,
  healthFailure: null,
  exitCode: null,
  oomKilled: false,
  stopRequested: false,
  startedAt: null,
  finishedAt: null,
} as const satisfies Partial<RuntimeContainer>;

function started(event: EngineEvent, base: RuntimeContainer, { seen, before }: EventContext): RuntimeContainer {
  const at = eventTime(event);
  return {
    ...base,
    state: "running",
    health: base.state === "running" ? base.health : seen?.checked === true ? "starting" : null,
    exitCode: null,
    oomKilled: false,
    errorDetail: null,
    stopRequested: false,
    startedAt: (seen === undefined ? null : notAfter(base.startedAt, at)) ?? at,
    finishedAt: notAfter(base.finishedAt, at) ?? before?.finishedAt ?? null,
  };
}

function died(event: EngineEvent, base: RuntimeContainer, { seen, exitCause }: EventContext): RuntimeContainer {
  const at = eventTime(event);
  const stillEnded = hasEnded(base.state);
  const comesBack = seen?.restarts === true && !exitCause.stopRequested;
  const exitCode = event.exitCode ?? base.exitCode;
  return {
    ...base,
    state: stillEnded ? base.state : comesBack ? "restarting" : "exited",
    health: null,
    healthFailure: null,
    exitCode,
    oomKilled: exitCode !== 0 && (exitCause.outOfMemory || (stillEnded && base.oomKilled)),
    errorDetail: stillEnded ? base.errorDetail : null,
    stopRequested: exitCause.stopRequested,
    startedAt: notAfter(base.startedAt, at),
    finishedAt: (stillEnded ? notAfter(base.finishedAt, at) : null) ?? at,
  };
}

function healthChanged(event: EngineEvent, base: RuntimeContainer, { seen, before }: EventContext): RuntimeContainer | undefined {
  // Podman 4 reports the health of before the probe, so the inspection counts.
  const health = event.podman ? (seen?.container.health ?? null) : event.health;
  const life = lifeOf(before ?? base);
  if (health === null || life.state !== "running") return undefined;
  // Podman repeats the status at every probe. Docker says it once: though a look at the event before may have seen it already, a listing
  // under way may have looked earlier than that, and would have the last word.
  if (event.podman && before?.health === health) return undefined;
  // Without a look, what was known may be of an earlier time in which it was unhealthy.
  return { ...base, ...life, health, healthFailure: seen?.container.healthFailure ?? null };
}

/** The part of a container that events report step by step, so that a later inspection must not overrule it. */
function lifeOf(container: RuntimeContainer): Pick<RuntimeContainer, Exclude<keyof typeof NEVER_RAN, "healthFailure"> | "errorDetail"> {
  const { state, health, exitCode, oomKilled, errorDetail, stopRequested, startedAt, finishedAt } = container;
  return { state, health, exitCode, oomKilled, errorDetail, stopRequested, startedAt, finishedAt };
}

/** All that is left of a container that was gone before anyone looked. */
function fromEvent(event: EngineEvent): RuntimeContainer {
  return {
    externalId: event.containerId,
    name: cleanName(event.name) || event.containerId.slice(0, 12),
    image: cleanName(event.image, 512),
    imageDigest: null,
    imageId: null,
    imagePlatform: null,
    ...NEVER_RAN,
    errorDetail: null,
    restartCount: 0,
    ...fromLabels(event.labels),
    // Nobody can look at its image any more, and nothing is checked of what has ended.
    imageLabels: [],
    ports: [],
    networkMode: null,
    privileged: false,
    createdAt: null,
  };
}

export function eventTime(event: EngineEvent): Date {
  return new Date(Number(event.timeNs / 1_000_000n));
}

function notAfter(time: Date | null, limit: Date): Date | null {
  return time !== null && time.getTime() <= limit.getTime() ? time : null;
}
