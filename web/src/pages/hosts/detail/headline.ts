import type { RuntimeStatusRecord } from "../../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import { countOf } from "../../../format/number.ts";

interface Known {
  isLocal: boolean;
  runtime: Pick<RuntimeStatusRecord, "connected" | "error"> | undefined;
  agent: Pick<AgentRecord, "status" | "connection_state" | "spool"> | undefined;
}

/** What it means that a host is as it is, and what to do, in a sentence or two; empty while that is not known. */
export function headline({ isLocal, runtime, agent }: Known): string {
  if (isLocal) return localWords(runtime);
  if (agent === undefined) return "";
  if (agent.status === "revoked")
    return "Its connection was closed and its credentials no longer work. Its history is kept until you delete the host.";
  if (agent.connection_state === "disconnected")
    return "Shown is its last known state. The agent keeps recording and sends its data after it reconnects. Check that the host is up, the agent is running and it can reach this server.";
  const { draining, queued } = agent.spool;
  if (draining)
    return `Sending events recorded while disconnected${queued === 0 ? "" : `: ${countOf(queued, "event")} left`}. They complete the history and fire no alerts.`;
  return "Events arrive live.";
}

function localWords(runtime: Known["runtime"]): string {
  if (runtime === undefined) return "";
  return runtime.connected
    ? "The server's own host, monitored without an agent."
    : (runtime.error ?? "The container runtime is unreachable.");
}
