import type { LogStream } from "../contract/log.ts";
import type { Observation, RuntimeKind } from "../observations.ts";

/**
 * The types that the fleet shares with the rest of the program, so that neither imports the other: `app` joins them. Every report of a remote host
 * arrives here with the id under which its stream was authenticated; no message contains an id.
 */

/** Takes observations of agents. A call resolves after its commit, and throws `storage_unavailable` while the database is away. Idempotent. */
export interface Ingest {
  /** Observed just now: may change state and publish it. */
  live(agentId: string, observations: readonly Observation[]): Promise<void>;
  /** Observed while the agent was disconnected: only appends history. */
  replay(agentId: string, observations: readonly Observation[]): Promise<void>;
}

/** A line of a container's log, as runtimes deliver it. */
export interface LogLine {
  /** null when the runtime gave none. */
  timestamp: Date | null;
  stream: LogStream;
  text: string;
}

export interface LogRequest {
  externalId: string;
  /** How many of the last lines come first. */
  tail: number;
  since?: Date;
  follow: boolean;
  /** For a Kubernetes workload: only containers of this name. */
  container?: string;
  /** For a Kubernetes workload: the containers before their last restart. */
  previous?: boolean;
  signal: AbortSignal;
}

/**
 * Reads logs of remote containers. Throws `agent_offline` when the agent has no stream or loses it, `agent_busy` when too many of its logs are being
 * read, and `not_found` and `runtime_unavailable` as the agent's runtime does.
 */
export interface RemoteLogs {
  logs(agentId: string, request: LogRequest): AsyncIterable<readonly LogLine[]>;
}

/** An agent's description of itself, sent when it authenticates; cleaned and bounded. */
export interface AgentHello {
  version: string;
  hostname: string;
  os: string;
  arch: string;
  runtime: RuntimeKind;
  capabilities: readonly string[];
}

/** How much an agent's spool holds. */
export interface SpoolStatus {
  queued: number;
  draining: boolean;
  dropped: number;
  bytes: number;
  /** Observations since its start that were too large to be sent completely. */
  oversize: number;
}

/** The fields of an agent that the handshake needs. */
export interface KnownAgent {
  status: "active" | "revoked";
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
}

/** The agents as the listener sees them. Only `find` may wait; the other functions note events and never throw. */
export interface AgentRegister {
  /** undefined when there is no such agent. Throws `storage_unavailable`. */
  find(agentId: string): Promise<KnownAgent | undefined>;
  /** Its stream was authenticated. `offsetMs` is how far its clock is ahead of the server's, in whole seconds. */
  connected(agentId: string, hello: AgentHello, offsetMs: number): void;
  /** A message of it came. `events` is the number of events in a batch. */
  seen(agentId: string, events: number): void;
  /** A message of it is being saved, and nothing is read from it meanwhile; call the answer when it is saved. */
  taking(agentId: string): () => void;
  /** Its last stream ended; not called when another stream has replaced it. */
  disconnected(agentId: string): void;
  spool(agentId: string, status: SpoolStatus): void;
  /** By a message that just came, its clock is ahead of the server's by so much, or by more: the message was on its way for a while. */
  clock(agentId: string, offsetMs: number): void;
  /** An inventory of it in parts was dropped: parts were missing, or it was too large. */
  listingDropped(agentId: string): void;
}

/** What an agent sends to enroll. */
export interface Registration {
  token: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
  /** Empty when the host name is to be used. */
  label: string;
  hello: AgentHello;
  /** The address of the client, without port. */
  peer: string;
}

/**
 * Redeems an enrollment token; answers the new agent's id and its label. Throws `token_invalid`, `token_expired`, `token_consumed`, `label_too_long`,
 * ...
 */
export type Register = (registration: Registration) => Promise<{ agentId: string; label: string }>;
