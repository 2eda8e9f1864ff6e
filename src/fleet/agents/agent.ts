import { AGENT_LABEL_LENGTH } from "../../contract/agent.ts";
import type { AgentStatus } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import type { AgentHello } from "../seams.ts";

/** Agents of one server. */
export const MAX_AGENTS = 5_000;

const MAX_CAPABILITIES = 32;

/** An agent as it is saved. Source: specification, Agent. */
export interface Agent extends AgentHello {
  /** A UUID. */
  id: string;
  label: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
  status: AgentStatus;
  enrolledAt: Date;
  revokedAt: Date | null;
  /** Saved now and then only. */
  lastSeenAt: Date;
  /** When it was last seen before it was found to be disconnected; null while it is connected. */
  lostSince: Date | null;
  /** Not seen since this program started, so not connected; not saved. */
  awaited: boolean;
  /** How far its clock is ahead of ours; null before its first stream. */
  clockOffsetMs: number | null;
  /** Events that its spool had no room for, as it last said. */
  spoolDropped: number;
}

/** What an agent says of itself, cleaned and bounded: it is shown. */
export function cleanHello({ version, hostname, os, arch, runtime, capabilities }: AgentHello): AgentHello {
  return {
    version: cleanName(version, 64),
    hostname: cleanName(hostname, 255),
    os: cleanName(os, 128),
    arch: cleanName(arch, 32),
    runtime,
    capabilities: capabilities
      .slice(0, MAX_CAPABILITIES)
      .map((name) => cleanName(name, 64))
      .filter((name) => name !== ""),
  };
}

/** The first of these that says something, else the host name: an agent has a name always. */
export function labelOf(wishes: readonly string[], hostname: string): string {
  for (const wish of [...wishes, hostname]) {
    const label = cleanName(wish, AGENT_LABEL_LENGTH);
    if (label !== "") return label;
  }
  return "agent";
}

export function helloOf({ version, hostname, os, arch, runtime, capabilities }: AgentHello): AgentHello {
  return { version, hostname, os, arch, runtime, capabilities };
}

export function isSameHello(a: AgentHello, b: AgentHello): boolean {
  return JSON.stringify(helloOf(a)) === JSON.stringify(helloOf(b));
}
