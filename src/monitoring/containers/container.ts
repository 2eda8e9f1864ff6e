import type { ContainerState } from "../../events.ts";
import type { ContainerSettings, Health, HealthFailure, LabelError, Port, RuntimeKind } from "../../observations.ts";
import type { RestartHistory } from "./restart-loop.ts";

export type GroupSource = "label" | "compose" | "stack" | "namespace" | "default";

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
 * past that was found there. Source: contract, sections 6 and 19.
 */
export function downInMs(container: Container, now: Date, { afterMs, knownSince }: DownRule): number {
  const { state, settings, lastStateChangeAt } = container;
  if (settings.ignored || container.stopRequested || (state !== "exited" && state !== "dead")) return Infinity;
  const waitMs = settings.downAfterMs ?? afterMs;
  if (waitMs === null || waitMs === 0 || lastStateChangeAt < knownSince()) return Infinity;
  return lastStateChangeAt.getTime() + waitMs - now.getTime();
}
