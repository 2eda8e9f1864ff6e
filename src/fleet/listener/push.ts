import { create } from "@bufbuild/protobuf";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AgentRegister, Ingest } from "../seams.ts";
import {
  decodeAgentMessage,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  MAX_LISTING_BYTES,
  numberOf,
  ServerMessageSchema,
  type SpoolStatus,
} from "../wire/index.ts";
import { type DropReason, createListingRoom } from "./assembly.ts";
import { authenticate, type Authenticated, refusal } from "./authenticate.ts";
import { createBatches, type Bucket, createBucket, MAX_AHEAD_MS } from "./batches.ts";
import { createCommands, type Session, type Sessions } from "./commands.ts";
import { addressOf, type Connections, type ListenerLimits } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { createListings, createSightings } from "./listings.ts";
import { understood } from "./messages.ts";
import type { Quota } from "../../http/quota.ts";

/** A message that was not waited for may have waited for us, while others were saved. */
const FRESH_AFTER_MS = 1;

export interface PushOptions {
  sessions: Sessions;
  /** Streams and enrollments that are not authenticated yet. */
  waiting: Quota;
  connections: Pick<Connections, "hold" | "cut">;
  agents: AgentRegister;
  ingest: Ingest;
  withdrawals: () => number;
  /** Throws EDITION_REQUIRED when remote hosts are not granted. */
  requireEdition: () => void;
  eventsPerSecond: number;
  version: string;
  limits: ListenerLimits;
  clock: Clock;
  log: Log;
}

/** Serves one stream from the challenge to its end. */
export function createPush(options: PushOptions): (exchange: Exchange) => Promise<void> {
  const { sessions, waiting, connections, agents, requireEdition, eventsPerSecond, limits, clock, log } = options;
  /** Kept for every agent since the start, so that a new stream does not refill the bucket. */
  const buckets = new Map<string, Bucket>();
  const room = createListingRoom(clock);

  return async (exchange) => {
    const leave = waiting.enter(addressOf(exchange.peer));
    try {
      if (leave === undefined) throw new ServiceError("listener_unavailable", "Too many agents wait to authenticate. Try again later.");
      requireEdition();
      const { find } = agents;
      const known = await authenticate({ exchange, find, withdrawals: options.withdrawals, timeoutMs: limits.handshakeMs, clock });
      leave();
      if (known !== undefined) await serve(exchange, known);
      bidFarewell(exchange);
    } catch (error) {
      logFailure(error, exchange);
      bidFarewell(exchange, error);
    } finally {
      leave?.();
    }
  };

  async function serve(exchange: Exchange, { agentId, hello, offsetMs }: Authenticated): Promise<void> {
    exchange.allow(limits.messageBytes);
    const release = connections.hold(exchange.peer);
    const finished = Promise.withResolvers<void>();
    const session: Session = { agentId, hello, exchange, commands: createCommands({ exchange, clock }), finished: finished.promise };
    const before = sessions.enter(session);
    before?.exchange.end(new ServiceError("stream_replaced", "A newer stream of this agent took the place of this one."));
    try {
      agents.connected(agentId, hello, offsetMs);
      log.info({ agent_id: agentId, peer: exchange.peer, version: hello.version, clock_offset_ms: offsetMs }, "agent connected");
      await exchange.send(welcome(options));
      // What the earlier stream is still saving must be saved first.
      await before?.finished;
      await converse(session);
    } finally {
      finished.resolve();
      release();
      if (sessions.leave(session)) {
        agents.disconnected(agentId);
        log.info({ agent_id: agentId, peer: exchange.peer }, "agent disconnected");
      }
    }
  }

  async function converse({ agentId, exchange, commands }: Session): Promise<void> {
    const bucket = buckets.get(agentId) ?? createBucket(eventsPerSecond, clock.monotonicMs());
    buckets.set(agentId, bucket);
    const listings = createListings({ agentId, room, onDropped: () => agents.listingDropped(agentId), clock, log });
    const sightings = createSightings({ agentId, room, onDropped: (reason) => sightingDropped(reason, exchange), clock, log });
    const batches = createBatches({ ...options, agentId, exchange, listings, sightings, bucket });

    /** Not async, so that the message does not stay in memory until its contents are saved. `waitedMs` is for how long we waited for the message. */
    function take(bytes: Uint8Array, waitedMs: number): Promise<void> | undefined {
      const body = understood(() => decodeAgentMessage(bytes));
      if (body.case === "batch") return batches.take(body.value, bytes.length);
      agents.seen(agentId, 0);
      if (body.case === "spoolStatus") {
        agents.spool(agentId, spoolOf(body.value));
        if (waitedMs < FRESH_AFTER_MS) return undefined;
        const offsetMs = offsetOf(body.value, clock.now());
        if (offsetMs !== undefined) agents.clock(agentId, offsetMs);
        // All that it observed would be refused. Without a stream it keeps that.
        if (offsetMs !== undefined && offsetMs > MAX_AHEAD_MS) throw refusal("clock_skew");
        return batches.release();
      }
      if (body.case === "commandResult") return commands.take(body.value);
      if (body.case === "authResponse") throw new ServiceError("invalid_request", "The stream is authenticated already.");
      return undefined;
    }

    try {
      for (;;) {
        const askedMs = clock.monotonicMs();
        const bytes = await exchange.receive();
        if (bytes === undefined || exchange.over.aborted) return;
        const saving = take(bytes, clock.monotonicMs() - askedMs);
        if (saving === undefined) continue;
        const taken = agents.taking(agentId);
        await saving.finally(taken);
      }
    } finally {
      listings.stop();
      sightings.stop();
    }
  }

  /**
   * A whole cluster is sent only on a new stream. If the agent cannot know that its sighting was dropped, the stream is ended so that it reconnects.
   */
  function sightingDropped(reason: DropReason, exchange: Exchange): void {
    if (reason === "late" || reason === "room")
      exchange.end(new ServiceError("listener_unavailable", "What is seen of the cluster did not arrive in time. Try again later."));
  }

  /** A stream that was ended but is kept open by the client holds memory, and so does its connection. */
  function bidFarewell(exchange: Exchange, error?: unknown): void {
    exchange.end(error);
    const timer = clock.after(limits.farewellMs, () => connections.cut(exchange.peer));
    exchange.closed.addEventListener("abort", () => timer.cancel());
    if (exchange.closed.aborted) timer.cancel();
  }

  function logFailure(error: unknown, { peer }: Exchange): void {
    if (isServiceError(error)) log.info({ peer, code: error.code, reason: error.message }, "stream of an agent refused");
    else log.error({ err: error, peer }, "stream of an agent failed");
  }
}

function welcome({ version, eventsPerSecond, clock }: PushOptions) {
  return create(ServerMessageSchema, {
    body: {
      case: "welcome",
      value: {
        serverVersion: version,
        serverTimeMs: BigInt(clock.now().getTime()),
        // A batch of more than one second's events would wait long for its acknowledgement.
        maxBatchEvents: Math.min(MAX_BATCH_EVENTS, eventsPerSecond),
        maxBatchBytes: MAX_BATCH_BYTES,
        maxEventsPerSecond: eventsPerSecond,
        maxListingBytes: MAX_LISTING_BYTES,
      },
    },
  });
}

/** undefined where the agent does not say when it sent the message, as agents of earlier versions. */
function offsetOf({ sentAtMs }: Pick<SpoolStatus, "sentAtMs">, now: Date): number | undefined {
  return sentAtMs <= 0n ? undefined : Number(sentAtMs) - now.getTime();
}

function spoolOf({ queued, draining, dropped, bytes, oversize }: SpoolStatus) {
  return understood(() => ({
    queued: numberOf(queued, "spool_status.queued"),
    draining,
    dropped: numberOf(dropped, "spool_status.dropped"),
    bytes: numberOf(bytes, "spool_status.bytes"),
    oversize: numberOf(oversize, "spool_status.oversize"),
  }));
}
