import type { RuntimeStatusRecord } from "../../../../src/app/meta/api.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/api.ts";
import { LOCAL_HOST } from "../../app/host-id.ts";
import type { Status } from "../../format/status.ts";

/** How a host is reached: its shape and word, and since when where that matters. */
export interface HostState {
  status: Status;
  word: string;
  since: string | null;
}

/** The state of a host. The local one is seen through its runtime; undefined while that is being read. */
export function hostState(
  { agent_id, available, timestamp }: Pick<HostRecord, "agent_id" | "available" | "timestamp">,
  runtime: Pick<RuntimeStatusRecord, "connected" | "since"> | undefined,
): HostState {
  if (agent_id === null && runtime?.connected === false) return { status: "down", word: "Not reachable", since: runtime.since };
  if (available) return { status: "ok", word: "Connected", since: null };
  if (timestamp === null) return { status: "idle", word: "No figures yet", since: null };
  return agent_id === null
    ? { status: "degraded", word: "No figures", since: timestamp }
    : { status: "down", word: "Unavailable", since: timestamp };
}

/** Those of the chosen host, or of all. */
export function ofHost<Record extends { agent_id: string | null }>(
  records: readonly Record[],
  host: string | undefined,
): readonly Record[] {
  return host === undefined ? records : records.filter(({ agent_id }) => (agent_id ?? LOCAL_HOST.id) === host);
}

/** A part of a whole in percent; null when one of them is not known. */
export function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.min(100, (part / whole) * 100);
}
