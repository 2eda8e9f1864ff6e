import type { ContainerStatusAnswer, PodAnswer, TerminatedAnswer } from "./schemas.ts";
import { conditionOf } from "./values.ts";

/** What `kubectl get pods` prints under STATUS: the phase, or the word for what keeps the pod from its work. */
export function statusOf(pod: PodAnswer): string {
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
