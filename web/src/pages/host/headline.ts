import type { RuntimeStatusRecord } from "../../../../src/app/meta/api.ts";
import type { AgentRecord } from "../../../../src/fleet/agents/api.ts";
import { countOf } from "../../format/number.ts";

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
    return "Its stream was closed, and it is never let in again. What it showed is kept until the host is deleted.";
  if (agent.connection_state === "disconnected")
    return "Nothing comes from it: what is shown of it is how it was last seen. It keeps what happens meanwhile and sends it once it is back. See that the host is up, that its agent runs, and that it reaches this server.";
  const { draining, queued } = agent.spool;
  if (draining)
    return `It sends what happened while it was cut off${queued === 0 ? "" : `: ${countOf(queued, "event waits", "events wait")}`}. That completes its history, and raises no alerts.`;
  return "What happens there is told as it happens.";
}

function localWords(runtime: Known["runtime"]): string {
  if (runtime === undefined) return "";
  return runtime.connected
    ? "The server's own host: it is watched without an agent."
    : (runtime.error ?? "Its container runtime cannot be reached.");
}
