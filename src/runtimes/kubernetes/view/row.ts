import type { Health, Port } from "../../../observations.ts";
import type { KubernetesPod, PodContainer, PodContainerEnd } from "../../../observations/kubernetes-workloads.ts";
import type { RuntimeContainer, RuntimeWorkload } from "../../runtime.ts";

/** Words for a container that is not started since something is wrong with it. */
const BROKEN = /^(?!ContainerCreating$|PodInitializing$).+/;

type RowState = Pick<RuntimeContainer, "state" | "health" | "exitCode" | "oomKilled" | "errorDetail" | "stopRequested" | "finishedAt">;

const WELL: RowState = {
  state: "running",
  health: null,
  exitCode: null,
  oomKilled: false,
  errorDetail: null,
  stopRequested: false,
  finishedAt: null,
};

/** A workload as one row among the containers, named `namespace/name`. Source: contract, section 15. */
export function rowOf(workload: RuntimeWorkload, pods: readonly KubernetesPod[], ports: readonly Port[]): RuntimeContainer {
  const [main] = workload.containers;
  return {
    externalId: workload.id,
    name: `${workload.namespace}/${workload.name}`,
    image: main?.image ?? "",
    imageDigest: digestOf(pods, main?.name),
    imageId: null,
    imagePlatform: null,
    healthFailure: null,
    ...stateOf(workload, pods),
    restartCount: pods.flatMap(appContainers).reduce((sum, { restartCount }) => sum + restartCount, 0),
    project: { name: workload.namespace, source: "namespace" },
    unit: `${workload.kind}/${workload.name}`,
    labels: workload.labels,
    imageLabels: [],
    ports: [...ports],
    networkMode: workload.security?.hostNetwork === true ? "host" : null,
    privileged: (workload.security?.privileged.length ?? 0) > 0,
    runtime: "kubernetes",
    createdAt: workload.createdAt,
    startedAt: startOf(workload, pods),
  };
}

/** A workload of many pods keeps running while they come and go: a later start would be a restart of it. */
function startOf({ kind, job, cronJob, createdAt }: RuntimeWorkload, pods: readonly KubernetesPod[]): Date | null {
  if (job !== null) return job.startedAt;
  if (cronJob !== null) return null;
  if (kind !== "Pod") return createdAt;
  return earliest(pods.flatMap(appContainers).map(({ startedAt }) => startedAt));
}

function stateOf(workload: RuntimeWorkload, pods: readonly KubernetesPod[]): RowState {
  const { job, cronJob, kind } = workload;
  if (job !== null) return jobState(job.outcome, pods, { finishedAt: job.completedAt, detail: job.message ?? job.reason });
  if (cronJob !== null) return cronJobState(workload, pods);
  return kind === "Pod" ? barePodState(pods[0]) : replicatedState(workload, pods);
}

function replicatedState({ replicas, rollout, isOutdated }: RuntimeWorkload, pods: readonly KubernetesPod[]): RowState {
  const { desired, ready } = replicas;
  if (desired === 0) return { ...WELL, state: "exited", stopRequested: true, exitCode: 0 };
  if (ready >= (desired ?? 1)) return { ...WELL, health: "healthy" };
  const isComing = isOutdated || rollout?.state === "progressing";
  const health: Health = isComing ? "starting" : "unhealthy";
  if (ready > 0) return { ...WELL, health, errorDetail: troubleOf(pods) };
  return notReady(pods, health);
}

/** The state of pods when none of them is ready. */
function notReady(pods: readonly KubernetesPod[], health: Health): RowState {
  const containers = pods.flatMap(appContainers);
  const ends = containers.flatMap(({ end, lastEnd }) => end ?? lastEnd ?? []);
  const facts = { ...endFacts(newestEnd(ends)), errorDetail: troubleOf(pods) };
  if (containers.some(({ state }) => state === "running")) return { ...WELL, ...facts, health, exitCode: null, finishedAt: null };
  if (containers.some(({ reason }) => reason === "CrashLoopBackOff") || ends.length > 0) return { ...WELL, ...facts, state: "restarting" };
  const isBroken = pods.some(({ status, unschedulable }) => unschedulable !== null || isTrouble(status));
  return { ...WELL, ...facts, state: isBroken ? "exited" : "created" };
}

function isTrouble(status: string): boolean {
  return status !== "Pending" && status !== "Running" && BROKEN.test(status) && !/^Init:\d+\/\d+$/.test(status);
}

function barePodState(pod: KubernetesPod | undefined): RowState {
  if (pod === undefined) return { ...WELL, state: "created" };
  const facts = { ...endFacts(newestEnd(appContainers(pod).flatMap(({ end }) => end ?? []))), errorDetail: troubleOf([pod]) };
  if (pod.phase === "Succeeded") return { ...WELL, ...facts, state: "exited", exitCode: 0 };
  if (pod.phase === "Failed") return { ...WELL, ...facts, state: "exited", exitCode: facts.exitCode ?? 1 };
  if (pod.ready) return { ...WELL, health: "healthy" };
  return notReady([pod], "unhealthy");
}

function jobState(
  outcome: "running" | "complete" | "failed" | "suspended",
  pods: readonly KubernetesPod[],
  { finishedAt, detail }: { finishedAt: Date | null; detail: string | null },
): RowState {
  if (outcome === "suspended") return { ...WELL, state: "paused" };
  if (outcome === "complete") return { ...WELL, state: "exited", exitCode: 0, finishedAt };
  if (outcome === "failed") {
    const end = endFacts(newestEnd(pods.flatMap(appContainers).flatMap((each) => each.end ?? each.lastEnd ?? [])));
    return {
      ...WELL,
      ...end,
      state: "exited",
      exitCode: end.exitCode ?? 1,
      errorDetail: detail ?? troubleOf(pods),
      finishedAt: finishedAt ?? end.finishedAt,
    };
  }
  const isRunning = pods.flatMap(appContainers).some(({ state }) => state === "running");
  return { ...WELL, state: isRunning ? "running" : "created", errorDetail: troubleOf(pods) };
}

/** Between its runs it is as its last run ended. */
function cronJobState({ cronJob }: RuntimeWorkload, pods: readonly KubernetesPod[]): RowState {
  if (cronJob === null) return WELL;
  if (cronJob.active > 0) return jobState("running", pods, { finishedAt: null, detail: null });
  if (cronJob.suspended) return { ...WELL, state: "paused" };
  const last = cronJob.lastOutcome;
  if (last === null) return { ...WELL, state: "created" };
  return jobState(last.outcome, [], { finishedAt: last.finishedAt, detail: last.reason });
}

function appContainers({ containers }: KubernetesPod): PodContainer[] {
  return containers.filter(({ kind }) => kind === "app");
}

function endFacts(end: PodContainerEnd | undefined): Pick<RowState, "exitCode" | "oomKilled" | "finishedAt"> {
  return { exitCode: end?.exitCode ?? null, oomKilled: end?.reason === "OOMKilled", finishedAt: end?.finishedAt ?? null };
}

function newestEnd(ends: readonly PodContainerEnd[]): PodContainerEnd | undefined {
  return ends.toSorted((a, b) => (b.finishedAt?.getTime() ?? 0) - (a.finishedAt?.getTime() ?? 0))[0];
}

/** The first thing that is wrong, in the words of the cluster; null when nothing is. */
function troubleOf(pods: readonly KubernetesPod[]): string | null {
  for (const { unschedulable, containers, reason, message } of pods) {
    if (unschedulable !== null) return unschedulable;
    if (reason !== null) return message === null ? reason : `${reason}: ${message}`;
    const broken = containers.find((each) => each.state === "waiting" && each.reason !== null && BROKEN.test(each.reason));
    if (broken) return broken.message === null ? broken.reason : `${broken.reason}: ${broken.message}`;
  }
  return null;
}

/** Of what runs; null while its pods run different ones. */
function digestOf(pods: readonly KubernetesPod[], name: string | undefined): string | null {
  const digests = new Set(
    pods.flatMap(({ containers }) => containers.filter((each) => each.name === name).flatMap(({ imageDigest }) => imageDigest ?? [])),
  );
  return digests.size === 1 ? ([...digests][0] ?? null) : null;
}

function earliest(dates: readonly (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => date?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}
