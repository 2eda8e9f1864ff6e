import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";

/** An endpoint or a heartbeat, as far as several at once are acted on. */
export interface Monitor {
  type: "endpoint" | "heartbeat";
  id: number;
  name: string;
  isPaused: boolean;
  /** A label defines it: it goes with its label only. */
  isLabelDefined: boolean;
}

export function endpointMonitor({ id, name, paused, source }: EndpointRecord): Monitor {
  return { type: "endpoint", id, name, isPaused: paused, isLabelDefined: source !== "standalone" };
}

export function heartbeatMonitor({ id, name, status }: HeartbeatRecord): Monitor {
  return { type: "heartbeat", id, name, isPaused: status === "paused", isLabelDefined: false };
}
