import { MINUTE_MS } from "../../contract/time.ts";
import type { ServiceState } from "../../events.ts";
import {
  placeOf,
  type ServiceMode,
  type SwarmNode,
  type SwarmService,
  type SwarmTask,
  type SwarmTopology,
  TASK_STATES,
  type SwarmSighting,
  type SwarmStanding,
} from "../../observations/swarm.ts";

/** What one host showed of its swarm last. */
export interface HostView {
  agentId: string | null;
  swarm: SwarmSighting;
  /** Its cluster: a locked manager and a worker do not name it, so that of before holds. */
  clusterId: string | null;
  /** By the clock of the host. */
  observedAt: Date;
  /** When it arrived, on a clock that only rises. */
  receivedMs: number;
}

/** A swarm as it was last seen, whichever of its managers showed it. */
export interface Cluster {
  id: string;
  topology: SwarmTopology;
  /** By the clock of the host that showed it. */
  observedAt: Date;
  /** Whose manager showed it; null is the local host. */
  agentId: string | null;
  /** A manager shows it now. */
  isObserved: boolean;
  /** Why none does, as a sentence; null while one does. */
  reason: string | null;
  /** The hosts of ours that are part of it. */
  hosts: { agentId: string | null; standing: SwarmStanding; reason: string | null }[];
}

/** A collector says everything again every 10 seconds, and an engine may take 20 to answer. */
export const STALE_AFTER_MS = 50_000;
/** So long the leader is waited for before another manager's word holds: its host may be cut off from us, and the swarm none the wiser. */
const LEADER_WAIT_MS = 14_000;

/**
 * Whose word holds of a cluster. All managers share what they know, and the leader knows it first: so the one that the newest view calls the leader,
 * unless it has been silent longer than it ever is; else the newest. One that is no manager in what is `known` of the cluster has no say while one is that
 * is. Undefined when no manager shows it.
 */
export function speakerOf(
  views: readonly HostView[],
  { known, nowMs }: { known: SwarmTopology | undefined; nowMs: number },
): HostView | undefined {
  const shown = views
    .filter(({ swarm, receivedMs }) => swarm.standing === "manager" && swarm.topology !== null && nowMs - receivedMs < STALE_AFTER_MS)
    .sort((a, b) => b.receivedMs - a.receivedMs);
  const ids = new Set(known?.nodes.flatMap(({ id, role }) => (role === "manager" ? [id] : [])));
  const listed = shown.filter(({ swarm }) => swarm.nodeId !== null && ids.has(swarm.nodeId));
  const managers = listed.length > 0 ? listed : shown;
  const [newest] = managers;
  const leader = newest?.swarm.topology?.nodes.find(({ manager }) => manager?.leader === true)?.id;
  const ofLeader = managers.find(({ swarm }) => swarm.nodeId !== null && swarm.nodeId === leader);
  return ofLeader !== undefined && nowMs - ofLeader.receivedMs < LEADER_WAIT_MS ? ofLeader : newest;
}

/** Why nothing is seen of a cluster, as a sentence. */
export function whyUnseen(views: readonly HostView[], nowMs: number): string {
  const fresh = views.filter(({ receivedMs }) => nowMs - receivedMs < STALE_AFTER_MS);
  const managers = fresh.filter(({ swarm: { standing } }) => standing === "no_quorum" || standing === "locked" || standing === "denied");
  const [worst] = managers.length > 0 ? managers : fresh;
  return worst?.swarm.reason ?? "None of its managers that are watched here can be reached. What is shown is as it was last seen.";
}

/** After a start a manager shows its swarm within this time, if it is watched at all. */
export const SETTLING_MS = MINUTE_MS;

/** Since when a cluster has shown each of its services and nodes, by id. Those that it shows no more are left out. */
export function shownSince(before: ReadonlyMap<string, number>, { services, nodes }: SwarmTopology, nowMs: number): Map<string, number> {
  return new Map([...services, ...nodes].map(({ id }) => [id, before.get(id) ?? nowMs]));
}

/**
 * The cluster that a service or a node belongs to: the one that showed it first. Ids are random, so two never have the same, and an agent may name those of
 * others. null when two began at the same time; undefined when none shows it.
 */
export function ownerOf(clusters: Iterable<[string, { shownMs: ReadonlyMap<string, number> }]>, id: string): string | null | undefined {
  let first: { owner: string | null; sinceMs: number } | undefined;
  for (const [owner, { shownMs }] of clusters) {
    const sinceMs = shownMs.get(id);
    if (sinceMs === undefined || (first !== undefined && sinceMs > first.sinceMs)) continue;
    first = { owner: first?.sinceMs === sinceMs ? null : owner, sinceMs };
  }
  return first?.owner;
}

const OVER: ReadonlySet<string> = new Set(["complete", "shutdown", "failed", "rejected", "remove", "orphaned"]);
const UP_TO_RUNNING: ReadonlySet<string> = new Set(TASK_STATES.slice(0, TASK_STATES.indexOf("running") + 1));

/** A service with its tasks, and how it is. */
export interface WatchedService {
  service: SwarmService;
  /** Newest first within a slot; those that are to run come first. */
  tasks: readonly SwarmTask[];
  running: number;
  desired: number;
  /** Tasks that are done: of a job, and of a service whose tasks all ran once and are done; null of others. */
  completed: number | null;
  state: ServiceState;
}

/** The services of a topology with their tasks, in its order. */
export function servicesOf({ services, tasks, nodes }: SwarmTopology): WatchedService[] {
  const down = downNodes(nodes);
  const open = new Set(nodes.filter((node) => !isDown(node) && node.availability !== "drain").map(({ id }) => id));
  const byService = Map.groupBy(tasks, ({ serviceId }) => serviceId);
  return services.map((service) => watchedService(service, byService.get(service.id) ?? [], { down, open }));
}

/** Ids of the nodes that are down. */
export function downNodes(nodes: readonly SwarmNode[]): Set<string> {
  return new Set(nodes.filter(isDown).map(({ id }) => id));
}

export function isDown({ state }: SwarmNode): boolean {
  return state === "down" || state === "disconnected";
}

/** Whether a task does its work, as far as its manager can know: what ran on a node that is down is not known to. */
export function isRunning({ state, desiredState, nodeId }: SwarmTask, down: ReadonlySet<string>): boolean {
  return state === "running" && (desiredState === "running" || desiredState === "complete") && !(nodeId !== null && down.has(nodeId));
}

/** Whether it is to run, or does: not over, and not to be ended. */
export function isCurrent({ state, desiredState }: SwarmTask): boolean {
  return !OVER.has(state) && (desiredState === "complete" || !OVER.has(desiredState));
}

/** The task with an error that changed last. */
export function lastFailure(tasks: readonly SwarmTask[]): SwarmTask | undefined {
  return tasks.filter(({ error }) => error !== null).toSorted((a, b) => b.since.getTime() - a.since.getTime())[0];
}

/** The tasks of one service by slot, or by node of a global one, newest first. */
export function slotsOf(tasks: readonly SwarmTask[], mode: ServiceMode): SwarmTask[][] {
  return [...Map.groupBy(tasks, (task) => placeOf(task, mode)).values()].map((ofSlot) =>
    ofSlot.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()),
  );
}

export function isJob({ mode }: SwarmService): boolean {
  return mode === "replicated-job" || mode === "global-job";
}

/** Nodes that are down, and those that tasks may be on. */
interface Nodes {
  down: ReadonlySet<string>;
  open: ReadonlySet<string>;
}

function watchedService(service: SwarmService, tasks: readonly SwarmTask[], { down, open }: Nodes): WatchedService {
  if (isJob(service)) return watchedJob(service, tasks, down);
  const running = tasks.filter((task) => isRunning(task, down)).length;
  const slots = slotsOf(tasks, service.mode);
  const desired = service.replicas ?? slots.filter((slot) => isAskedFor(slot, open)).length;
  const done = slots.filter(isDone).length;
  const state = stateOf({ running, done, desired });
  return { service, tasks, running, desired, completed: state === "completed" ? done : null, state };
}

/** Of a job what counts is its last run; tasks of earlier ones stay where they are. */
function watchedJob(service: SwarmService, tasks: readonly SwarmTask[], down: ReadonlySet<string>): WatchedService {
  const slots = slotsOf(lastRunOf(service, tasks), service.mode);
  const completed = slots.filter((slot) => slot.some(({ state }) => state === "complete")).length;
  const running = slots.filter((slot) => slot.some((task) => isRunning(task, down))).length;
  const desired = service.replicas ?? slots.length;
  return { service, tasks, running, desired, completed, state: stateOfJob({ active: running, completed, desired }) };
}

/** The tasks of a job that belong to the run that was asked for last; all where nobody says which do. */
export function lastRunOf({ jobIteration: last }: SwarmService, tasks: readonly SwarmTask[]): SwarmTask[] {
  return tasks.filter(({ jobIteration }) => last === null || jobIteration === null || jobIteration === last);
}

/** A global service asks for a task on each node that fits. The swarm says which by making one; one that ended of itself is not there as it should be. */
function isAskedFor([newest]: readonly SwarmTask[], open: ReadonlySet<string>): boolean {
  if (newest?.nodeId == null || !open.has(newest.nodeId)) return false;
  const { state, desiredState } = newest;
  return UP_TO_RUNNING.has(desiredState) || state === "failed" || state === "rejected" || state === "complete";
}

/** Of a service whose tasks are to run once: the swarm starts another where it asks for one. */
function isDone(slot: readonly SwarmTask[]): boolean {
  return slot[0]?.state === "complete" && !slot.some(isCurrent);
}

function stateOf({ running, done, desired }: { running: number; done: number; desired: number }): ServiceState {
  if (desired === 0) return "stopped";
  if (done >= desired && running === 0) return "completed";
  if (running + done >= desired) return "running";
  return running + done > 0 ? "degraded" : "down";
}

function stateOfJob({ active, completed, desired }: { active: number; completed: number; desired: number }): ServiceState {
  if (completed >= desired) return "completed";
  return active > 0 || completed > 0 ? "running" : "down";
}

/** `web.1`, as the engine names tasks; of a global service by its node. */
export function taskName(service: SwarmService | undefined, { slot, nodeId, serviceId }: SwarmTask): string {
  return `${service?.name ?? serviceId}.${placeOf({ slot, nodeId }, service?.mode) ?? "?"}`;
}
