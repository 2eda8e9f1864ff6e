import type { KubernetesAlert } from "../../events.ts";

/** What is remembered of a cluster between two looks. */
export interface Memory {
  /** Since when what is wrong has been so, by {@link problemKey}. */
  since: Map<string, Date>;
  /** What happened lately, by problem, then by what tells it from others: clusters forget. */
  incidents: Map<string, Map<string, Date>>;
  /** How often each container of a workload's pods had been restarted when it was last seen, by workload. */
  restarts: Map<string, Map<string, number>>;
  /** How far the rollout of each workload was. */
  rollouts: Map<string, string>;
  /** Pods that are known to have been evicted, by workload: a cluster does not say when. */
  evicted: Map<string, Map<string, Date>>;
  /** When the run that failed last had ended, by CronJob and the clock of the cluster. */
  failedRuns: Map<string, Date>;
}

export function newMemory(): Memory {
  return { since: new Map(), incidents: new Map(), restarts: new Map(), rollouts: new Map(), evicted: new Map(), failedRuns: new Map() };
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
export const INCIDENT_WINDOW_MS = 10 * 60_000;
const MOST_INCIDENTS = 200;
/** Alerts of what happened once, of which a cluster shows nothing once the pod is replaced. */
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
  for (const alert of alerts) {
    memory.since.delete(problemKey(alert, id));
    memory.incidents.delete(problemKey(alert, id));
  }
}
