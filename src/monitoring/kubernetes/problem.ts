import { type CronLine, parseCron, nextFiring } from "../../contract/cron.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { openZone } from "../../contract/zone.ts";
import type { EventData, KubernetesAlert } from "../../events.ts";
import type { KubernetesObjectKind } from "../../observations/kubernetes.ts";
import type { CronJobState } from "../../observations/kubernetes-workloads.ts";
import type { Inventory } from "./inventory.ts";

type AlertData = EventData["kubernetes.alert"];

/** Something that is wrong with a cluster. */
export interface KubernetesProblem extends Pick<
  AlertData,
  "id" | "name" | "alert" | "entity_type" | "severity" | "message" | "cause" | "node_ids" | "namespace" | "kind"
> {
  labels: Record<string, string>;
  channels: string[];
  tags: string[];
  since: Date;
}

/** What problems are judged by. `memory` is changed. */
export interface Context {
  memory: Memory;
  /** What it is alerted with already: then it lasts until health is seen, and need not wait again. */
  alerted(alert: KubernetesAlert, id: string): KubernetesProblem | undefined;
  /** Whether all is seen that an alert is judged by. */
  isSeen(alert: KubernetesAlert): boolean;
  /** The first look at the pods of this cluster since our start. */
  isFirst: boolean;
  now: Date;
  inventory: Inventory;
  runTimes: RunTimes;
}

/** When a problem is alerted. */
interface AlertRule {
  /** How long it must be wrong before. A node may miss a report, and a scheduler may wait for a new node. */
  waitsMs: number;
  /** What must be seen for it to be seen, or to be seen to be over. */
  judgedBy: readonly KubernetesObjectKind[];
}

export const ALERT_RULES: Record<KubernetesAlert, AlertRule> = {
  replica_unhealthy: { waitsMs: 5 * MINUTE_MS, judgedBy: ["workloads"] },
  crash_loop: { waitsMs: 0, judgedBy: ["workloads", "pods"] },
  image_pull: { waitsMs: MINUTE_MS, judgedBy: ["workloads", "pods"] },
  oom: { waitsMs: 0, judgedBy: ["workloads", "pods"] },
  evicted: { waitsMs: 0, judgedBy: ["workloads", "pods"] },
  unschedulable: { waitsMs: MINUTE_MS, judgedBy: ["workloads", "pods"] },
  job_failed: { waitsMs: 0, judgedBy: ["workloads"] },
  cronjob_missed: { waitsMs: MINUTE_MS, judgedBy: ["workloads"] },
  rollout_stalled: { waitsMs: 0, judgedBy: ["workloads"] },
  node_not_ready: { waitsMs: 15_000, judgedBy: ["nodes"] },
  node_pressure: { waitsMs: 0, judgedBy: ["nodes"] },
  pvc_filling: { waitsMs: 0, judgedBy: ["claims"] },
  certificate_expiring: { waitsMs: 0, judgedBy: ["certificates"] },
  api_unreachable: { waitsMs: MINUTE_MS, judgedBy: [] },
};

/** What nobody annotates. */
export const UNANNOTATED = { labels: {}, channels: [], tags: [], node_ids: [], kind: null };

/** `web`, or `shop/web` of what is in a namespace. */
export function nameOf({ name, namespace }: { name: string; namespace?: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What is remembered of a cluster between two looks. */
export interface Memory {
  /** Since when what is wrong has been so, by {@link problemKey}. */
  since: Map<string, Date>;
  /** What happened lately, by problem, then by what distinguishes it from others: clusters forget. */
  incidents: Map<string, Map<string, Date>>;
  /** How often each container of a workload's pods had been restarted when it was last seen, by workload. */
  restarts: Map<string, Map<string, number>>;
  /** How far the rollout of each workload was. */
  rollouts: Map<string, string>;
  /** Pods that are known to have been evicted, by workload: a cluster does not say when. */
  evicted: Map<string, Map<string, Date>>;
  /** When the run that failed last had ended, by CronJob and the clock of the cluster. */
  failedRuns: Map<string, Date>;
  /** By CronJob. */
  schedules: Map<string, KnownSchedule>;
}

interface KnownSchedule {
  /** With its time zone; null while it is suspended. */
  schedule: string | null;
  /** When it was seen to change; of what was so at the first look, what the cluster says of it. */
  since: Date | null;
}

export function newMemory(): Memory {
  return {
    ...{ since: new Map(), incidents: new Map(), restarts: new Map(), rollouts: new Map(), evicted: new Map() },
    ...{ failedRuns: new Map(), schedules: new Map() },
  };
}

export function problemKey(alert: KubernetesAlert, id: string): string {
  return `${alert} ${id}`;
}

/** The object that a {@link problemKey} is about. */
export function idOfKey(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}

export function sinceOf({ since }: Memory, key: string, now: Date): Date {
  const known = since.get(key) ?? now;
  since.set(key, known);
  return known;
}

/** Incidents that are older count no more. */
const INCIDENT_WINDOW_MS = 10 * MINUTE_MS;
const MOST_INCIDENTS = 200;
/** Alerts about single incidents, of which a cluster shows nothing once the pod is replaced. */
const OF_INCIDENTS: readonly KubernetesAlert[] = ["oom", "evicted"];

/** What was alerted before our start: when it happened last is not known, so that the time without it begins now. */
export function resumeIncidents({ incidents }: Memory, { alert, id }: { alert: KubernetesAlert; id: string }, now: Date): void {
  if (OF_INCIDENTS.includes(alert)) incidents.set(problemKey(alert, id), new Map([["before our start", now]]));
}

/** Adds what happened, and answers how much of it happened lately. */
export function recentIncidents({ incidents }: Memory, key: string, { seen, now }: { seen: ReadonlyMap<string, Date>; now: Date }): number {
  if (seen.size === 0 && !incidents.has(key)) return 0;
  const oldest = now.getTime() - INCIDENT_WINDOW_MS;
  const known = incidents.get(key) ?? new Map<string, Date>();
  for (const [what, at] of seen) if (at.getTime() >= oldest && known.size < MOST_INCIDENTS && !known.has(what)) known.set(what, at);
  for (const [what, at] of known) if (at.getTime() < oldest) known.delete(what);
  if (known.size === 0) incidents.delete(key);
  else incidents.set(key, known);
  return known.size;
}

/** What is remembered of a workload goes with it. */
export function forget(memory: Memory, id: string, alerts: readonly KubernetesAlert[]): void {
  memory.restarts.delete(id);
  memory.rollouts.delete(id);
  memory.evicted.delete(id);
  memory.failedRuns.delete(id);
  memory.schedules.delete(id);
  for (const alert of alerts) {
    memory.since.delete(problemKey(alert, id));
    memory.incidents.delete(problemKey(alert, id));
  }
}

const CACHED = 1000;

/** When the runs of CronJobs are due. */
export interface RunTimes {
  /** The first run after an instant; null of a schedule or a time zone that is not understood. */
  next(cronJob: Pick<CronJobState, "schedule" | "timeZone">, after: Date): Date | null;
}

/** Remembers the schedules that it was asked about, since parsing them costs far more than reading them. */
export function createRunTimes(): RunTimes {
  const lines = new Map<string, CronLine | null>();

  function remembered(schedule: string): CronLine | null {
    const known = lines.get(schedule);
    if (known !== undefined) return known;
    if (lines.size >= CACHED) lines.clear();
    const line = lineOf(schedule);
    lines.set(schedule, line);
    return line;
  }

  return {
    next({ schedule, timeZone }, after) {
      const line = remembered(schedule);
      // A controller manager runs in UTC unless somebody changed its image.
      const zone = openZone(timeZone ?? "UTC");
      return line === null || zone === undefined ? null : nextFiring(line, zone, after);
    },
  };
}

/** The controller follows the clock on the wall: it leaves out what a clock leaves out, and repeats what it repeats. */
function lineOf(schedule: string): CronLine | null {
  const parsed = parseCron(schedule);
  return "fault" in parsed ? null : { ...parsed.line, isWildcard: true };
}
