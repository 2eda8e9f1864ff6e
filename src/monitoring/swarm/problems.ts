import { MINUTE_MS } from "../../contract/time.ts";
import type { SwarmAlert } from "../../events.ts";
import { placeOf } from "../../observations/swarm.ts";
import { counted } from "../../platform/text.ts";
import { problemsOfNode, quorumProblem } from "./node-problems.ts";
import { type Memory, problemKey, type SwarmProblem, WAITS_MS, type Context, sinceOf } from "./problem.ts";
import {
  type Cluster,
  downNodes,
  servicesOf,
  isCurrent,
  isJob,
  isRunning,
  lastFailure,
  lastRunOf,
  slotsOf,
  taskName,
  type WatchedService,
} from "./replicas.ts";

/**
 * What is wrong with a cluster that a manager shows now. `memory` is changed: it holds since when. `alerted` holds the keys of problems that are alerted
 * already: they last until health is seen, and need not wait again.
 */
export function problemsOf(
  cluster: Cluster,
  { memory, alerted, now }: { memory: Memory; alerted: ReadonlySet<string>; now: Date },
): SwarmProblem[] {
  const { topology } = cluster;
  const context = { memory, alerted, now, down: downNodes(topology.nodes) };
  const found = [
    ...servicesOf(topology)
      .filter(({ service }) => !service.settings.ignored)
      .flatMap((each) => problemsOfService(each, context)),
    ...topology.nodes.flatMap((node) => problemsOfNode(node, topology.tasks, context)),
    ...quorumProblem(cluster, topology.nodes, context),
  ];
  const wrong = new Set(found.map(({ alert, id }) => problemKey(alert, id)));
  for (const key of memory.since.keys()) if (!wrong.has(key)) memory.since.delete(key);
  forgetGone(memory, new Set(topology.services.map(({ id }) => id)), now);
  return found.filter(({ alert, id, since }) => {
    const key = problemKey(alert, id);
    return alerted.has(key) || now.getTime() - since.getTime() >= WAITS_MS[alert];
  });
}

/** What is remembered of services goes with them, and failures of places that they have no more in their time. */
function forgetGone({ failures, updating, rolledBack, missing }: Memory, there: ReadonlySet<string>, now: Date): void {
  for (const map of [updating, rolledBack, missing]) for (const id of map.keys()) if (!there.has(id)) map.delete(id);
  const oldestMs = now.getTime() - LOOP_WINDOW_MS;
  for (const [place, times] of failures) {
    const isOver = [...times.values()].every((at) => at.getTime() < oldestMs);
    if (isOver || !there.has(place.slice(0, place.indexOf(" ")))) failures.delete(place);
  }
}

/** So many failures of one slot within this time are a loop; it is over when there was none for as long, and the service runs. */
const LOOP_FAILURES = 3;
const LOOP_WINDOW_MS = 10 * MINUTE_MS;

/** What is wrong with one service. `memory` is changed. */
function problemsOfService(watched: WatchedService, context: Context): SwarmProblem[] {
  const { service, running, desired, completed, tasks, state } = watched;
  const { memory, alerted, down } = context;
  const ofTasks = `of ${counted(desired, "task")}`;
  const isShort = isJob(service) ? isGivenUp(watched) : state === "degraded" || state === "down";
  const failed = lastFailure(tasks);
  const problem = (alert: SwarmAlert, facts: ProblemFacts): SwarmProblem => problemOf(watched, context, alert, facts);
  const found: SwarmProblem[] = [];
  if (comesOn(watched, context)) memory.since.delete(problemKey("replica_unhealthy", service.id));
  if (isShort)
    found.push(
      problem("replica_unhealthy", {
        node_ids: nodesOfTrouble(watched, down),
        severity: state === "down" ? "critical" : "warning",
        message: isJob(service)
          ? `${service.name} completed ${completed ?? 0} ${ofTasks}, and no other is to run.`
          : `${service.name} runs ${running} ${ofTasks}.`,
        cause: failed?.error ?? null,
      }),
    );

  const loop = loopOf(watched, context);
  const loopLasts = alerted.has(problemKey("crash_loop", service.id)) && (loop.recent > 0 || isShort);
  if (loop.worst >= LOOP_FAILURES || loopLasts)
    found.push(
      problem("crash_loop", {
        severity: "warning",
        message:
          loop.worst === 0
            ? `${service.name} was crash-looping, and runs ${running} ${ofTasks} since.`
            : `${service.name} is crash-looping: ${loop.name ?? "a task"} failed ${counted(loop.worst, "time")} in 10 minutes.`,
        cause: failed?.error ?? null,
      }),
    );

  const rollout = service.rollout;
  if (rollout?.state === "paused" || rollout?.state === "rollback_paused")
    found.push(
      problem("update_paused", {
        severity: "warning",
        message: `The ${rollout.state === "paused" ? "update" : "rollback"} of ${service.name} is paused.`,
        cause: rollout.message || null,
      }),
    );
  if (isRolledBack(watched, context))
    found.push(
      problem("update_rollback", {
        severity: "warning",
        message: `The update of ${service.name} failed and was rolled back.`,
        cause: failed?.error ?? rollout?.message ?? null,
      }),
    );
  return found;
}

type ProblemFacts = Pick<SwarmProblem, "severity" | "message" | "cause"> & Partial<Pick<SwarmProblem, "node_ids">>;

function problemOf({ service }: WatchedService, { memory, now }: Context, alert: SwarmAlert, facts: ProblemFacts): SwarmProblem {
  return {
    id: service.id,
    name: service.name,
    entity_type: "swarm_service",
    stack: service.stack,
    labels: service.labels,
    channels: service.settings.alertChannels,
    tags: service.settings.alertTags,
    node_ids: [],
    alert,
    ...facts,
    since: sinceOf(memory, problemKey(alert, service.id), now),
  };
}

/** Whether a job is short of tasks that completed, and none is left that may. */
function isGivenUp({ service, tasks, state }: WatchedService): boolean {
  return state !== "completed" && !lastRunOf(service, tasks).some(isCurrent);
}

/** Whether an update or rollback in progress is at another slot than before. The wait of what is alerted does not restart. */
function comesOn({ service: { id, mode, rollout }, tasks }: WatchedService, { memory, alerted, down }: Context): boolean {
  const missing = slotsOf(tasks, mode)
    .filter((slot) => !slot.some((task) => isRunning(task, down)))
    .flatMap(([newest]) => (newest && placeOf(newest, mode)) ?? [])
    .toSorted()
    .join(" ");
  const before = memory.missing.get(id);
  memory.missing.set(id, missing);
  if (rollout?.state !== "updating" && rollout?.state !== "rollback_started") return false;
  return before !== missing && !alerted.has(problemKey("replica_unhealthy", id));
}

/**
 * The nodes that are down and explain every task that is missing; none where another is missing too. A task is explained by the node that it is on, and one
 * that no node takes by that of the task before it in its slot.
 */
function nodesOfTrouble({ service, tasks, running, desired }: WatchedService, down: ReadonlySet<string>): string[] {
  const explaining = slotsOf(tasks, service.mode).flatMap(([newest, before]) => {
    if (newest === undefined || !isCurrent(newest) || isRunning(newest, down)) return [];
    const nodeId = newest.nodeId ?? (before?.state === "running" ? before.nodeId : null);
    return nodeId !== null && down.has(nodeId) ? nodeId : [];
  });
  return explaining.length < desired - running ? [] : [...new Set(explaining)];
}

/** How often the worst slot failed lately. */
function loopOf({ service, tasks }: WatchedService, { memory, now }: Context): { worst: number; recent: number; name: string | undefined } {
  const oldest = now.getTime() - LOOP_WINDOW_MS;
  let worst = 0;
  let recent = 0;
  let name: string | undefined;
  for (const [place, ofPlace] of Map.groupBy(tasks, (task) => `${service.id} ${placeOf(task, service.mode)}`)) {
    const failures = memory.failures.get(place) ?? new Map<string, Date>();
    for (const { id, state, since } of ofPlace) if (state === "failed" || state === "rejected") failures.set(id, since);
    for (const [id, at] of failures) if (at.getTime() < oldest) failures.delete(id);
    if (failures.size === 0) memory.failures.delete(place);
    else memory.failures.set(place, failures);
    recent += failures.size;
    if (failures.size <= worst) continue;
    worst = failures.size;
    name = ofPlace[0] && taskName(service, ofPlace[0]);
  }
  return { worst, recent, name };
}

/** A rollback that somebody asked for is no failure. The engine says so only while it is in progress, so it is remembered. */
function isRolledBack({ service: { id, rollout } }: WatchedService, { memory, alerted }: Context): boolean {
  const isBack = rollout !== null && rollout.state.startsWith("rollback");
  const started = rollout?.startedAt?.getTime() ?? 0;
  const updated = memory.updating.get(id);
  if (rollout?.state === "updating") memory.updating.set(id, started);
  else if (rollout !== null) memory.updating.delete(id);
  if (!isBack) {
    // Until an update comes through, the version that was asked for is not there. The engine forgets an update with the next change that is none.
    const isThrough = rollout?.state === "completed";
    if (isThrough) memory.rolledBack.delete(id);
    return !isThrough && (memory.rolledBack.has(id) || alerted.has(problemKey("update_rollback", id)));
  }
  // A manual rollback has its own start time; one that follows a failed update has that of the update.
  const isFailure = /fail|terminat/i.test(rollout.message) || (rollout.state === "rollback_completed" && updated === started);
  if (isFailure || alerted.has(problemKey("update_rollback", id))) memory.rolledBack.set(id, started);
  return memory.rolledBack.get(id) === started;
}
