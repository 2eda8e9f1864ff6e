import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { Status } from "./status.ts";

/** What the words of a container's status are made of. */
export type StatusFacts = Pick<
  ContainerRecord,
  | "state"
  | "health"
  | "exit_code"
  | "oom_killed"
  | "stop_requested"
  | "error_detail"
  | "restart_loop"
  | "last_state_change_at"
  | "finished_at"
  | "archived_at"
  | "runtime"
  | "unit"
>;

/** A container's state in words: `Exited 137` because it was `OOM killed`, `2 min ago`. */
export interface ContainerStatus {
  status: Status;
  word: string;
  /** What is known of why; undefined when there is nothing to add. */
  cause: string | undefined;
  /** Since when, shown as a length (`unhealthy 12 min`) or as a point (`22 h ago`); undefined when an age would say nothing. */
  since: { at: string; form: "for" | "ago" } | undefined;
}
