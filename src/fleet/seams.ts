import type { LogStream } from "../contract/log.ts";
import type { Observation, RuntimeKind } from "../observations.ts";

/**
 * What crosses the border between the fleet and the rest of the program, so that neither imports the other: `app` joins them.
 * Everything a remote host says arrives here with the id under which its stream was authenticated; no message carries one.
 */

/** Takes what agents saw. A call resolves after its commit, and throws `storage_unavailable` while there is no database. Idempotent. */
export interface Ingest {
  /** Seen just now: may change state and publish that. */
  live(agentId: string, observations: readonly Observation[]): Promise<void>;
  /** Seen while the agent was cut off: appends history only. */
  replay(agentId: string, observations: readonly Observation[]): Promise<void>;
}

/** A line of a container's log, as runtimes give it. */
export interface LogLine {
  /** null when the runtime did not say. */
  timestamp: Date | null;
  stream: LogStream;
  text: string;
}

export interface LogRequest {
  externalId: string;
  /** How many of the last lines to begin with. */
  tail: number;
  since?: Date;
  follow: boolean;
  /** Of a workload of Kubernetes: only containers of this name. */
  container?: string;
  /** Of a workload of Kubernetes: of the containers before their last restart. */
  previous?: boolean;
  signal: AbortSignal;
}

/**
 * Reads logs of remote containers. Throws `agent_offline` when the agent has no stream or loses it, `agent_busy` when too many are read of
 * it already, `not_found` and `runtime_unavailable` as the agent's runtime says.
 */
export interface RemoteLogs {
  logs(agentId: string, request: LogRequest): AsyncIterable<readonly LogLine[]>;
}

/** What an agent says of itself when it authenticates. */
export interface AgentHello {
  version: string;
  hostname: string;
  os: string;
  arch: string;
  runtime: RuntimeKind;
  capabilities: readonly string[];
}

/** What waits in an agent's spool. */
export interface SpoolStatus {
  queued: number;
  draining: boolean;
  dropped: number;
  bytes: number;
  /** Observations since its start that were too large to be sent whole. */
  oversize: number;
}

/** An agent as the handshake must know it. */
export interface KnownAgent {
  status: "active" | "revoked";
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
}

/** The agents as the listener sees them. Only `find` may wait; the others note what happened and never throw. */
export interface AgentRegister {
  /** undefined when there is none. Throws `storage_unavailable`. */
  find(agentId: string): Promise<KnownAgent | undefined>;
  /** Its stream is authenticated. `offsetMs` is how far its clock is ahead of ours, to the second. */
  connected(agentId: string, hello: AgentHello, offsetMs: number): void;
  /** Something came from it. `events` is how many of them a batch held. */
  seen(agentId: string, events: number): void;
  /** What came from it is being saved, and nothing is read of it meanwhile; call the answer when it is. */
  taking(agentId: string): () => void;
  /** Its last stream ended; not called when another has taken its place. */
  disconnected(agentId: string): void;
  spool(agentId: string, status: SpoolStatus): void;
  /** An inventory of it that came in parts was not taken: parts were missing, or it was too large. */
  listingDropped(agentId: string): void;
}

/** What an agent presents to become one. */
export interface Registration {
  token: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
  /** Empty when the host name is to be used. */
  label: string;
  hello: AgentHello;
  /** Where the call came from, without port. */
  peer: string;
}

/** Redeems an enrollment token; answers the new agent's id and the label it got. Throws `token_invalid`, `token_expired`, `token_consumed`, `label_too_long`, ... */
export type Register = (registration: Registration) => Promise<{ agentId: string; label: string }>;
