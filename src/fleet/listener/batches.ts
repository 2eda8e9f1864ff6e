import { create } from "@bufbuild/protobuf";
import { MINUTE_MS } from "../../contract/time.ts";
import type { Observation } from "../../observations.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AgentRegister, Ingest } from "../seams.ts";
import {
  type KubernetesPart,
  type Listing,
  type ListingPart,
  readBatch,
  type SentBatch,
  type ServerMessage,
  ServerMessageSchema,
} from "../wire/index.ts";
import type { Exchange } from "./exchange.ts";
import type { Listings, Sightings } from "./listings.ts";
import { understood } from "./messages.ts";

export interface BatchesOptions {
  agentId: string;
  exchange: Exchange;
  ingest: Ingest;
  agents: Pick<AgentRegister, "seen">;
  /** The incomplete listings of the stream. */
  listings: Listings;
  sightings: Sightings;
  /** The token bucket of the agent, shared by all its streams. */
  bucket: Bucket;
  eventsPerSecond: number;
  clock: Clock;
  log: Log;
}

/** Between two attempts to save a batch while the database is away. */
const RETRY_MS = 500;
/** Between two log lines about events of an agent that cannot be parsed. */
const LOG_EVERY_MS = MINUTE_MS;

export interface Batches {
  take(batch: SentBatch, bytes: number): Promise<void>;
  /** To be called once it is known that the agent's clock is right: acknowledges live batches whose times are ahead all the same. */
  release(): Promise<void>;
}

/**
 * Takes the batches of one stream, one at a time: each is saved before it is acknowledged and before the next is read. A batch above the rate, or
 * without a database, waits here; later ones wait at the agent.
 */
export function createBatches({
  agentId,
  exchange,
  ingest,
  agents,
  listings,
  sightings,
  bucket,
  eventsPerSecond,
  clock,
  log,
}: BatchesOptions): Batches {
  /** Acknowledgements of batches whose times are ahead. */
  let withheld: number[] = [];
  let skipped = 0;
  let loggedMs = -Infinity;

  async function awaitRate(events: number, firstSeq: number): Promise<void> {
    const waitMs = bucket.take(events, clock.monotonicMs());
    if (waitMs === 0) return;
    await exchange.send(rateLimited(waitMs, eventsPerSecond));
    log.debug({ agent_id: agentId, first_seq: firstSeq, events, retry_after_ms: waitMs }, "batch over the rate limit held");
    await pause(clock, waitMs, exchange.over);
    while (!exchange.over.aborted) {
      const moreMs = bucket.take(events, clock.monotonicMs());
      if (moreMs === 0) return;
      await pause(clock, moreMs, exchange.over);
    }
  }

  /** False when the stream ended before the database was back. */
  async function save(observations: readonly Observation[], door: "live" | "replay"): Promise<boolean> {
    while (!exchange.over.aborted) {
      try {
        await ingest[door](agentId, observations);
        return true;
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable")) return saveOneByOne(observations, door, error);
      }
      // The fault is the server's: the agent is connected all the same.
      agents.seen(agentId, 0);
      await pause(clock, RETRY_MS, exchange.over);
    }
    return false;
  }

  /** An observation that fails because of a defect must not prevent the others from being saved, and must not be sent again and again. */
  async function saveOneByOne(observations: readonly Observation[], door: "live" | "replay", error: unknown): Promise<boolean> {
    if (observations.length < 2) {
      log.error(
        { err: error, agent_id: agentId, observation: observations[0]?.kind },
        "observation of an agent dropped: it could not be saved",
      );
      return true;
    }
    for (const observation of observations) if (!(await save([observation], door))) return false;
    return true;
  }

  function logRefused(count: number, reason: string): void {
    skipped += count;
    if (skipped === 0 || clock.monotonicMs() - loggedMs < LOG_EVERY_MS) return;
    log.warn({ agent_id: agentId, skipped, reason }, "events or containers of an agent skipped: they could not be understood");
    skipped = 0;
    loggedMs = clock.monotonicMs();
  }

  /** Extracts what is needed of a batch, so that the rest can be freed. */
  function read(batch: SentBatch, bytes: number): Read {
    const latestMs = clock.now().getTime() + MAX_AHEAD_MS;
    const assemble = (part: ListingPart): Listing | undefined => listings.take(part, bytes);
    const assembleKubernetes = (part: KubernetesPart): KubernetesSighting | undefined => sightings.take(part, bytes);
    const { firstSeq, lastSeq, replayed, events, refused } = understood(() => readBatch(batch, { latestMs, assemble, assembleKubernetes }));
    if (refused.length > 0) logRefused(refused.length, messageOf(refused[0]));
    return {
      firstSeq,
      lastSeq,
      count: batch.events.length,
      door: replayed ? "replay" : "live",
      isAhead: batch.events.some(({ observedAtMs }) => observedAtMs > latestMs),
      observations: events.map(({ observation }) => observation),
    };
  }

  async function take({ firstSeq, lastSeq, count, door, isAhead, observations }: Read): Promise<void> {
    await awaitRate(count, firstSeq);
    if (observations.length > 0 && !(await save(observations, door))) return;
    listings.saved();
    sightings.saved();
    agents.seen(agentId, count);
    // The clock may just have been set ahead: until it was measured, the agent keeps them.
    if (isAhead && door === "live") withheld.push(lastSeq);
    else await exchange.send(acknowledgement(lastSeq));
  }

  return {
    take: (batch, bytes) => take(read(batch, bytes)),
    async release() {
      const all = withheld;
      withheld = [];
      for (const lastSeq of all) await exchange.send(acknowledgement(lastSeq));
    },
  };
}

function acknowledgement(lastSeq: number): ServerMessage {
  return create(ServerMessageSchema, { body: { case: "ack", value: { lastSeq: BigInt(lastSeq) } } });
}

interface Read {
  firstSeq: number;
  lastSeq: number;
  /** The number of its events, including refused ones. */
  count: number;
  door: "live" | "replay";
  /** Whether times of it are so far ahead that their events were refused. */
  isAhead: boolean;
  observations: readonly Observation[];
}

/** How far an agent's time may be ahead: 300 s of the handshake, and the drift of a long stream. */
export const MAX_AHEAD_MS = 10 * MINUTE_MS;

function rateLimited(retryAfterMs: number, eventsPerSecond: number): ServerMessage {
  const message = `More than ${eventsPerSecond} events a second: the batch is held back, and acknowledged when it is saved.`;
  return create(ServerMessageSchema, { body: { case: "error", value: { code: "rate_limited", message, retryAfterMs } } });
}

/** A token bucket for one second. A batch that is larger passes when the bucket is full, and is paid off afterwards. */
export interface Bucket {
  /** Takes tokens at once and answers 0, or takes none and answers how many milliseconds to wait. */
  take(count: number, nowMs: number): number;
}

export function createBucket(perSecond: number, nowMs: number): Bucket {
  // In thousandths, which are whole numbers at each millisecond: after the given wait no rounding makes it fail again.
  const full = perSecond * 1000;
  let tokens = full;
  let atMs = nowMs;
  return {
    take(count, now) {
      tokens = Math.min(full, tokens + (now - atMs) * perSecond);
      atMs = now;
      const missing = Math.min(count * 1000, full) - tokens;
      if (missing > 0) return Math.ceil(missing / perSecond);
      tokens -= count * 1000;
      return 0;
    },
  };
}
