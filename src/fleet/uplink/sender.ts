import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS, takeBatch } from "../wire/index.ts";
import { createPace } from "./pace.ts";
import type { Spool } from "./spool/index.ts";
import { FIRST_WINDOW_BYTES, nextWindow } from "./window.ts";

/** Live batches on their way beyond which others wait. */
const MAX_LIVE_BATCHES = 16;
/** Bytes of them: more would wait in the buffers of the connection, where nothing can be said of them. */
const MAX_LIVE_ON_WAY_BYTES = 4 * 1024 * 1024;
/** Live events that wait beyond which the stream is given up: the server does not keep up. */
const MAX_LIVE_BYTES = 8 * 1024 * 1024;
/** The tag and the length of an event in a batch. */
const AROUND_EVENT = 8;
const ACKNOWLEDGED_WITHIN_MS = MINUTE_MS;
/** Of a part: the last one is acknowledged once thousands of containers are saved. */
const LISTED_WITHIN_MS = 5 * MINUTE_MS;

/** An event on its way to the server, or to the spool. */
export interface LiveEvent {
  seq: number;
  observedAtMs: number;
  bytes: Uint8Array;
  /** Worth keeping for later; what the next one says again is not. */
  isSpooled: boolean;
  /** Of a part of a listing: the seq of its first part. */
  listingSeq?: number;
  /** No other may be in its batch. */
  isAlone?: boolean;
  /** Of something in parts, which has a bound of its own. */
  isPart?: boolean;
}

/** What the server allows on this stream; 0 is no limit of its own. */
export interface Limits {
  maxBatchEvents: number;
  maxBatchBytes: number;
  maxEventsPerSecond: number;
}

export interface SenderOptions {
  spool: Spool;
  limits: Limits;
  /** Sends a message; false when no more should follow until {@link Sender.drained}. */
  write: (message: Uint8Array) => boolean;
  clock: Clock;
}

/** Sends events over one stream: live ones at once, and between them those of the spool. What is not acknowledged is not forgotten. */
export interface Sender {
  send(event: LiveEvent): void;
  /** The batch that ends with this seq arrived. */
  acknowledged(lastSeq: number): void;
  /** The server asks to go slower. */
  slowDown(retryAfterMs: number): void;
  /** More may be written. */
  drained(): void;
  /** Why the stream should be given up; undefined while all is well. */
  complaint(): string | undefined;
  /** Whether all that is live has arrived. */
  isIdle(): boolean;
  /** No more of the spool is sent. */
  endReplay(): void;
  /** Ends it, and answers the live events that were not acknowledged, in order. */
  stop(): LiveEvent[];
}

interface OnTheWay {
  lastSeq: number;
  bytes: number;
  sentMs: number;
}

export function createSender({ spool, limits, write, clock }: SenderOptions): Sender {
  const maxEvents = Math.min(limits.maxBatchEvents || MAX_BATCH_EVENTS, MAX_BATCH_EVENTS);
  const maxBytes = Math.min(limits.maxBatchBytes || MAX_BATCH_BYTES, MAX_BATCH_BYTES);
  const pace = createPace(limits.maxEventsPerSecond, clock.monotonicMs());
  let waiting: LiveEvent[] = [];
  let waitingBytes = 0;
  let live: (OnTheWay & { events: LiveEvent[]; isListing: boolean })[] = [];
  let replayed: (OnTheWay & { arrived: boolean })[] = [];
  let windowBytes = FIRST_WINDOW_BYTES;
  let full = false;
  let pumping = false;
  let replaying = true;
  let stopped = false;
  let timer: Timer | undefined;

  /** After what is going on now, so that what is observed together goes together. */
  function pumpSoon(): void {
    if (pumping || stopped) return;
    pumping = true;
    queueMicrotask(() => {
      pumping = false;
      pump();
    });
  }

  function mayGo(): boolean {
    const onTheWay = live.reduce((sum, { bytes }) => sum + bytes, 0);
    return !full && !stopped && live.length < MAX_LIVE_BATCHES && onTheWay < MAX_LIVE_ON_WAY_BYTES;
  }

  function pump(): void {
    while (waiting.length > 0 && mayGo()) sendLive();
    while (!full && !stopped && waiting.length === 0 && replaying && sendReplay());
  }

  function sendLive(): void {
    const batch = takeBatch(waiting, { maxEvents, maxBytes });
    if (batch === undefined) return;
    const events = waiting.splice(0, batch.count);
    const bytes = batch.message.length;
    waitingBytes = waiting.reduce((sum, event) => sum + bytesOf(event), 0);
    pace.spend(events.length, clock.monotonicMs());
    const isListing = events[0]?.listingSeq !== undefined;
    live.push({ events, isListing, lastSeq: batch.lastSeq, bytes, sentMs: clock.monotonicMs() });
    full = !write(batch.message);
  }

  /** A listing of which nothing was sent yet says nothing that a newer one does not. */
  function dropWaitingListing(): void {
    const first = waiting.find(({ seq, listingSeq }) => listingSeq === seq);
    if (first !== undefined) waiting = waiting.filter(({ listingSeq }) => listingSeq !== first.seq);
  }

  /** Sends a batch of the spool; false when there is none, or it is not its time. */
  function sendReplay(): boolean {
    const nowMs = clock.monotonicMs();
    const free = windowBytes - replayed.reduce((sum, { bytes }) => sum + bytes, 0);
    // The next acknowledgement opens the window again.
    if (replayed.length > 0 && free < windowBytes / 4) return false;
    if (!spool.hasMore()) return false;
    const allowance = pace.allowance(nowMs);
    if (allowance === 0) {
      timer?.cancel();
      timer = clock.after(pace.waitMs(nowMs), pumpSoon);
      return false;
    }
    const records = Math.min(allowance, maxEvents);
    const most = Math.max(Math.min(maxBytes, free, windowBytes / 2) - records * AROUND_EVENT, 1);
    const batch = takeBatch(
      spool.read({ records, bytes: most }).map(({ seq, payload }) => ({ seq, bytes: payload })),
      { maxEvents, maxBytes: Infinity },
    );
    if (batch === undefined) return false;
    pace.spend(batch.count, nowMs);
    replayed.push({ lastSeq: batch.lastSeq, bytes: batch.message.length, sentMs: nowMs, arrived: false });
    full = !write(batch.message);
    return true;
  }

  /** Batches arrive in order; should one not, the spool waits for those before it. */
  function replayArrived(lastSeq: number): void {
    const batch = replayed.find((each) => each.lastSeq === lastSeq);
    if (batch === undefined) return;
    batch.arrived = true;
    windowBytes = nextWindow(windowBytes, clock.monotonicMs() - batch.sentMs);
    for (let first = replayed[0]; first?.arrived === true; first = replayed[0]) {
      spool.acknowledge(first.lastSeq);
      replayed.shift();
    }
  }

  return {
    send(event) {
      if (event.listingSeq === event.seq) dropWaitingListing();
      waiting.push(event);
      waitingBytes += bytesOf(event);
      pumpSoon();
    },
    acknowledged(lastSeq) {
      const left = live.filter((batch) => batch.lastSeq !== lastSeq);
      if (left.length < live.length) live = left;
      else replayArrived(lastSeq);
      pumpSoon();
    },
    slowDown(retryAfterMs) {
      pace.slowDown(retryAfterMs, clock.monotonicMs());
    },
    drained() {
      full = false;
      pumpSoon();
    },
    complaint() {
      if (waitingBytes > MAX_LIVE_BYTES) return "the server does not keep up with what happens here";
      const nowMs = clock.monotonicMs();
      const listedMs = live.find(({ isListing }) => isListing)?.sentMs;
      if (listedMs !== undefined) return nowMs - listedMs > LISTED_WITHIN_MS ? "the server did not take the listing in time" : undefined;
      const oldestMs = Math.min(live[0]?.sentMs ?? Infinity, replayed[0]?.sentMs ?? Infinity);
      return nowMs - oldestMs > ACKNOWLEDGED_WITHIN_MS ? "the server acknowledged nothing for a minute" : undefined;
    },
    isIdle: () => waiting.length === 0 && live.length === 0,
    endReplay() {
      replaying = false;
    },
    stop() {
      stopped = true;
      timer?.cancel();
      const unsure = [...live.flatMap(({ events }) => events), ...waiting];
      live = [];
      replayed = [];
      waiting = [];
      spool.rewind();
      return unsure;
    },
  };
}

/** What comes in parts has a bound of its own, and says nothing of how the server keeps up. */
function bytesOf({ bytes, listingSeq, isPart = false }: LiveEvent): number {
  return listingSeq === undefined && !isPart ? bytes.length : 0;
}
