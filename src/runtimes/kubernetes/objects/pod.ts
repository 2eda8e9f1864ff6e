import {
  type KubernetesPod,
  POD_PHASES,
  type PodContainer,
  type PodContainerEnd,
  type TemplateContainer,
  type WorkloadSecurity,
} from "../../../observations/kubernetes-workloads.ts";
import type { ContainerStatusAnswer, PodAnswer, TerminatedAnswer, ContainerAnswer, PodSpecAnswer } from "./workload-schemas.ts";
import { amountsOf, conditionOf, namedOf, wordsOf, protocolOf, shared } from "./values.ts";

const DIGEST = /sha256:[0-9a-f]{64}/;

/** A pod as the API shows it; who owns it and what it uses is added by those who know. */
export function podOf(answer: PodAnswer): Omit<KubernetesPod, "workloadId" | "jobName" | "usage"> {
  const { metadata, spec, status } = answer;
  const scheduled = conditionOf(status?.conditions, "PodScheduled");
  return {
    ...namedOf(metadata),
    nodeName: shared(wordsOf(spec.nodeName)),
    phase: POD_PHASES.find((phase) => phase === status?.phase) ?? "Unknown",
    status: statusOf(answer),
    reason: wordsOf(status?.reason),
    message: wordsOf(status?.message),
    ready: conditionOf(status?.conditions, "Ready")?.status === "True",
    unschedulable: scheduled?.status === "False" && scheduled.reason === "Unschedulable" ? (scheduled.message ?? "Unschedulable") : null,
    containers: containersOf(answer),
    podIp: wordsOf(status?.podIP),
    qosClass: wordsOf(status?.qosClass),
    claims: (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []),
    startedAt: status?.startTime ?? null,
    deletingSince: metadata.deletionTimestamp ?? null,
  };
}

function containersOf({ spec, status }: PodAnswer): PodContainer[] {
  const statuses = new Map(
    [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses]
      .flatMap((each) => each ?? [])
      .map((each) => [each.name, each]),
  );
  return kindsOf(spec).map(({ kind, container: { name, image, resources } }) => ({
    name,
    kind,
    image: shared(image ?? ""),
    ...stateOf(statuses.get(name)),
    requests: shared(amountsOf(resources?.requests)),
    limits: shared(amountsOf(resources?.limits)),
  }));
}

function stateOf(status: ContainerStatusAnswer | undefined): Omit<PodContainer, "name" | "kind" | "image" | "requests" | "limits"> {
  const { state, lastState } = status ?? {};
  const facts = {
    imageDigest: shared(DIGEST.exec(status?.imageID ?? "")?.[0] ?? null),
    ready: status?.ready === true,
    restartCount: status?.restartCount ?? 0,
    lastEnd: endOf(lastState?.terminated),
  };
  if (state?.running)
    return { ...facts, state: "running", reason: null, message: null, startedAt: state.running.startedAt ?? null, end: null };
  const { terminated, waiting } = state ?? {};
  if (terminated) {
    const { reason, message, startedAt } = terminated;
    return {
      ...facts,
      state: "terminated",
      reason: wordsOf(reason),
      message: wordsOf(message),
      startedAt: startedAt ?? null,
      end: endOf(terminated),
    };
  }
  return { ...facts, state: "waiting", reason: wordsOf(waiting?.reason), message: wordsOf(waiting?.message), startedAt: null, end: null };
}

function endOf(terminated: TerminatedAnswer | null | undefined): PodContainerEnd | null {
  if (terminated == null) return null;
  const { reason, message, exitCode, finishedAt } = terminated;
  return { reason: wordsOf(reason), message: wordsOf(message), exitCode, finishedAt: finishedAt ?? null };
}

/** What `kubectl get pods` prints under STATUS: the phase, or the word for what keeps the pod from its work. */
function statusOf(pod: PodAnswer): string {
  const { status, metadata, spec } = pod;
  const phase = status?.phase ?? "Unknown";
  if (metadata.deletionTimestamp != null) {
    if (status?.reason === "NodeLost") return "Unknown";
    if (phase !== "Succeeded" && phase !== "Failed") return "Terminating";
  }
  const gated = conditionOf(status?.conditions, "PodScheduled")?.reason === "SchedulingGated" ? "SchedulingGated" : undefined;
  const base = status?.reason || gated || phase;
  const initializing = initStatusOf(pod);
  const isInitialized = conditionOf(status?.conditions, "Initialized")?.status === "True";
  if (initializing !== undefined && !isInitialized) return initializing;
  const statuses = status?.containerStatuses ?? [];
  const word = statuses.map(containerWord).find((each) => each !== undefined) ?? base;
  const works = statuses.some(({ ready, state }) => ready === true && state?.running != null);
  if (word === "Completed" && works && spec.restartPolicy !== "Never")
    return conditionOf(status?.conditions, "Ready")?.status === "True" ? "Running" : "NotReady";
  return word;
}

/** How far its init containers are, as in `Init:1/3` or `Init:CrashLoopBackOff`; undefined when they are done. */
function initStatusOf({ spec, status }: PodAnswer): string | undefined {
  const containers = spec.initContainers ?? [];
  const restarted = new Set(containers.filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name));
  for (const [index, each] of (status?.initContainerStatuses ?? []).entries()) {
    const { state, name, started } = each;
    if (state?.terminated?.exitCode === 0) continue;
    if (restarted.has(name) && started === true) continue;
    if (state?.terminated) return `Init:${endWord(state.terminated)}`;
    const reason = state?.waiting?.reason;
    if (reason && reason !== "PodInitializing") return `Init:${reason}`;
    return `Init:${index}/${containers.length}`;
  }
  return undefined;
}

function containerWord({ state }: ContainerStatusAnswer): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  return state?.terminated ? endWord(state.terminated) : undefined;
}

function endWord({ reason, signal, exitCode }: TerminatedAnswer): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** The containers of a pod or its template, those that do its work first. */
export function templateContainers(spec: PodSpecAnswer | null | undefined): TemplateContainer[] {
  return kindsOf(spec).map(({ kind, container: { name, image, resources } }) => ({
    name,
    kind,
    image: image ?? "",
    requests: amountsOf(resources?.requests),
    limits: amountsOf(resources?.limits),
  }));
}

interface Placed {
  kind: TemplateContainer["kind"];
  container: ContainerAnswer;
}

function kindsOf(spec: PodSpecAnswer | null | undefined): Placed[] {
  return [
    ...(spec?.containers ?? []).map((container): Placed => ({ kind: "app", container })),
    ...(spec?.initContainers ?? []).map((container): Placed => ({
      kind: container.restartPolicy === "Always" ? "sidecar" : "init",
      container,
    })),
    ...(spec?.ephemeralContainers ?? []).map((container): Placed => ({ kind: "ephemeral", container })),
  ];
}

/** null where there is no template. */
export function securityOf(spec: PodSpecAnswer | null | undefined): WorkloadSecurity | null {
  if (spec == null) return null;
  const lasting = kindsOf(spec).filter(({ kind }) => kind === "app" || kind === "sidecar");
  const all = kindsOf(spec).map(({ container }) => container);
  const namesOf = (isSo: (container: ContainerAnswer) => boolean, among = all): string[] => among.filter(isSo).map(({ name }) => name);
  const works = lasting.map(({ container }) => container);
  return {
    privileged: namesOf(({ securityContext }) => securityContext?.privileged === true),
    hostNetwork: spec.hostNetwork === true,
    hostPid: spec.hostPID === true,
    hostIpc: spec.hostIPC === true,
    hostPaths: (spec.volumes ?? []).flatMap(({ hostPath }) => hostPath?.path ?? []),
    hostPorts: all.flatMap(({ name, ports }) =>
      (ports ?? []).flatMap(({ hostPort, protocol }) =>
        hostPort == null || hostPort === 0 ? [] : [{ container: name, port: hostPort, protocol: protocolOf(protocol) }],
      ),
    ),
    runsAsRoot: namesOf((each) => isRoot(each, spec)),
    withoutMemoryLimit: namesOf(({ resources }) => resources?.limits?.["memory"] === undefined, works),
    withoutCpuLimit: namesOf(({ resources }) => resources?.limits?.["cpu"] === undefined, works),
    addedCapabilities: [...new Set(all.flatMap(({ securityContext }) => securityContext?.capabilities?.add ?? []))],
    serviceAccount: spec.serviceAccountName || "default",
    automountsToken: spec.automountServiceAccountToken !== false,
  };
}

/** Whether its spec says so. Which user an image asks for is not known here. */
function isRoot({ securityContext }: ContainerAnswer, { securityContext: ofPod }: PodSpecAnswer): boolean {
  const isRefused = securityContext?.runAsNonRoot ?? ofPod?.runAsNonRoot ?? false;
  return !isRefused && (securityContext?.runAsUser ?? ofPod?.runAsUser) === 0;
}
