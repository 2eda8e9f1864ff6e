import type { TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";

/** A state, with its health after a slash and its exit code after a space; `oom` for one OOM killed, `asked` for one that was asked for: `exited 137 oom`, `running/healthy`. */
type Spelled = string;

/** Transitions, newest first as the server answers them, from steps `[second, state]` in the order they happened. */
export function transitionsOf(start: Date, steps: readonly [number, Spelled][]): TransitionRecord[] {
  let previous: Pick<TransitionRecord, "new_state" | "new_health"> | null = null;
  const transitions: TransitionRecord[] = [];
  for (const [index, [second, spelled]] of steps.entries()) {
    const [stateAndHealth = "", code, why] = spelled.split(" ");
    const [state, health] = stateAndHealth.split("/");
    const transition: TransitionRecord = {
      id: index + 1,
      container_id: 1,
      previous_state: previous?.new_state ?? null,
      new_state: state as TransitionRecord["new_state"],
      previous_health: previous?.new_health ?? null,
      new_health: (health ?? null) as TransitionRecord["new_health"],
      exit_code: code === undefined ? null : Number(code),
      oom_killed: why === "oom",
      stop_requested: why === "asked",
      log_snippet: null,
      health_failure: null,
      replayed: false,
      timestamp: new Date(start.getTime() + second * 1000).toISOString(),
    };
    transitions.push(transition);
    previous = transition;
  }
  return transitions.toReversed();
}
