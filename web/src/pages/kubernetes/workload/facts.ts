import { capitalise, joinWords } from "../../../../../src/contract/words.ts";
import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { countOf } from "../../../format/number.ts";

type Rollout = NonNullable<WorkloadDetail["rollout"]>;

const ROLLOUT_WORDS: Readonly<Record<Rollout["state"], string>> = {
  progressing: "In progress",
  complete: "Complete",
  stalled: "Stalled",
  paused: "Paused",
};

/** `In progress: 1 of 3 updated, 2 available`. */
export function rolloutText({ rollout, updated, available, desired }: RolloutFacts): string {
  if (rollout === null) return "";
  const word = ROLLOUT_WORDS[rollout.state];
  return rollout.state === "complete" || desired === null ? word : `${word}: ${updated} of ${desired} updated, ${available} available`;
}
type RolloutFacts = Pick<WorkloadDetail, "rollout" | "updated" | "available" | "desired">;

/** `3 pods, between 2 and 10, wants 5`. */
export function autoscalerText({ min, max, current, desired, at_limit: isAtLimit }: NonNullable<WorkloadDetail["autoscaler"]>): string {
  const wants = desired === current ? "" : `, wants ${desired}`;
  return `${countOf(current, "pod")}, between ${min} and ${max}${wants}${isAtLimit ? ", at its limit" : ""}`;
}

/** `Failed: BackoffLimitExceeded · 0 of 1 succeeded, 4 failed`. */
export function jobText({ outcome, reason, active, succeeded, failed, completions }: NonNullable<WorkloadDetail["job"]>): string {
  const word = `${capitalise(outcome)}${reason === null ? "" : `: ${reason}`}`;
  const counts = [
    `${succeeded} of ${completions ?? 1} succeeded`,
    ...(active > 0 ? [`${active} active`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `${word} · ${counts.join(", ")}`;
}

/** The risks in a pod template, each in one line. */
export function securityNotes(security: NonNullable<WorkloadDetail["security"]>): string[] {
  const shared = [
    ...(security.host_network ? ["network"] : []),
    ...(security.host_pid ? ["process IDs"] : []),
    ...(security.host_ipc ? ["IPC"] : []),
  ];
  const notes: readonly (readonly [name: string, values: readonly string[]])[] = [
    ["Privileged", security.privileged],
    ["Shared with the node", shared],
    ["Mounts from the node", security.host_paths],
    ["Ports of the node", security.host_ports.map(({ port, protocol }) => `${port}/${protocol}`)],
    ["Runs as root", security.runs_as_root],
    ["Added capabilities", security.added_capabilities],
    ["No memory limit", security.without_memory_limit],
    ["No CPU limit", security.without_cpu_limit],
    ["Image without a fixed tag", security.latest_tag],
  ];
  return notes.filter(([, values]) => values.length > 0).map(([name, values]) => `${name}: ${joinWords(values)}`);
}
