import type { GenerationRecord, TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";
import { capitalised } from "../../../format/sentence.ts";
import { explainExitCode } from "../../../format/exit-code.ts";
import type { Status } from "../../../format/status.ts";
import { formatLength } from "./length.ts";

/** One transition in words. */
export interface Change {
  transition: TransitionRecord;
  status: Status;
  /** `OOM killed (exit 137)` */
  what: string;
  /** What was before, and how long: `ran 12 min`, `was down 2 s`; null when it is not known. */
  before: string | null;
  /** It began with another container in its place. */
  recreated?: boolean;
}

type State = TransitionRecord["new_state"];

const ENDED: ReadonlySet<State> = new Set(["exited", "completed", "restarting", "dead"]);

/** Whether the container ended, however it did. */
export function isEnd({ previous_state, new_state }: TransitionRecord): boolean {
  return ENDED.has(new_state) && (previous_state === null || !ENDED.has(previous_state));
}

/** Whether it ended, or did not come up, without anyone having asked for it. */
export function isUnexpectedEnd(transition: TransitionRecord): boolean {
  const { previous_state, new_state, stop_requested } = transition;
  return isEnd(transition) && previous_state !== null && new_state !== "completed" && !stop_requested;
}

/** Why it ended: `OOM killed (exit 137)`, `exited with code 1`. */
export function causeOfEnd({
  oom_killed,
  exit_code,
  new_state,
  stop_requested,
}: Pick<TransitionRecord, "oom_killed" | "exit_code" | "new_state" | "stop_requested">): string {
  const code = exit_code === null ? "" : ` (exit ${exit_code})`;
  if (oom_killed) return `OOM killed${code}`;
  if (stop_requested) return `stopped by request${code}`;
  if (exit_code === null) return new_state === "dead" ? "dead: removal failed" : "ended";
  if (exit_code === 0) return "completed (exit 0)";
  const reason = explainExitCode(exit_code);
  return reason === undefined ? `exited with code ${exit_code}` : `exited with code ${exit_code}: ${reason}`;
}

/**
 * Describes transitions, given newest first; the older ones give the length of the time before each. `generations` are the containers that there
 * have been, newest first.
 */
export function describeChanges(transitions: readonly TransitionRecord[], generations: readonly GenerationRecord[] = []): Change[] {
  const recreations = recreationsAmong(transitions, generations);
  let stateSince: string | null = null;
  let healthSince: string | null = null;
  const oldestFirst = transitions.toReversed().map((transition) => {
    const isOfState = transition.previous_state !== transition.new_state;
    const since = isOfState ? stateSince : (healthSince ?? stateSince);
    const lengthMs = since === null ? null : Date.parse(transition.timestamp) - Date.parse(since);
    if (isOfState) stateSince = transition.timestamp;
    healthSince = transition.timestamp;
    const change = describeChange(transition, lengthMs);
    const recreated = recreations.get(transition.id);
    return recreated === undefined ? change : { ...change, what: recreated, recreated: true };
  });
  return oldestFirst.toReversed();
}

/** Which transitions began with another container, in words. */
function recreationsAmong(transitions: readonly TransitionRecord[], generations: readonly GenerationRecord[]): Map<number, string> {
  const recreations = new Map<number, string>();
  const oldestFirst = transitions.toReversed();
  for (const [index, { ended_at, image, agent_id }] of generations.entries()) {
    const next = generations[index - 1];
    if (next === undefined || ended_at === null) continue;
    // What began it is older than all that is listed.
    if ((oldestFirst[0]?.timestamp ?? ended_at) > ended_at) break;
    const began = oldestFirst.find(
      ({ timestamp, previous_state, new_state }) => timestamp >= ended_at && previous_state !== null && !ENDED.has(new_state),
    );
    const what = next.agent_id === agent_id ? "Re-created" : "Moved to another host";
    if (began !== undefined) recreations.set(began.id, next.image === image ? what : `${what} with ${next.image}`);
  }
  return recreations;
}

/** Describes one; `lengthMs` is how long the state or health before it lasted, null when that is not known. */
function describeChange(transition: TransitionRecord, lengthMs: number | null): Change {
  const before = wordBefore(transition);
  return {
    transition,
    ...wordsOf(transition),
    before: before === null || lengthMs === null || lengthMs < 0 ? null : `${before} ${formatLength(lengthMs)}`,
  };
}

function wordsOf(transition: TransitionRecord): Pick<Change, "status" | "what"> {
  const { previous_state: previous, new_state: state, new_health: health } = transition;
  if (previous === null) return { status: statusOf(transition), what: `First seen: ${firstWord(transition)}` };
  if (previous === state) return healthWords(transition);
  if (isEnd(transition)) return { status: statusOf(transition), what: capitalised(causeOfEnd(transition)) };
  switch (state) {
    case "running":
      return { status: health === "unhealthy" ? "degraded" : "ok", what: START_WORDS[previous] };
    case "paused":
      return { status: "idle", what: "Paused" };
    case "created":
      return { status: "idle", what: "Created, not started" };
    case "restarting":
      return { status: "down", what: "Restarting by policy" };
    case "completed":
      return { status: "idle", what: capitalised(causeOfEnd(transition)) };
    case "exited":
      return {
        status: statusOf(transition),
        what: previous === "restarting" ? "No longer restarting" : capitalised(causeOfEnd(transition)),
      };
    case "dead":
      return { status: "down", what: "Dead: removal failed" };
  }
}

const START_WORDS: Record<State, string> = {
  created: "Started",
  exited: "Started again",
  completed: "Started again",
  dead: "Started again",
  restarting: "Restarted by policy",
  paused: "Resumed",
  running: "Running",
};

function healthWords({ previous_health, new_health }: TransitionRecord): Pick<Change, "status" | "what"> {
  switch (new_health) {
    case "unhealthy":
      return { status: "degraded", what: "Became unhealthy" };
    case "healthy":
      return { status: "ok", what: previous_health === "unhealthy" ? "Healthy again" : "Health check passed" };
    case "starting":
      return { status: "idle", what: "Health check starting" };
    case null:
      return { status: "ok", what: "Health check removed" };
  }
}

/** What stood before, as the verb that a length follows. */
function wordBefore({ previous_state, new_state, previous_health }: TransitionRecord): string | null {
  if (previous_state === null) return null;
  if (previous_state === new_state) return previous_health === null || previous_health === "starting" ? "after" : `was ${previous_health}`;
  if (previous_state === "running") return "ran";
  if (previous_state === "paused") return "was paused";
  return previous_state === "created" ? "after" : "was down";
}

function firstWord(transition: TransitionRecord): string {
  if (ENDED.has(transition.new_state) && transition.new_state !== "restarting") return causeOfEnd(transition);
  return transition.new_health === null
    ? transition.new_state
    : `${transition.new_state}, ${transition.new_health === "starting" ? "health unknown" : transition.new_health}`;
}

/** What a state and a health amount to. */
export function statusOf({
  new_state,
  new_health,
  stop_requested,
}: Pick<TransitionRecord, "new_state" | "new_health" | "stop_requested">): Status {
  if (stop_requested) return "idle";
  if (new_state === "running") return new_health === "unhealthy" ? "degraded" : "ok";
  return new_state === "exited" || new_state === "dead" || new_state === "restarting" ? "down" : "idle";
}
