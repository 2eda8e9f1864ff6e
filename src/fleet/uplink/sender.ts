import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS, takeBatch } from "../wire/index.ts";
import { createPace, FIRST_WINDOW_BYTES, nextWindow, type Pace } from "./pace.ts";
import type { Spool } from "./spool/index.ts";

/** How many live batches may be in flight before others wait. */
const MAX_LIVE_BATCHES = 16;
/** How many bytes of them. More would wait in the buffers of the connection, out of sight. */
const MAX_LIVE_IN_FLIGHT_BYTES = 4 * 1024 * 1024;
/** How many bytes of live events may wait before the stream is given up because the server does not keep up. */
const MAX_LIVE_BYTES = 8 * 1024 * 1024;
/** The bytes of an event's tag and length in a batch. */
const AROUND_EVENT = 8;
const ACKNOWLEDGED_WITHIN_MS = MINUTE_MS;
/** For a part of a listing: the last one is acknowledged only when thousands of containers are saved. */
const LISTED_WITHIN_MS = 5 * MINUTE_MS;

/** An event to be sent to the server or put into the spool. */
export interface LiveEvent {
  seq: number;
  observedAtMs: number;
  bytes: Uint8Array;
  /** Whether it is worth spooling; an event that the next one repeats is not. */
  isSpooled: boolean;
  /** For a part of a listing: the seq of its first part. */
  listingSeq?: number;
  /** Whether it must be alone in its batch. */
  isAlone?: boolean;
  /** Whether it is one of several parts, which have a separate limit. */
  isPart?: boolean;
}

/** The limits that the server sets for this stream; 0 is no limit. */
export interface Limits {
  maxBatchEvents: number;
  maxBatchBytes: number;
  maxEventsPerSecond: number;
}

export interface SenderOptions {
  spool: Spool;
  limits: Limits;
  /** Writes a message; false when no more should follow until {@link Sender.drained}. */
  write: (message: Uint8Array) => boolean;
  clock: Clock;
}

interface InFlight {
  lastSeq: number;
  bytes: number;
  sentMs: number;
}

/** Sends events over one stream: live ones at once, and spooled ones in between. Events are kept until they are acknowledged. */
export class Sender {
  readonly #spool: Spool;
  readonly #write: SenderOptions["write"];
  readonly #clock: Clock;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #pace: Pace;
  #waiting: LiveEvent[] = [];
  #waitingBytes = 0;
  #live: (InFlight & { events: LiveEvent[]; isListing: boolean })[] = [];
  #replayed: (InFlight & { arrived: boolean })[] = [];
  #windowBytes = FIRST_WINDOW_BYTES;
  #isFull = false;
  #isPumping = false;
  #isReplaying = true;
  #isStopped = false;
  #timer: Timer | undefined;

  constructor({ spool, limits, write, clock }: SenderOptions) {
    this.#spool = spool;
    this.#write = write;
    this.#clock = clock;
    this.#maxEvents = Math.min(limits.maxBatchEvents || MAX_BATCH_EVENTS, MAX_BATCH_EVENTS);
    this.#maxBytes = Math.min(limits.maxBatchBytes || MAX_BATCH_BYTES, MAX_BATCH_BYTES);
    this.#pace = createPace(limits.maxEventsPerSecond, clock.monotonicMs());
  }

  send(event: LiveEvent): void {
    if (event.listingSeq === event.seq) this.#dropWaitingListing();
    this.#waiting.push(event);
    this.#waitingBytes += bytesOf(event);
    this.#pumpSoon();
  }

  /** To be called when the batch that ends with this seq was acknowledged. */
  acknowledged(lastSeq: number): void {
    const left = this.#live.filter((batch) => batch.lastSeq !== lastSeq);
    if (left.length < this.#live.length) this.#live = left;
    else this.#replayArrived(lastSeq);
    this.#pumpSoon();
  }

  /** To be called when the server asks to slow down. */
  slowDown(retryAfterMs: number): void {
    this.#pace.slowDown(retryAfterMs, this.#clock.monotonicMs());
  }

  /** To be called when more may be written. */
  drained(): void {
    this.#isFull = false;
    this.#pumpSoon();
  }

  /** Why the stream should be given up; undefined while it works. */
  complaint(): string | undefined {
    if (this.#waitingBytes > MAX_LIVE_BYTES) return "the server does not keep up with what happens here";
    const nowMs = this.#clock.monotonicMs();
    const listedMs = this.#live.find(({ isListing }) => isListing)?.sentMs;
    if (listedMs !== undefined) return nowMs - listedMs > LISTED_WITHIN_MS ? "the server did not take the listing in time" : undefined;
    const oldestMs = Math.min(this.#live[0]?.sentMs ?? Infinity, this.#replayed[0]?.sentMs ?? Infinity);
    return nowMs - oldestMs > ACKNOWLEDGED_WITHIN_MS ? "the server acknowledged nothing for a minute" : undefined;
  }

  /** Whether all live events have arrived. */
  isIdle(): boolean {
    return this.#waiting.length === 0 && this.#live.length === 0;
  }

  /** From now on nothing of the spool is sent. */
  endReplay(): void {
    this.#isReplaying = false;
  }

  /** Ends sending, and answers the live events that were not acknowledged, in order. */
  stop(): LiveEvent[] {
    this.#isStopped = true;
    this.#timer?.cancel();
    const unsure = [...this.#live.flatMap(({ events }) => events), ...this.#waiting];
    this.#live = [];
    this.#replayed = [];
    this.#waiting = [];
    this.#spool.rewind();
    return unsure;
  }

  /** In a microtask, so that events observed together are sent together. */
  #pumpSoon(): void {
    if (this.#isPumping || this.#isStopped) return;
    this.#isPumping = true;
    queueMicrotask(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#mayGo()) this.#sendLive();
    while (!this.#isFull && !this.#isStopped && this.#waiting.length === 0 && this.#isReplaying && this.#sendReplay());
  }

  #mayGo(): boolean {
    if (this.#isFull || this.#isStopped) return false;
    return this.#live.length < MAX_LIVE_BATCHES && bytesInFlight(this.#live) < MAX_LIVE_IN_FLIGHT_BYTES;
  }

  #sendLive(): void {
    const batch = takeBatch(this.#waiting, { maxEvents: this.#maxEvents, maxBytes: this.#maxBytes });
    if (batch === undefined) return;
    const events = this.#waiting.splice(0, batch.count);
    const sentMs = this.#clock.monotonicMs();
    this.#waitingBytes = this.#waiting.reduce((sum, event) => sum + bytesOf(event), 0);
    this.#pace.spend(events.length, sentMs);
    const isListing = events[0]?.listingSeq !== undefined;
    this.#live.push({ events, isListing, lastSeq: batch.lastSeq, bytes: batch.message.length, sentMs });
    this.#isFull = !this.#write(batch.message);
  }

  /** A listing that has not been sent at all is replaced by a newer one. */
  #dropWaitingListing(): void {
    const first = this.#waiting.find(({ seq, listingSeq }) => listingSeq === seq);
    if (first !== undefined) this.#waiting = this.#waiting.filter(({ listingSeq }) => listingSeq !== first.seq);
  }

  /** Sends a batch of the spool; false when there is none, or it must wait. */
  #sendReplay(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const free = this.#windowBytes - bytesInFlight(this.#replayed);
    // The next acknowledgement frees the window again.
    if (this.#replayed.length > 0 && free < this.#windowBytes / 4) return false;
    if (!this.#spool.hasMore()) return false;
    const allowance = this.#pace.allowance(nowMs);
    if (allowance === 0) {
      this.#timer?.cancel();
      this.#timer = this.#clock.after(this.#pace.waitMs(nowMs), () => this.#pumpSoon());
      return false;
    }
    const records = Math.min(allowance, this.#maxEvents);
    const most = Math.max(Math.min(this.#maxBytes, free, this.#windowBytes / 2) - records * AROUND_EVENT, 1);
    const batch = takeBatch(
      this.#spool.read({ records, bytes: most }).map(({ seq, payload }) => ({ seq, bytes: payload })),
      { maxEvents: this.#maxEvents, maxBytes: Infinity },
    );
    if (batch === undefined) return false;
    this.#pace.spend(batch.count, nowMs);
    this.#replayed.push({ lastSeq: batch.lastSeq, bytes: batch.message.length, sentMs: nowMs, arrived: false });
    this.#isFull = !this.#write(batch.message);
    return true;
  }

  /** Batches arrive in order; if one does not, the spool waits for those before it. */
  #replayArrived(lastSeq: number): void {
    const batch = this.#replayed.find((each) => each.lastSeq === lastSeq);
    if (batch === undefined) return;
    batch.arrived = true;
    this.#windowBytes = nextWindow(this.#windowBytes, this.#clock.monotonicMs() - batch.sentMs);
    for (let first = this.#replayed[0]; first?.arrived === true; first = this.#replayed[0]) {
      this.#spool.acknowledge(first.lastSeq);
      this.#replayed.shift();
    }
  }
}

function bytesInFlight(batches: readonly InFlight[]): number {
  return batches.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Parts have a separate limit, and do not show whether the server keeps up. */
function bytesOf({ bytes, listingSeq, isPart = false }: LiveEvent): number {
  return listingSeq === undefined && !isPart ? bytes.length : 0;
}
