import { create } from "@bufbuild/protobuf";
import { MINUTE_MS } from "../../contract/time.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AgentRegister, Ingest } from "../seams.ts";
import {
  type KubernetesPart,
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
  /** Those of the stream. */
  listings: Listings;
  sightings: Sightings;
  /** The agent's, on whatever stream. */
  bucket: Bucket;
  eventsPerSecond: number;
  clock: Clock;
  log: Log;
}

/** Between two attempts to save a batch while there is no database. */
const RETRY_MS = 500;
/** Between two log lines about events of an agent that cannot be understood. */
const LOG_EVERY_MS = MINUTE_MS;

/**
 * Takes the batches of one stream, one at a time: each is saved before it is acknowledged, and before the next is read. One that is over the rate, or
 * that finds no database, waits here; whatever comes after it waits on the agent's side.
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
}: BatchesOptions): (batch: SentBatch, bytes: number) => Promise<void> {
  let refusedEvents = 0;
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

  /** False when the stream ended before there was a database. */
  async function save(observations: readonly Observation[], door: "live" | "replay"): Promise<boolean> {
    while (!exchange.over.aborted) {
      try {
        await ingest[door](agentId, observations);
        return true;
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable")) return saveOneByOne(observations, door, error);
      }
      // It is we who cannot: the agent is there all the same.
      agents.seen(agentId, 0);
      await pause(clock, RETRY_MS, exchange.over);
    }
    return false;
  }

  /** One that is a defect of ours to save must not take the others with it, nor come again and again. */
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
    refusedEvents += count;
    if (refusedEvents === 0 || clock.monotonicMs() - loggedMs < LOG_EVERY_MS) return;
    log.warn({ agent_id: agentId, events: refusedEvents, reason }, "events of an agent skipped: they could not be understood");
    refusedEvents = 0;
    loggedMs = clock.monotonicMs();
  }

  /** What is to be kept of a batch: all else of it may be forgotten. */
  function read(batch: SentBatch, bytes: number): Read {
    const latestMs = clock.now().getTime() + MAX_AHEAD_MS;
    const assemble = (part: ListingPart): ContainerSighting[] | undefined => listings.take(part, bytes);
    const assembleKubernetes = (part: KubernetesPart): KubernetesSighting | undefined => sightings.take(part, bytes);
    const { firstSeq, lastSeq, replayed, events, refused } = understood(() => readBatch(batch, { latestMs, assemble, assembleKubernetes }));
    if (refused.length > 0) logRefused(refused.length, messageOf(refused[0]));
    return {
      firstSeq,
      lastSeq,
      count: batch.events.length,
      door: replayed ? "replay" : "live",
      observations: events.map(({ observation }) => observation),
    };
  }

  async function take({ firstSeq, lastSeq, count, door, observations }: Read): Promise<void> {
    await awaitRate(count, firstSeq);
    if (observations.length > 0 && !(await save(observations, door))) return;
    listings.saved();
    sightings.saved();
    agents.seen(agentId, count);
    await exchange.send(create(ServerMessageSchema, { body: { case: "ack", value: { lastSeq: BigInt(lastSeq) } } }));
  }

  return (batch, bytes) => take(read(batch, bytes));
}

interface Read {
  firstSeq: number;
  lastSeq: number;
  /** Of its events, with those that were not taken. */
  count: number;
  door: "live" | "replay";
  observations: readonly Observation[];
}

/** How far ahead of ours an agent's time may be: its clock by the handshake's 300 s, and the drift of a long stream. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;

function rateLimited(retryAfterMs: number, eventsPerSecond: number): ServerMessage {
  const message = `More than ${eventsPerSecond} events a second: the batch is held back, and acknowledged when it is saved.`;
  return create(ServerMessageSchema, { body: { case: "error", value: { code: "rate_limited", message, retryAfterMs } } });
}

/** A token bucket that holds one second's worth. What is larger than it passes when it is full, and is paid off afterwards. */
export interface Bucket {
  /** Takes at once and answers 0, or takes nothing and answers for how many milliseconds to wait. */
  take(count: number, nowMs: number): number;
}

export function createBucket(perSecond: number, nowMs: number): Bucket {
  // In thousandths, which are whole at each millisecond: whoever waited for the given time is not turned away by a rounding.
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
