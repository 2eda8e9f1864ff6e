import type { KubernetesProblemRecord } from "../../../src/monitoring/kubernetes/api.ts";
import type { NodeRecord, PodContainerRecord, PodRecord, WorkloadRecord } from "../../../src/monitoring/kubernetes/answers.ts";
import { explainExitCode } from "./exit-code.ts";
import { countOf } from "./number.ts";
import { STATUSES, type Status } from "./status.ts";

/** A status with its word, and what is known of why. */
export interface KubernetesStatus {
  status: Status;
  word: string;
  cause: string | undefined;
  since: undefined;
}

const statusOf = (status: Status, word: string, cause?: string | null): KubernetesStatus => ({
  status,
  word,
  cause: cause ?? undefined,
  since: undefined,
});

const worse = (one: Status, other: Status): Status => (STATUSES.indexOf(one) < STATUSES.indexOf(other) ? other : one);

type WorkloadFacts = Pick<WorkloadRecord, "kind" | "state" | "message" | "problems" | "rollout" | "ready">;
type WorkloadState = WorkloadRecord["state"];

/** A workload's state in a word, and how that looks. */
const STATES: Readonly<Record<WorkloadState, readonly [Status, string]>> = {
  running: ["ok", "Running"],
  progressing: ["maintenance", "Rolling out"],
  degraded: ["degraded", "Degraded"],
  down: ["down", "Down"],
  pending: ["idle", "Pending"],
  completed: ["idle", "Completed"],
  failed: ["down", "Failed"],
  suspended: ["idle", "Suspended"],
  stopped: ["idle", "Scaled to zero"],
};

/** The same where the kind makes it mean something else. */
const STATES_OF_KIND: Readonly<Record<string, Partial<Record<WorkloadState, readonly [Status, string]>>>> = {
  Job: { progressing: ["ok", "Running"] },
  Pod: { progressing: ["maintenance", "Starting"] },
  CronJob: {
    progressing: ["ok", "Running"],
    pending: ["idle", "Not run yet"],
    completed: ["idle", "Last run completed"],
    failed: ["down", "Last run failed"],
  },
};

/** What is wrong, where that says more than the state. */
const PROBLEM_WORDS: Partial<Record<KubernetesProblemRecord["alert"], string>> = {
  crash_loop: "Crash-looping",
  image_pull: "Image pull failing",
  oom: "OOM killed",
  evicted: "Evicted",
  unschedulable: "Unschedulable",
  cronjob_missed: "Run missed",
  rollout_stalled: "Rollout stalled",
};

/** A state as one names it to filter by. */
export const WORKLOAD_STATE_WORDS: Readonly<Record<WorkloadState, string>> = {
  down: "Down",
  failed: "Failed",
  degraded: "Degraded",
  progressing: "In progress",
  pending: "Pending",
  running: "Running",
  completed: "Completed",
  suspended: "Suspended",
  stopped: "Scaled to zero",
};

/** How a workload is: what is wrong comes before its state, and the sentence that says why beside both. */
export function workloadStatus({ kind, state, message, problems, rollout, ready }: WorkloadFacts): KubernetesStatus {
  const [status, word] = STATES_OF_KIND[kind]?.[state] ?? STATES[state];
  const problem = mainProblem(problems);
  const cause = message ?? problem?.message;
  // A rollout that leaves no pod ready serves nobody, however new it is.
  const atLeast = state === "progressing" && ready === 0 ? "down" : "degraded";
  if (problem !== undefined) return statusOf(worse(status, atLeast), PROBLEM_WORDS[problem.alert] ?? word, cause);
  if (rollout?.state === "stalled") return statusOf(worse(status, "degraded"), "Rollout stalled", cause ?? rollout.message);
  if (rollout?.state === "paused" && status === "ok") return statusOf("maintenance", "Rollout paused", cause);
  return statusOf(status, word, cause);
}

function mainProblem(problems: readonly KubernetesProblemRecord[]): KubernetesProblemRecord | undefined {
  return problems.find(({ alert }) => PROBLEM_WORDS[alert] !== undefined) ?? problems[0];
}

/** What is wrong beside what its status says: `OOM killed (its limit is 256 MiB)`. That pods are missing stands in the figures. */
export function alsoWrong({ problems }: Pick<WorkloadFacts, "problems">): string[] {
  const main = mainProblem(problems);
  return problems.flatMap((problem) => {
    const word = PROBLEM_WORDS[problem.alert];
    if (problem === main || word === undefined) return [];
    return problem.cause === null ? word : `${word} (${problem.cause})`;
  });
}

/** Whether someone should look at it. */
export function needsAttention(workload: WorkloadFacts & Pick<WorkloadRecord, "ignored">): boolean {
  const { status } = workloadStatus(workload);
  return !workload.ignored && (status === "down" || status === "degraded");
}

/** `2 / 3` pods ready; of a job `1 / 1 done`; of a CronJob how many runs are active. */
export function replicasText({ kind, ready, desired, job, cron_job: cronJob }: WorkloadCounts): string {
  if (job !== null) return `${job.succeeded} / ${job.completions ?? 1} done`;
  if (kind === "CronJob" && cronJob !== null) return cronJob.active === 0 ? "–" : `${cronJob.active} active`;
  return desired === null ? String(ready) : `${ready} / ${desired}`;
}
type WorkloadCounts = Pick<WorkloadRecord, "kind" | "ready" | "desired" | "job" | "cron_job">;

/** Words of `kubectl get pods` under STATUS that mean that it does not get on by itself, or ended badly. */
const BAD_STATUS = /BackOff|Err|Error|OOMKilled|Invalid|Evicted|Cannot|Failed|Deadline|Mismatch|Signal:|ExitCode:|NodeLost|Unexpected/;

type PodFacts = Pick<PodRecord, "phase" | "status" | "message" | "ready" | "deleting_since">;

/** How a pod is, in the word of `kubectl get pods`. */
export function podStatus({ phase, status, message, ready, deleting_since: deletingSince }: PodFacts): KubernetesStatus {
  if (deletingSince !== null) return statusOf("idle", "Terminating", message);
  if (phase === "Failed" || BAD_STATUS.test(status)) return statusOf("down", status, message);
  if (phase === "Succeeded") return statusOf("idle", status, message);
  if (phase === "Unknown") return statusOf("degraded", status, message);
  if (phase === "Running") return ready ? statusOf("ok", status, message) : statusOf("degraded", status, message ?? "not ready");
  return statusOf(message === null ? "idle" : "degraded", status, message);
}

type EndRecord = NonNullable<PodContainerRecord["end"]>;

/** How a container ended: `OOMKilled, exit code 137`, `Completed`. */
export function endWords({ reason, exit_code: code }: EndRecord): string {
  if (code === 0) return reason ?? "Completed";
  const explained = reason === null || reason === "Error" ? explainExitCode(code) : undefined;
  return [reason, explained, `exit code ${code}`].filter((part) => part !== null && part !== undefined).join(", ");
}

/** How a container of a pod is: its reason is the word, where it has one. */
export function podContainerStatus({ kind, state, reason, message, ready, end, last_end: last }: PodContainerRecord): KubernetesStatus {
  const before = last === null ? null : `last ended: ${endWords(last)}`;
  switch (state) {
    case "running":
      return ready || kind === "init" || kind === "ephemeral"
        ? statusOf("ok", "Running", message)
        : statusOf("degraded", "Running", message ?? "not ready");
    case "waiting": {
      const word = reason ?? "Waiting";
      return statusOf(BAD_STATUS.test(word) ? "down" : "idle", word, message ?? before);
    }
    case "terminated": {
      if (end === null) return statusOf("idle", reason ?? "Terminated", message);
      if (end.exit_code === 0) return statusOf("idle", end.reason ?? "Completed", message);
      return statusOf("down", end.reason ?? "Terminated", message ?? `exit code ${end.exit_code}`);
    }
  }
}

type NodeFacts = Pick<NodeRecord, "state" | "schedulable" | "message" | "pressures">;

/** How a node is, and whether it takes pods. */
export function nodeStatus({ state, schedulable, message, pressures }: NodeFacts): KubernetesStatus {
  if (state === "not_ready") return statusOf("down", "Not ready", message);
  if (state === "unknown") return statusOf("down", "Unknown", message);
  if (pressures.length > 0) return statusOf("degraded", pressures.map(pressureWords).join(", "), message);
  if (!schedulable) return statusOf("maintenance", "Cordoned", message ?? "takes no new pods");
  return statusOf("ok", "Ready", message);
}

/** `MemoryPressure` as words. */
function pressureWords(type: string, index: number): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return index === 0 ? `${words.charAt(0)}${words.slice(1).toLowerCase()}` : words.toLowerCase();
}

/** How far the kubelet is from the API server; undefined where they are level. */
export function skewWords({ version_skew: skew }: Pick<NodeRecord, "version_skew">): string | undefined {
  if (skew === null || (skew.minor === 0 && skew.supported)) return undefined;
  const far =
    skew.minor === 0 ? "" : `${countOf(Math.abs(skew.minor), "minor version")} ${skew.minor > 0 ? "behind" : "ahead of"} the API server`;
  return skew.supported ? far : [far, "not supported"].filter((part) => part !== "").join(", ");
}
