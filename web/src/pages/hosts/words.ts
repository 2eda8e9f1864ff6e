import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { CreatedToken, TokenRecord } from "../../../../src/fleet/enrollment/answers.ts";
import { formatDuration } from "../../format/duration.ts";
import { countOf, formatCount } from "../../format/number.ts";
import type { Status } from "../../format/status.ts";

/** Clocks that differ by less are as good as equal. */
const CLOCK_TOLERANCE_MS = 3000;

/** How far an agent's clock is off, where that is worth a word: `clock 12 s ahead`. */
export function clockWords(offsetMs: number | null): string | undefined {
  if (offsetMs === null || Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return undefined;
  return `clock ${formatDuration(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead" : "behind"}`;
}

/** What waits on an agent, and whether it is on its way; undefined when nothing does. */
export function queueWords({ queued, draining }: AgentRecord["spool"]): string | undefined {
  if (draining) return queued === 0 ? "catching up" : `catching up, ${countOf(queued, "event queued", "events queued")}`;
  return queued === 0 ? undefined : countOf(queued, "event queued", "events queued");
}

/** What is lost for good; undefined when nothing is. */
export function droppedWords({ dropped }: AgentRecord["spool"]): string | undefined {
  return dropped === 0 ? undefined : countOf(dropped, "event was dropped", "events were dropped");
}

/** Events a second of an agent, in as many digits as matter: `0`, `0.4`, `12`, `1,204`. */
export function formatEventRate(perSecond: number): string {
  return perSecond < 10 ? String(Math.round(perSecond * 10) / 10) : formatCount(Math.round(perSecond));
}

/** What an agent can do in addition to watching, as far as this page knows its name. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  logs: "logs",
  endpoints: "endpoint checks",
  certificates: "certificates",
  resources: "metrics",
};

export function capabilityWords(names: readonly string[]): string {
  return names.map((name) => CAPABILITIES[name] ?? name.replaceAll("_", " ")).join(", ");
}

/** How a token stands at a moment: one that is open expires without an event. */
export function tokenState(
  { status, expires_at }: Pick<TokenRecord, "status" | "expires_at">,
  nowMs: number,
): { status: Status; word: "Open" | "Used" | "Expired" } {
  if (status === "consumed") return { status: "ok", word: "Used" };
  if (status === "expired" || Date.parse(expires_at) <= nowMs) return { status: "degraded", word: "Expired" };
  return { status: "idle", word: "Open" };
}

/** How far the enrollment of a host is. */
export type Progress = "waiting" | "expired" | "gone" | "enrolled" | "connected";

/** Of a token, and of the agent that enrolled by it; `token` undefined: there is none any more. */
export function progressOf(
  token: Pick<TokenRecord, "status" | "expires_at"> | undefined,
  agent: Pick<AgentRecord, "status" | "connection_state" | "clock_offset_ms"> | undefined,
  nowMs: number,
): Progress {
  if (token === undefined) return "gone";
  const { word } = tokenState(token, nowMs);
  if (word === "Open") return "waiting";
  if (word === "Expired") return "expired";
  // Who has just enrolled counts as seen; its clock is known from its first stream on.
  return agent?.status === "active" && agent.connection_state === "connected" && agent.clock_offset_ms !== null ? "connected" : "enrolled";
}

type Warning = NonNullable<CreatedToken["warnings"]>[number];

interface WarningWords {
  what: string;
  todo: string;
}

/** What to know before a snippet is pasted somewhere, and what to do about it. */
export function snippetWarnings({ warnings = [] }: Pick<CreatedToken, "warnings">): WarningWords[] {
  return warnings.map((warning) => WARNING_WORDS[warning]);
}

/** What may be wrong with the address that agents get. */
const WARNING_WORDS: Readonly<Record<Warning, WarningWords>> = {
  public_url_appears_local: {
    what: "Other hosts may not reach this address: it is local to this machine or its network.",
    todo: "If so, set SERVICE_GRPC_URL on the server to an address they can reach, restart it and generate a new token.",
  },
  public_url_plaintext_refused: {
    what: "The proxy in front of this server asks for connections without TLS, which agents never use.",
    todo: "Enable TLS on the proxy, or set SERVICE_GRPC_URL on the server to a TLS address. Then generate a new token.",
  },
};
