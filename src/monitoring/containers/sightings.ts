import { MINUTE_MS } from "../../contract/time.ts";
import type { ContainerState } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { maskSecrets } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";
import {
  type Container,
  type Decision,
  type GroupSource,
  hasEnded,
  isAlive,
  type Transition,
  countRestart,
  forgetRestarts,
  NO_RESTARTS,
  type RestartHistory,
  identityOf,
} from "./container.ts";

/** How a sighting came: `news` reports one moment, an `inventory` the current state. */
export type SightingSource = "news" | "inventory";

const UNGROUPED = "Ungrouped";
const MAX_TEXT = 1000;

/**
 * What becomes of a container when it is seen so. Undefined when the sighting has nothing new: it is older than what is
 * known, or the same. A container seen for the first time has its first transition from nothing.
 */
export function applySighting(
  current: Container | undefined,
  {
    sighting,
    observedAt,
    source,
    agentId,
    identity,
  }: {
    sighting: ContainerSighting;
    observedAt: Date;
    source: SightingSource;
    agentId: string | null;
    /** Where it differs from what its own name and labels give. */
    identity?: string;
  },
): Decision | undefined {
  if (current !== undefined && source === "news" && observedAt < current.lastObservedAt) return askedAfterAll(current, sighting);
  if (current !== undefined && source === "inventory" && hasMovedOn(current, sighting, observedAt)) return undefined;

  const facts = readFacts(sighting);
  const state = judgeState(sighting, current);
  const health = state === "running" || state === "paused" ? sighting.health : null;
  const at = momentOfChange(current, sighting, { state, observedAt, source });
  const ownTimes = [sighting.startedAt, sighting.finishedAt].filter((time) => time !== null && time <= observedAt);
  const lastObservedAt = latest(source === "news" ? [observedAt] : [observedAt, ...ownTimes]);
  const seen = {
    ...facts,
    ...lastEnd(sighting, state, current),
    agentId,
    identity: identity ?? identityOf(facts),
    generation: current?.generation ?? 1,
    recreatedAt: current?.recreatedAt ?? null,
    state,
    health,
    lastObservedAt,
    archivedAt: null,
    removedAt: null,
    stopRequested: stopRequested(sighting, state, current),
  };

  if (current === undefined) {
    const next = { ...seen, firstSeenAt: observedAt, lastStateChangeAt: at, restartHistory: NO_RESTARTS };
    return { next, transitions: next.settings.ignored ? [] : [withFailure(transition(null, next, at), sighting)] };
  }

  const steps = seen.settings.ignored ? [] : stepsBetween(current, seen, sighting, { at, source });
  const transitions = steps.map((step) => withFailure(step, sighting));
  const last = transitions.at(-1);
  const next: Container = {
    ...seen,
    firstSeenAt: current.firstSeenAt,
    lastStateChangeAt: last?.at ?? current.lastStateChangeAt,
    restartHistory: restartHistoryAfter(current, seen, transitions),
  };
  // When the runtime's clock went back, an inventory sets what is known to the new time: its news would be taken for old.
  const clockWentBack = current.lastObservedAt > lastObservedAt;
  return transitions.length === 0 && !clockWentBack && sameFacts(current, next) ? undefined : { next, transitions };
}

/** A listing takes no longer than this. What is further ahead of it comes from a clock that was set. */
const LISTING_MS = MINUTE_MS;

/** Whether it started or ended while it was listed: the news of that follow the listing and report it, and it must not count twice. */
function hasMovedOn(current: Container, sighting: ContainerSighting, observedAt: Date): boolean {
  const isLater = (own: Date | null, known: Date | null): boolean =>
    own !== null && own > observedAt && own.getTime() - observedAt.getTime() <= LISTING_MS && !sameTime(own, known);
  return isLater(sighting.startedAt, current.startedAt) || isLater(sighting.finishedAt, current.finishedAt);
}

/** What becomes of a container that is no longer on its host. One that ran until then was ended by who removed it. */
export function archive(current: Container, at: Date): Decision {
  const gone = { archivedAt: at, lastObservedAt: latest([at, current.lastObservedAt]) };
  if (!isUp(current.state)) return { next: { ...current, ...gone }, transitions: [] };
  const endedAt = latest([at, current.lastStateChangeAt]);
  const end = { state: "exited" as const, health: null, exitCode: null, oomKilled: false, stopRequested: true };
  const next: Container = { ...current, ...gone, ...end, lastStateChangeAt: endedAt };
  return { next, transitions: current.settings.ignored ? [] : [transition(current, next, endedAt)] };
}

/** Whether a container in this state runs, or is about to by itself. */
function isUp(state: ContainerState): boolean {
  return state === "running" || state === "paused" || state === "restarting";
}

/** The identity of one that is seen. */
export function identityOfSighting(sighting: ContainerSighting): string {
  return identityOf({ ...sighting, name: nameOf(sighting) });
}

function nameOf({ name, externalId }: ContainerSighting): string {
  return cleanName(name) || externalId.slice(0, 12);
}

function readFacts(sighting: ContainerSighting) {
  const { settings, project } = sighting;
  const group: { group: string; groupSource: GroupSource } =
    settings.group !== null
      ? { group: settings.group, groupSource: "label" }
      : project !== null
        ? { group: project.name, groupSource: project.source }
        : { group: UNGROUPED, groupSource: "default" };
  return {
    externalId: sighting.externalId,
    name: nameOf(sighting),
    image: cleanName(sighting.image, MAX_TEXT),
    imageDigest: sighting.imageDigest,
    imageId: sighting.imageId,
    imagePlatform: sighting.imagePlatform,
    errorDetail: sighting.errorDetail === null ? null : cleanName(sighting.errorDetail, MAX_TEXT) || null,
    group: cleanName(group.group) || UNGROUPED,
    groupSource: group.groupSource,
    unit: sighting.unit === null ? null : cleanName(sighting.unit),
    settings,
    labelErrors: sighting.labelErrors,
    restartCount: sighting.restartCount,
    ports: sighting.ports,
    networkMode: sighting.networkMode,
    privileged: sighting.privileged,
    labels: maskSecrets(sighting.labels),
    runtime: sighting.runtime,
    createdAt: sighting.createdAt,
    startedAt: sighting.startedAt,
    finishedAt: sighting.finishedAt,
  };
}

/**
 * `completed` is an end that nobody asked for, with exit code 0. An inventory cannot know what was asked for, so what is known of the same end stands.
 * Source: contract, section 19.
 */
function judgeState(sighting: ContainerSighting, current: Container | undefined): ContainerState {
  if (sighting.state !== "exited") return sighting.state;
  const byItself = sighting.exitCode === 0 && !sighting.oomKilled && !stopRequested(sighting, "exited", current);
  return byItself ? "completed" : "exited";
}

/** News of an end that a listing has shown already, without what only the news know: that somebody asked for it. */
function askedAfterAll(current: Container, sighting: ContainerSighting): Decision | undefined {
  const isSameEnd = hasEnded(current.state) && hasEnded(sighting.state) && sameTime(current.startedAt, sighting.startedAt);
  if (!isSameEnd || current.stopRequested || !stopRequested(sighting, "exited", undefined)) return undefined;
  const next: Container = { ...current, state: current.state === "completed" ? "exited" : current.state, stopRequested: true };
  const corrected = transition(current, next, current.lastStateChangeAt);
  return { next, transitions: [], ...(!current.settings.ignored && { corrected }) };
}

/** How it ended last; while it runs, how it had ended before. */
function lastEnd(
  sighting: ContainerSighting,
  state: ContainerState,
  current: Container | undefined,
): Pick<Container, "exitCode" | "oomKilled"> {
  if (current !== undefined && isAlive(state)) return { exitCode: current.exitCode, oomKilled: current.oomKilled };
  return { exitCode: sighting.exitCode, oomKilled: sighting.oomKilled };
}

/** The kernel that takes the memory back asks nobody. */
function stopRequested(sighting: ContainerSighting, state: ContainerState, current: Container | undefined): boolean {
  if (sighting.oomKilled) return false;
  if (sighting.stopRequested) return true;
  // One that the engine lists and does not show has no times.
  const isSame = current !== undefined && (sighting.startedAt === null || sameTime(current.startedAt, sighting.startedAt));
  return isSame && hasEnded(state) && hasEnded(current.state) && current.stopRequested;
}

/** When it came to be so: news say it; for an inventory the container's own times do, as far as they fit between what is known. */
function momentOfChange(
  current: Container | undefined,
  sighting: ContainerSighting,
  { state, observedAt, source }: { state: ContainerState; observedAt: Date; source: SightingSource },
): Date {
  if (source === "news") return observedAt;
  const own = hasEnded(state) ? sighting.finishedAt : state === "created" ? sighting.createdAt : sighting.startedAt;
  if (own === null || own > observedAt) return observedAt;
  const isLater = current === undefined || own > current.lastStateChangeAt;
  const followsRemoval = current?.archivedAt != null && own >= current.archivedAt;
  return isLater || followsRemoval ? own : observedAt;
}

/** The transitions from one known moment to the next; an end and a start that nobody saw are derived from the container's own times. */
function stepsBetween(
  current: Container,
  seen: Pick<Container, "state" | "health" | "exitCode" | "oomKilled" | "stopRequested" | "startedAt">,
  sighting: ContainerSighting,
  { at, source }: { at: Date; source: SightingSource },
): Transition[] {
  const { startedAt, finishedAt, exitCode, oomKilled } = sighting;
  const began = current.state === "running" && seen.state === "running" ? current.startedAt : null;
  if (began !== null && startedAt !== null && startedAt > began) {
    const isOfThisGap = finishedAt !== null && finishedAt > began && finishedAt <= startedAt;
    // An engine that was away itself may not know when the container ended. News carry their own times: without an end they report no restart.
    if (isOfThisGap || source === "inventory") {
      const ended = { state: "exited" as const, health: null, exitCode, oomKilled, stopRequested: false };
      const endedAt = latest([isOfThisGap ? finishedAt : startedAt, current.lastStateChangeAt]);
      return [transition(current, ended, endedAt), transition(ended, seen, latest([startedAt, endedAt]))];
    }
  }
  const changed = current.state !== seen.state || current.health !== seen.health || current.archivedAt !== null;
  return changed ? [transition(current, seen, latest([at, current.lastStateChangeAt]))] : [];
}

/** A restart that nobody asked for: it runs again after an end without a stop, because a policy restarted it or because it had failed. */
function restartHistoryAfter(
  current: Container,
  seen: Pick<Container, "restartCount" | "settings" | "lastObservedAt">,
  transitions: readonly Transition[],
): RestartHistory {
  let history = forgetRestarts(current.restartHistory, seen.lastObservedAt);
  const byPolicy = seen.restartCount > current.restartCount;
  for (const step of transitions) {
    const restarted =
      step.newState === "running" && step.previousState !== null && (hasEnded(step.previousState) || step.previousState === "restarting");
    // Only of an end that was seen is it known that nobody asked for it.
    const failed = step.previousState === current.state && current.state !== "completed" && !current.stopRequested;
    if (restarted && (byPolicy || failed)) history = countRestart(history, step.at, seen.settings.restartThreshold);
  }
  return history;
}

/** With what the health check printed, where the container turned unhealthy. */
function withFailure(step: Transition, { healthFailure }: ContainerSighting): Transition {
  return step.newHealth === "unhealthy" && step.previousHealth !== "unhealthy" ? { ...step, healthFailure } : step;
}

/** What is kept of a change from one to the other. */
export function transition(
  previous: Pick<Container, "state" | "health"> | null,
  next: Pick<Container, "state" | "health" | "exitCode" | "oomKilled" | "stopRequested">,
  at: Date,
): Transition {
  const ended = !isAlive(next.state);
  return {
    previousState: previous?.state ?? null,
    newState: next.state,
    previousHealth: previous?.health ?? null,
    newHealth: next.health,
    healthFailure: null,
    exitCode: ended ? next.exitCode : null,
    oomKilled: ended && next.oomKilled,
    stopRequested: ended && next.stopRequested,
    at,
  };
}

/** Whether nothing that is kept or shown differs, the time of looking aside. */
function sameFacts(a: Container, b: Container): boolean {
  const plain = ({ lastObservedAt: _, ...facts }: Container): string => JSON.stringify(facts);
  return plain(a) === plain(b);
}

function sameTime(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}

export function latest(dates: readonly (Date | null)[]): Date {
  return new Date(Math.max(...dates.map((date) => date?.getTime() ?? 0)));
}
