import { type KubernetesPod, POD_PHASES, type PodContainer, type PodContainerEnd } from "../../../observations/kubernetes.ts";
import type { ContainerStatusAnswer, PodAnswer, TerminatedAnswer } from "./schemas.ts";
import { statusOf } from "./pod-status.ts";
import { shared } from "./shared.ts";
import { kindsOf } from "./template.ts";
import { amountsOf, conditionOf, namedOf, wordsOf } from "./values.ts";

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
