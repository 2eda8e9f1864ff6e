import type { ContainerState } from "../../events.ts";
import type { ContainerSettings, ContainerSighting, Health, LabelError, Port, RuntimeKind } from "../../observations.ts";
import { maskSecrets } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";
import { countRestart, forgetRestarts, type RestartHistory } from "./restart-loop.ts";

export type GroupSource = "label" | "compose" | "stack" | "namespace" | "default";

/** What we know of one container. */
export interface Container {
  agentId: string | null;
  externalId: string;
  name: string;
  image: string;
  imageDigest: string | null;
  imageId: string | null;
  imagePlatform: string | null;
  state: ContainerState;
  health: Health | null;
  exitCode: number | null;
  oomKilled: boolean;
  errorDetail: string | null;
  /** Its last end was asked for. */
  stopRequested: boolean;
  group: string;
  groupSource: GroupSource;
  unit: string | null;
  settings: ContainerSettings;
  labelErrors: readonly LabelError[];
  restartCount: number;
  restartHistory: RestartHistory;
  ports: readonly Port[];
  networkMode: string | null;
  privileged: boolean;
  /** With the values that look secret masked: they are never kept. */
  labels: Readonly<Record<string, string>>;
  runtime: RuntimeKind;
  createdAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  firstSeenAt: Date;
  /** The runtime's time of the newest thing known of it; what is older than this says nothing new. */
  lastObservedAt: Date;
  lastStateChangeAt: Date;
  archivedAt: Date | null;
}

/** One step of a container's history. */
export interface Transition {
  previousState: ContainerState | null;
  newState: ContainerState;
  previousHealth: Health | null;
  newHealth: Health | null;
  exitCode: number | null;
  oomKilled: boolean;
  at: Date;
}

export interface Decision {
  next: Container;
  /** In order; none when only other facts changed. */
  transitions: readonly Transition[];
}

/** How a sighting came: `news` tells of one moment, an `inventory` of how things stand. */
export type SightingSource = "news" | "inventory";

const ENDED: ReadonlySet<ContainerState> = new Set(["exited", "completed", "dead"]);
/** Exit codes of a container that ended because it was told to: SIGKILL and SIGTERM. */
const ASKED_EXIT_CODES: ReadonlySet<number> = new Set([137, 143]);
const UNGROUPED = "Ungrouped";
const MAX_TEXT = 1000;

/**
 * What becomes of a container when it is seen so. Undefined when the sighting tells nothing new: it is older than what is
 * known, or the same. A container seen for the first time has its first transition from nothing.
 */
export function applySighting(
  current: Container | undefined,
  {
    sighting,
    observedAt,
    source,
    agentId,
  }: { sighting: ContainerSighting; observedAt: Date; source: SightingSource; agentId: string | null },
): Decision | undefined {
  if (current !== undefined && source === "news" && observedAt < current.lastObservedAt) return undefined;

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
    state,
    health,
    lastObservedAt,
    archivedAt: null,
    stopRequested: stopRequested(sighting, state, current),
  };

  if (current === undefined) {
    const next = { ...seen, firstSeenAt: observedAt, lastStateChangeAt: at, restartHistory: { restarts: [], loop: null } };
    return { next, transitions: next.settings.ignored ? [] : [transition(null, next, at)] };
  }

  const transitions = seen.settings.ignored ? [] : stepsBetween(current, seen, sighting, at);
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

/** What becomes of a container that is no longer on its host. */
export function archive(current: Container, at: Date): Container {
  return { ...current, archivedAt: at, lastObservedAt: latest([at, current.lastObservedAt]), restartHistory: { restarts: [], loop: null } };
}

/** Whether a container in this state has not ended. */
export function isAlive(state: ContainerState): boolean {
  return state === "running" || state === "paused" || state === "created";
}

/** Whether a container in this state uses resources. */
export function usesResources(state: ContainerState): boolean {
  return state === "running" || state === "paused";
}

/** Whether a container in this state counts as up. */
export function isUp(state: ContainerState, health: Health | null): boolean {
  return state === "running" && health !== "unhealthy";
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
    name: cleanName(sighting.name) || sighting.externalId.slice(0, 12),
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
 * `completed` is an end that is nobody's fault: exit code 0, or the code of a signal when a stop or kill was asked for, and not for memory.
 * An inventory cannot know what was asked, so the judgment made when the same end was seen stands. Source: contract, section 1.
 */
function judgeState(sighting: ContainerSighting, current: Container | undefined): ContainerState {
  if (sighting.state !== "exited") return sighting.state;
  if (sighting.oomKilled) return "exited";
  if (sighting.exitCode === 0) return "completed";
  const asked = stopRequested(sighting, "exited", current);
  return asked && sighting.exitCode !== null && ASKED_EXIT_CODES.has(sighting.exitCode) ? "completed" : "exited";
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

function stopRequested(sighting: ContainerSighting, state: ContainerState, current: Container | undefined): boolean {
  if (sighting.stopRequested) return true;
  const sameEnd = current !== undefined && ENDED.has(state) && ENDED.has(current.state) && sameTime(current.startedAt, sighting.startedAt);
  return sameEnd && current.stopRequested;
}

/** When it came to be so: news say it; for an inventory the container's own times do, as far as they fit between what is known. */
function momentOfChange(
  current: Container | undefined,
  sighting: ContainerSighting,
  { state, observedAt, source }: { state: ContainerState; observedAt: Date; source: SightingSource },
): Date {
  if (source === "news") return observedAt;
  const own = ENDED.has(state) ? sighting.finishedAt : state === "created" ? sighting.createdAt : sighting.startedAt;
  if (own === null || own > observedAt) return observedAt;
  return current === undefined || own > current.lastStateChangeAt ? own : observedAt;
}

/** The transitions from one known moment to the next; an end and a start that nobody saw are told by the container's own times. */
function stepsBetween(
  current: Container,
  seen: Pick<Container, "state" | "health" | "exitCode" | "oomKilled" | "startedAt">,
  sighting: ContainerSighting,
  at: Date,
): Transition[] {
  const missedRestart =
    current.state === "running" &&
    seen.state === "running" &&
    current.startedAt !== null &&
    sighting.startedAt !== null &&
    sighting.finishedAt !== null &&
    sighting.finishedAt > current.startedAt &&
    sighting.finishedAt <= sighting.startedAt;
  if (missedRestart && sighting.finishedAt !== null && sighting.startedAt !== null) {
    const ended = { state: "exited" as const, health: null, exitCode: sighting.exitCode, oomKilled: sighting.oomKilled };
    const endedAt = latest([sighting.finishedAt, current.lastStateChangeAt]);
    return [transition(current, ended, endedAt), transition(ended, seen, latest([sighting.startedAt, endedAt]))];
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
      step.newState === "running" && step.previousState !== null && (ENDED.has(step.previousState) || step.previousState === "restarting");
    // Only of an end that was seen is it known that nobody asked for it.
    const failed = step.previousState === current.state && current.state !== "completed" && !current.stopRequested;
    if (restarted && (byPolicy || failed)) history = countRestart(history, step.at, seen.settings.restartThreshold);
  }
  return history;
}

function transition(
  previous: Pick<Container, "state" | "health"> | null,
  next: Pick<Container, "state" | "health" | "exitCode" | "oomKilled">,
  at: Date,
): Transition {
  const ended = !isAlive(next.state);
  return {
    previousState: previous?.state ?? null,
    newState: next.state,
    previousHealth: previous?.health ?? null,
    newHealth: next.health,
    exitCode: ended ? next.exitCode : null,
    oomKilled: ended && next.oomKilled,
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

function latest(dates: readonly (Date | null)[]): Date {
  return new Date(Math.max(...dates.map((date) => date?.getTime() ?? 0)));
}

/** Ended without being asked to, and for so long. Source: contract, section 6. */
export function isDown(container: Container, now: Date, afterMs: number): boolean {
  const { state, settings, lastStateChangeAt } = container;
  if (settings.ignored || container.stopRequested || (state !== "exited" && state !== "dead")) return false;
  return now.getTime() - lastStateChangeAt.getTime() >= afterMs;
}
