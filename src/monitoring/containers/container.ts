import { MINUTE_MS } from "../../contract/time.ts";
import type { ContainerState } from "../../events.ts";
import type { ContainerSettings, Health, HealthFailure, LabelError, Port, RuntimeKind, Severity } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";

export const GROUP_SOURCES = ["label", "compose", "stack", "namespace", "default"] as const;
export type GroupSource = (typeof GROUP_SOURCES)[number];

/** What we know of one container. */
export interface Container {
  agentId: string | null;
  /** The runtime's identifier of the container that is there now, or was last. */
  externalId: string;
  /** What stays the same over re-creations; see identity.ts. */
  identity: string;
  /** How many containers there have been under this identity, this one too. */
  generation: number;
  /** When this one took the place of the one before; null for the first. */
  recreatedAt: Date | null;
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
  /** Since when it is not on its host; null while it is. */
  archivedAt: Date | null;
  /** When it was given up: nothing took its place for a while. Null while it is there or may be re-created. */
  removedAt: Date | null;
}

/** One step of a container's history. */
export interface Transition {
  previousState: ContainerState | null;
  newState: ContainerState;
  previousHealth: Health | null;
  newHealth: Health | null;
  /** Of one that turned unhealthy: the failed run of its health check; null when it is not known. */
  healthFailure: HealthFailure | null;
  exitCode: number | null;
  oomKilled: boolean;
  /** An end that was asked for. */
  stopRequested: boolean;
  at: Date;
}

export interface Decision {
  next: Container;
  /** In order; none when only other facts changed. */
  transitions: readonly Transition[];
  /** The latest end, of which it became known only now that it was asked for. */
  corrected?: Transition;
}

const ENDED: ReadonlySet<ContainerState> = new Set(["exited", "completed", "dead"]);

/** Whether a container in this state has not ended. */
export function isAlive(state: ContainerState): boolean {
  return state === "running" || state === "paused" || state === "created";
}

/** Whether a container in this state has ended. */
export function hasEnded(state: ContainerState): boolean {
  return ENDED.has(state);
}

/** Whether it runs, and so can be seen to be well; undefined of one that is not there. */
export function runs(container: Container | undefined): boolean | undefined {
  return container && container.state === "running";
}

/** What one that is there is instead of running, and since when. */
export function stoppedAs(container: Container | undefined): { name: string; state: ContainerState; since: Date } | undefined {
  if (container === undefined || container.archivedAt !== null || container.state === "running") return undefined;
  return { name: container.name, state: container.state, since: container.lastStateChangeAt };
}

/** Whether a container in this state uses resources. */
export function usesResources(state: ContainerState): boolean {
  return state === "running" || state === "paused";
}

/** States whose time counts for uptime neither way: nobody expects it to run. Source: contract, section 19, Uptime. */
const NOT_COUNTED: ReadonlySet<ContainerState> = new Set(["created", "paused", "completed"]);

/** How the time in this state counts for uptime; null is not at all. */
export function countsAs(container: Pick<Container, "state" | "health"> & Partial<Pick<Container, "stopRequested">>): "up" | "down" | null {
  const { state, health } = container;
  if (NOT_COUNTED.has(state) || (container.stopRequested === true && ENDED.has(state))) return null;
  return state === "running" && health !== "unhealthy" ? "up" : "down";
}

export interface DownRule {
  /** null: never, unless a label says otherwise. */
  afterMs: number | null;
  /** When the first container of its host was seen. */
  knownSince(): Date;
}

/**
 * In how many milliseconds a container is down if it stays as it is, 0 or less when it is; Infinity: never. Down is what ended without being asked to, and for so long: as its label says, else `afterMs`. What ended before its host was known at all is the
 * past that was found there. `now` is by the clock of its host, as its times are. Source: contract, sections 6 and 19.
 */
export function downInMs(container: Container, now: Date, { afterMs, knownSince }: DownRule): number {
  const { state, settings, lastStateChangeAt } = container;
  if (settings.ignored || container.stopRequested || (state !== "exited" && state !== "dead")) return Infinity;
  const waitMs = settings.downAfterMs ?? afterMs;
  if (waitMs === null || waitMs === 0 || lastStateChangeAt < knownSince()) return Infinity;
  return lastStateChangeAt.getTime() + waitMs - now.getTime();
}

/** Restarts further back do not count; as long without a restart, while its host is watched, ends a loop. Source: contract, section 1. */
export const RESTART_WINDOW_MS = 10 * MINUTE_MS;
/** A loop this many times over the threshold is critical. */
const CRITICAL_FACTOR = 3;
/** The restarts kept of a container, to be counted; more where its threshold needs more to become critical. */
const KEPT = 300;

interface RestartLoop {
  severity: Severity;
  since: Date;
}

export interface RestartHistory {
  /** Unexpected restarts within the window, oldest first; of a loop those of the window that ended with the latest one. */
  restarts: readonly Date[];
  loop: RestartLoop | null;
}

export const NO_RESTARTS: RestartHistory = { restarts: [], loop: null };

/** Joins the restarts of two containers when one replaces the other. */
export function joinRestarts(one: RestartHistory, other: RestartHistory): RestartHistory {
  const loops = [one.loop, other.loop].filter((loop) => loop !== null);
  const isCritical = loops.some(({ severity }) => severity === "critical");
  const since = loops.map((loop) => loop.since).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    restarts: [...one.restarts, ...other.restarts].sort((a, b) => a.getTime() - b.getTime()).slice(-KEPT),
    loop: since === undefined ? null : { severity: isCritical ? "critical" : "warning", since },
  };
}

/**
 * The history after one more unexpected restart. It becomes a loop at `threshold` restarts within 10 minutes, critical at three times
 * as many; a loop never gets milder by another restart.
 */
export function countRestart({ restarts, loop }: RestartHistory, at: Date, threshold: number): RestartHistory {
  const counted = [...within(restarts, at), at].slice(-Math.max(KEPT, threshold * CRITICAL_FACTOR));
  return { restarts: counted, loop: judge(counted, loop, at, threshold) };
}

/** The history without restarts that are too old at `now` to count. A loop keeps its restarts until it is over. */
export function forgetRestarts(history: RestartHistory, now: Date): RestartHistory {
  return history.loop === null ? { restarts: within(history.restarts, now), loop: null } : history;
}

interface Quiet {
  /** By the clock of its host. */
  now: Date;
  recreatedAt: Date | null;
  /** For how long its host has been watched without a gap; null: it is not watched. */
  watchedMs: number | null;
}

/**
 * Whether a loop is over: ten minutes without a restart, all of them watched. For a container that was re-created they start over, since nobody saw
 * it run meanwhile. Source: contract, sections 1 and 19.
 */
export function isLoopOver({ restarts, loop }: RestartHistory, { now, recreatedAt, watchedMs }: Quiet): boolean {
  if (loop === null || watchedMs === null) return false;
  const lastMs = Math.max(restarts.at(-1)?.getTime() ?? loop.since.getTime(), recreatedAt?.getTime() ?? -Infinity);
  return Math.min(now.getTime() - lastMs, watchedMs) >= RESTART_WINDOW_MS;
}

function within(restarts: readonly Date[], now: Date): Date[] {
  return restarts.filter((restart) => now.getTime() - restart.getTime() < RESTART_WINDOW_MS);
}

function judge(restarts: readonly Date[], loop: RestartLoop | null, at: Date, threshold: number): RestartLoop | null {
  if (restarts.length >= threshold * CRITICAL_FACTOR) return { severity: "critical", since: loop?.since ?? at };
  if (restarts.length >= threshold) return loop ?? { severity: "warning", since: at };
  return loop;
}

/** What names a container for those who re-create it. */
interface Named {
  name: string;
  labels: Readonly<Record<string, string>>;
  runtime: RuntimeKind;
  unit: string | null;
}

interface Identified {
  identity: string;
  /** The runtime's own. */
  externalId: string;
}

const COMPOSE = "com.docker.compose.";
const SWARM = "com.docker.swarm.";

/**
 * What stays the same over re-creations, unique on its host: the service with its number in Compose, the service with its slot in Swarm, the workload with
 * its kind in Kubernetes, else the name.
 * Source: contract, section 19.
 */
export function identityOf({ name, labels, runtime, unit }: Named): string {
  if (runtime === "kubernetes" && unit !== null) return `kubernetes:${name}/${cleanName(unit)}`;
  const [project, service, number] = ["project", "service", "container-number"].map((label) => labels[COMPOSE + label]);
  const isOnce = labels[`${COMPOSE}oneoff`]?.toLowerCase() === "true";
  if (project && service && number && !isOnce) return `compose:${project}/${service}/${number}`;
  const slot = slotOf(labels);
  if (slot) return `swarm:${labels[`${SWARM}service.name`]}/${slot}`;
  return `name:${name}`;
}

/** Whether another one of this identity may be on another host one day: a slot of a swarm is wherever its task runs. */
export function mayMove({ identity }: Pick<Identified, "identity">): boolean {
  return identity.startsWith("swarm:");
}

/** Of the container of a task named `SERVICE.SLOT.TASK`, or `SERVICE.NODE.TASK` of a global service. */
export function slotOf(labels: Named["labels"]): string | undefined {
  const [service, task] = ["service", "task"].map((what) => labels[`${SWARM}${what}.name`]);
  return service && task?.startsWith(`${service}.`) ? task.slice(service.length + 1).split(".")[0] : undefined;
}

/** The identity of one that is there beside the container whose place it may take, or had. */
export function besideIdentity(identity: string, externalId: string): string {
  return `${identity}#${externalId}`;
}

/** Whether it is there beside another that has the identity of both. */
export function isBeside({ identity, externalId }: Identified): boolean {
  return identity.endsWith(`#${externalId}`);
}

/** The identity that it has, or would have if it were alone. */
export function ownIdentity(container: Identified): string {
  return isBeside(container) ? container.identity.slice(0, -(container.externalId.length + 1)) : container.identity;
}
