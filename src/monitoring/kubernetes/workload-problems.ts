import type { KubernetesAlert } from "../../events.ts";
import type { CronJobState, KubernetesPod, KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import { explainPod, explainWorkload, isPullFailure, sentence } from "./explain.ts";
import { type AsBefore, crashLoopOf, evictionsOf, outOfMemoryOf } from "./incidents.ts";
import { type Context, type KubernetesProblem, nameOf, problemKey, sinceOf } from "./problem.ts";
import { countsOf, isCurrent, isProgressing, nodeState, workloadState } from "./state.ts";

type Facts = Pick<KubernetesProblem, "severity" | "message" | "cause">;
/** `before` is what is alerted already. */
type Judge = (of: Subject, context: Context, before: KubernetesProblem | undefined) => Facts | AsBefore | undefined;

/** A workload with its pods, and its numbers. */
interface Subject {
  workload: KubernetesWorkload;
  /** `shop/web`. */
  name: string;
  /** All of them, those too that are done or to go. */
  pods: readonly KubernetesPod[];
  /** Those that are to do its work. */
  current: readonly KubernetesPod[];
  desired: number;
  ready: number;
}

/** A CronJob may be a little late. */
const LATE_MS = 60_000;

const JUDGES: Partial<Record<KubernetesAlert, Judge>> = {
  replica_unhealthy: missingReplicas,
  crash_loop: crashLoop,
  image_pull: imagePull,
  oom: outOfMemory,
  evicted: evictedPods,
  unschedulable: unschedulablePods,
  job_failed: failedJob,
  cronjob_missed: missedRun,
  rollout_stalled: stalledRollout,
};
// The keys of a record of alerts are alerts.
export const WORKLOAD_ALERTS = Object.keys(JUDGES) as KubernetesAlert[];

/** What is wrong with a workload, however long it has been so. */
export function problemsOfWorkload(workload: KubernetesWorkload, context: Context): KubernetesProblem[] {
  const { id, namespace, kind, labels, settings } = workload;
  if (settings.ignored) return [];
  const pods = context.inventory.podsOf(id);
  const subject: Subject = { workload, name: nameOf(workload), pods, current: pods.filter(isCurrent), ...countsOf(workload, pods) };
  const found = WORKLOAD_ALERTS.flatMap((alert) => {
    const before = context.alerted(alert, id);
    const judged = JUDGES[alert]?.(subject, context, before);
    const facts = judged === "as before" ? before && factsOf(before) : judged;
    return facts === undefined ? [] : [{ ...facts, alert, since: sinceOf(context.memory, problemKey(alert, id), context.now) }];
  });
  if (found.length === 0) return [];
  const base = {
    ...{ id, name: subject.name, entity_type: "kubernetes_workload" as const, namespace, kind, labels },
    ...{ channels: settings.alertChannels, tags: settings.alertTags, node_ids: lostNodesOf(pods, context) },
  };
  return found.map((each) => ({ ...base, ...each }));
}

function factsOf({ severity, message, cause }: KubernetesProblem): Facts {
  return { severity, message, cause };
}

/** Nodes that are not ready, and have pods of the workload: what is wrong with those is explained by that. */
function lostNodesOf(pods: readonly KubernetesPod[], { inventory }: Context): string[] {
  const names = new Set(pods.flatMap(({ nodeName }) => nodeName ?? []));
  return [...names].flatMap((name) => {
    const node = inventory.nodeNamed(name);
    return node === undefined || nodeState(node) === "ready" ? [] : node.id;
  });
}

function missingReplicas(subject: Subject, context: Context, before: KubernetesProblem | undefined): Facts | AsBefore | undefined {
  const { workload, name, pods, desired, ready } = subject;
  const state = workloadState(workload, pods);
  // A bare pod that failed asks for none any more, and is not well by that.
  if (workload.kind === "Pod" && state === "failed") return before && "as before";
  if (workload.job !== null || workload.cronJob !== null || state === "completed") return undefined;
  if (desired === 0 || ready >= desired || isHeldByRollout(subject, context)) return undefined;
  return {
    severity: ready === 0 ? "critical" : "warning",
    message:
      workload.kind === "Pod" ? `${name} is not ready.` : `${name} has ${ready} of ${desired} ${desired === 1 ? "pod" : "pods"} ready.`,
    cause: explainWorkload(workload, pods),
  };
}

/** A rollout explains that pods are missing: one with a deadline until that is over, others while they make their way. */
function isHeldByRollout({ workload, ready }: Subject, { memory, alerted }: Context): boolean {
  const { id, replicas, rollout } = workload;
  if (alerted("replica_unhealthy", id) !== undefined) return false;
  if (!isProgressing(workload)) {
    memory.rollouts.delete(id);
    return false;
  }
  // A cluster gives a reason only for Deployments that have a progress deadline.
  if (rollout !== null && rollout.reason !== null) return true;
  const place = `${replicas.updated} ${ready} ${workload.revision}`;
  if (memory.rollouts.get(id) === place) return false;
  memory.rollouts.set(id, place);
  memory.since.delete(problemKey("replica_unhealthy", id));
  return false;
}

function crashLoop({ workload, name, pods, ready }: Subject, context: Context): Facts | AsBefore | undefined {
  const loop = crashLoopOf(workload.id, pods, context);
  if (loop === undefined || loop === "as before") return loop;
  return { severity: ready === 0 ? "critical" : "warning", message: `${name} is crash-looping: ${loop.words}.`, cause: loop.cause };
}

function imagePull(subject: Subject, _context: Context, before: KubernetesProblem | undefined): Facts | AsBefore | undefined {
  const { name, current, ready, desired } = subject;
  const waiting = current.flatMap(({ containers }) => containers.filter(isPullFailure));
  const [first] = waiting;
  // A pod in the place of one that had no image has not shown yet that it has one.
  if (first === undefined) return before && (isShort(subject) || current.some(waitsForImages)) ? "as before" : undefined;
  const images = new Set(waiting.map(({ image }) => image));
  const more = images.size > 1 ? ` and ${images.size - 1} more` : "";
  return {
    severity: ready === 0 && desired > 0 ? "critical" : "warning",
    message: `${name} cannot pull the image ${first.image}${more}.`,
    cause: first.message ?? first.reason,
  };
}

/** Some of its pods are not even there, as while others take their place. */
function isShort({ current, desired }: Subject): boolean {
  return current.length < desired;
}

/** It has a node, and a container that was never started: its image may be on its way. */
function waitsForImages({ nodeName, containers }: KubernetesPod): boolean {
  return (
    nodeName !== null && containers.some(({ kind, state, lastEnd }) => kind !== "ephemeral" && state === "waiting" && lastEnd === null)
  );
}

function outOfMemory({ workload, name, pods }: Subject, context: Context): Facts | AsBefore | undefined {
  const killed = outOfMemoryOf(workload.id, pods, context);
  if (killed === undefined || killed === "as before") return killed;
  return { severity: "warning", message: `${name} ran out of memory: ${killed.words}.`, cause: killed.cause };
}

function evictedPods({ workload, name, pods }: Subject, context: Context): Facts | AsBefore | undefined {
  const evicted = evictionsOf(workload.id, pods, context);
  if (evicted === undefined || evicted === "as before") return evicted;
  return { severity: "warning", message: `${name}: ${evicted.words} evicted.`, cause: evicted.cause };
}

function unschedulablePods(subject: Subject, _context: Context, before: KubernetesProblem | undefined): Facts | AsBefore | undefined {
  const { name, current, ready, desired } = subject;
  const waiting = current.filter(({ unschedulable }) => unschedulable !== null);
  // The scheduler was not asked yet about a pod in the place of one that no node took.
  if (waiting.length === 0)
    return before && (isShort(subject) || current.some(({ nodeName }) => nodeName === null)) ? "as before" : undefined;
  return {
    severity: ready === 0 && desired > 0 ? "critical" : "warning",
    message: `No node takes ${waiting.length === 1 ? "a pod" : `${waiting.length} pods`} of ${name}.`,
    cause: waiting[0]?.unschedulable ?? null,
  };
}

function failedJob(
  { workload: { id, job, cronJob }, name, pods }: Subject,
  { memory: { failedRuns } }: Context,
  before: KubernetesProblem | undefined,
): Facts | AsBefore | undefined {
  const why = pods.flatMap((pod) => explainPod(pod) ?? [])[0];
  if (job?.outcome === "failed")
    return { severity: "warning", message: sentence(`The job ${name} failed`, job.reason), cause: why ?? job.message };
  const last = cronJob?.lastOutcome;
  if (last?.outcome !== "failed") return before && !hasSucceeded(cronJob, failedRuns.get(id) ?? before.since) ? "as before" : undefined;
  if (last.finishedAt !== null) failedRuns.set(id, last.finishedAt);
  const own = pods.filter(({ jobName }) => jobName === last.jobName).flatMap((pod) => explainPod(pod) ?? [])[0];
  return { severity: "warning", message: sentence(`The last run of ${name} failed`, last.reason), cause: own ?? last.jobName };
}

/** Whether a run succeeded since then. The cluster removes jobs that failed, and what is left may be older. */
function hasSucceeded(cronJob: KubernetesWorkload["cronJob"], since: Date): boolean {
  if (cronJob === null) return true;
  const { lastOutcome, lastSuccessAt } = cronJob;
  return [lastOutcome?.finishedAt, lastSuccessAt].some((at) => at != null && at >= since);
}

function missedRun({ workload: { id, cronJob, createdAt }, name }: Subject, { now, runTimes, memory }: Context): Facts | undefined {
  if (cronJob === null) return undefined;
  const since = scheduledSince(id, cronJob, { now, memory });
  if (cronJob.suspended) return undefined;
  // The next run waits for the one before.
  if (cronJob.concurrencyPolicy === "Forbid" && cronJob.active > 0) return undefined;
  const last = cronJob.lastScheduledAt ?? createdAt;
  // Runs of before a change are not all made up for: none that is past its starting deadline.
  const from = last !== null && since !== null && since > last ? since : last;
  const due = from === null ? null : runTimes.next(cronJob, from);
  if (due === null) return undefined;
  const lateMs = now.getTime() - due.getTime();
  if (lateMs < Math.max(LATE_MS, (cronJob.startingDeadlineSeconds ?? 0) * 1000)) return undefined;
  return {
    severity: "warning",
    message: `${name} missed its run of ${due.toISOString()}.`,
    cause: `schedule ${cronJob.schedule}${cronJob.timeZone === null ? "" : ` in ${cronJob.timeZone}`}`,
  };
}

/**
 * When a CronJob was seen to be resumed, or to get its present schedule. What was so at the first look is so since the cluster's own record of it: the
 * first look itself would hide runs that were missed before our start. null where the cluster has no record.
 */
function scheduledSince(
  id: string,
  { suspended, schedule, timeZone, scheduleChangedAt }: CronJobState,
  { now, memory }: Pick<Context, "now" | "memory">,
): Date | null {
  const present = suspended ? null : `${schedule} ${timeZone ?? ""}`;
  const known = memory.schedules.get(id);
  if (known?.schedule === present) return known.since;
  const since = known === undefined ? scheduleChangedAt : now;
  memory.schedules.set(id, { schedule: present, since });
  return since;
}

function stalledRollout({ workload, name, pods }: Subject): Facts | undefined {
  const { rollout } = workload;
  if (rollout?.state !== "stalled") return undefined;
  return {
    severity: "warning",
    message: `The rollout of ${name} makes no progress.`,
    cause: explainWorkload(workload, pods) ?? rollout.message ?? rollout.reason,
  };
}
