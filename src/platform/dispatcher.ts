import { type Clock, pause } from "./clock.ts";
import { type Attempt, judge, LONGEST_WAIT_MS, ReceiverPaces, type Refusal, type Verdict } from "./delivery-schedule.ts";
import { isServiceError } from "./errors.ts";
import { type LeaseRows, Leases } from "./leases.ts";
import type { Log } from "./log.ts";
import type { DueTimer, Scheduler } from "./scheduler.ts";
import { WorkQueue } from "./queues.ts";

/** How many messages of one receiver are read at once, and at most sent before their outcome is saved. */
const PAGE = 128;
/** How often the outcomes of attempts are saved, apart from the end of a page: a commit for each would take longer than the attempts. */
const KEEP_EVERY_MS = 100;
/** How soon a lane is looked at again when a message waits for its receiver, or for another program. */
const LOOK_AGAIN_MS = 1000;
/** Longer than two attempts, since it is renewed after half of it. */
const LEASE_MS = 10_000;
const KEEP_AGAIN_MS = 1000;
/** Synchronised clocks are set back by less than this. */
const NOTICED_MS = 1000;
/** How long a running attempt may last when the program stops. */
const STOP_PATIENCE_MS = 3000;

export interface OutboxMessage {
  id: number;
  /** How many attempts were made so far. */
  attempts: number;
}

/** The outcome of a message. */
export interface Mark<Item extends OutboxMessage> extends Verdict {
  item: Item;
  /** null when it was given up without an attempt. */
  attempt: Attempt | null;
}

/** The stored messages, in lanes: one for each receiver. */
export interface Outbox<Item extends OutboxMessage> {
  /** Who owns which lane; null where one program has the database to itself. */
  leases: LeaseRows | null;
  /** Lanes with waiting messages, and when the first message of each is due. */
  lanes(): Promise<{ lane: number; dueAt: Date }[]>;
  /** The messages that may be sent now, in order, without those that must wait for an earlier one. */
  due(lane: number, now: Date, limit: number): Promise<Item[]>;
  /** The messages that have been waiting since before `since`, due or not. */
  waiting(lane: number, since: Date, limit: number): Promise<Item[]>;
  /** For a clock that was set back by `byMs`: messages due later than now become due that much earlier, and none later than `latest`. */
  bringForward(terms: { byMs: number; now: Date; latest: Date }): Promise<void>;
  /** Saves outcomes; answers the ids of the messages that still waited. */
  keep(marks: readonly Mark<Item>[]): Promise<ReadonlySet<number>>;
}

/** A receiver that gets nothing at present: messages that have waited longer than `patienceMs` are given up, with this sentence. */
export interface Closed {
  patienceMs: number;
  error: string;
}

export interface DispatcherOptions<Item extends OutboxMessage> {
  name: string;
  outbox: Outbox<Item>;
  standing(lane: number): "open" | Closed;
  /** Changes when the receiver is edited. A wait that it asked for before that is over. */
  revisionOf?(lane: number): unknown;
  /** Makes one attempt, of bounded duration. */
  attempt(item: Item, signal: AbortSignal): Promise<Attempt | Refusal>;
  /** Called after outcomes were saved. */
  onKept?(marks: readonly Mark<Item>[]): void;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  leaseMs?: number;
}

/** Sends messages to their receivers: each lane separately and one message at a time, so that no receiver delays another. */
export class Dispatcher<Item extends OutboxMessage> {
  readonly #options: DispatcherOptions<Item>;
  readonly #leases: Leases | null;
  readonly #sending = new WorkQueue<number>((lane) => this.#whenStored(() => this.#workOff(lane)));
  readonly #stopping = new AbortController();
  readonly #breakOff = new AbortController();
  readonly #paces: ReceiverPaces;
  /** How far the wall clock was ahead of the monotonic one. */
  #offsetMs: number;
  #sweeps: DueTimer | undefined;

  constructor(options: DispatcherOptions<Item>) {
    const { outbox, clock, revisionOf, leaseMs = LEASE_MS } = options;
    this.#options = options;
    this.#paces = new ReceiverPaces((lane) => revisionOf?.(lane));
    this.#leases = outbox.leases && new Leases({ rows: outbox.leases, clock, leaseMs });
    this.#offsetMs = clock.now().getTime() - clock.monotonicMs();
  }

  start(): void {
    const { name, scheduler } = this.#options;
    this.#sweeps = scheduler.whenDue({ name, run: () => this.#sweep() });
  }

  /** No further attempt starts. Running ones are finished, or aborted after a while, and their outcomes are saved. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#sweeps?.end();
    this.#stopping.abort();
    const timer = this.#options.clock.after(STOP_PATIENCE_MS, () => this.#breakOff.abort());
    await this.#sending.stop();
    timer.cancel();
    await this.#whenStored(async () => this.#leases?.release());
  }

  /** To be called when a message may be due in a lane. */
  poke(lane: number): void {
    void this.#sending.ask(lane);
  }

  async #whenStored(work: () => Promise<void>): Promise<void> {
    const { name, log } = this.#options;
    try {
      await work();
    } catch (error) {
      // Nothing is lost: the next sweep finds the messages again.
      if (isServiceError(error, "storage_unavailable")) log.debug({ dispatcher: name }, "deliveries put off: no database");
      else log.error({ dispatcher: name, err: error }, "deliveries put off");
    }
  }

  async #workOff(lane: number): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted && (await this.#workPage(lane)));
    } finally {
      this.#sweeps?.within(LOOK_AGAIN_MS);
    }
  }

  /** Answers whether there may be more messages. */
  async #workPage(lane: number): Promise<boolean> {
    const { outbox, standing, clock } = this.#options;
    const closed = standing(lane);
    if (this.#restMs(lane) > LOOK_AGAIN_MS) return false;
    const find = (): Promise<Item[]> => {
      const nowMs = clock.now().getTime();
      return closed === "open" ? outbox.due(lane, new Date(nowMs), PAGE) : outbox.waiting(lane, new Date(nowMs - closed.patienceMs), PAGE);
    };
    const wasOurs = this.#isOurs(lane);
    let page = await find();
    if (page.length === 0 || !(await this.#own(lane))) return false;
    // Until now another program may have worked on the lane.
    if (!wasOurs) page = await find();
    return closed === "open" ? this.#send(lane, page) : this.#giveUp(page, closed.error);
  }

  async #send(lane: number, page: readonly Item[]): Promise<boolean> {
    const { clock } = this.#options;
    const marks = this.#collectMarks();
    const isOpen = (): boolean => !this.#stopping.signal.aborted && this.#options.standing(lane) === "open";
    try {
      for (const item of page) {
        const restMs = this.#restMs(lane);
        if (restMs > LOOK_AGAIN_MS) break;
        if (restMs > 0) await pause(clock, restMs, this.#stopping.signal);
        // If the lease was lost for a moment, the lane is read again.
        if (!isOpen() || !this.#isOurs(lane) || !(await this.#own(lane))) break;
        const mark = await this.#tryOnce(item);
        if (mark === undefined) continue;
        marks.add(mark);
        if (mark.attempt !== null) this.#paces.note(lane, mark.attempt, clock.monotonicMs());
      }
    } finally {
      await marks.kept();
    }
    return page.length > 0;
  }

  #isOurs(lane: number): boolean {
    return this.#leases === null || this.#leases.isOurs(lane);
  }

  async #own(lane: number): Promise<boolean> {
    return this.#leases === null || this.#leases.own(lane);
  }

  /** How long the receiver gets nothing. What is given up waits for none. */
  #restMs(lane: number): number {
    const { standing, clock } = this.#options;
    return standing(lane) === "open" ? this.#paces.restMs(lane, clock.monotonicMs()) : 0;
  }

  async #giveUp(page: readonly Item[], error: string): Promise<boolean> {
    const marks = this.#collectMarks();
    const at = this.#options.clock.now();
    for (const item of page) marks.add(markOf(item, { refused: error }, at));
    await marks.kept();
    return page.length > 0;
  }

  async #tryOnce(item: Item): Promise<Mark<Item> | undefined> {
    const result = await this.#attemptSafely(item);
    // This program aborted the attempt, which says nothing about the receiver.
    if (this.#breakOff.signal.aborted && !("refused" in result) && result.status === "failed") return undefined;
    return markOf(item, result, this.#options.clock.now());
  }

  async #attemptSafely(item: Item): Promise<Attempt | Refusal> {
    const { name, log, attempt } = this.#options;
    try {
      return await attempt(item, this.#breakOff.signal);
    } catch (error) {
      log.error({ dispatcher: name, id: item.id, err: error }, "an attempt to deliver failed by a defect");
      const sentence = "The attempt failed by a defect of the service; its log says more.";
      return { status: "failed", statusCode: null, durationMs: 0, error: sentence, retryAfterMs: null };
    }
  }

  /** Saves outcomes while the next messages are sent, each time as many as came in the meantime. */
  #collectMarks(): { add(mark: Mark<Item>): void; kept(): Promise<void> } {
    const { clock } = this.#options;
    const waiting: Mark<Item>[] = [];
    let keptMs = clock.monotonicMs();
    const saves = new WorkQueue(async () => {
      while (waiting.length > 0) await this.#keep(waiting.splice(0));
      keptMs = clock.monotonicMs();
    });
    return {
      add(mark) {
        waiting.push(mark);
        if (clock.monotonicMs() - keptMs >= KEEP_EVERY_MS) void saves.ask();
      },
      kept: () => saves.ask(),
    };
  }

  /** Retried until it is saved: messages without a saved outcome would be sent again. */
  async #keep(marks: readonly Mark<Item>[]): Promise<void> {
    const { name, outbox, onKept, clock, log } = this.#options;
    const { signal } = this.#stopping;
    for (;;) {
      try {
        const ours = await outbox.keep(marks);
        return onKept?.(marks.filter(({ item }) => ours.has(item.id)));
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable"))
          log.error({ dispatcher: name, err: error }, "what came of deliveries was not kept");
        if (signal.aborted) return log.warn({ dispatcher: name, count: marks.length }, "deliveries may be repeated after the start");
        await pause(clock, KEEP_AGAIN_MS, signal);
      }
    }
  }

  /** Answers in how many milliseconds the next message is due. */
  async #sweep(): Promise<number> {
    const nowMs = this.#options.clock.now().getTime();
    let dueInMs = Infinity;
    for (const { lane, dueAt } of await this.#lanesByNow(nowMs)) {
      const leftMs = Math.max(dueAt.getTime() - nowMs, this.#restMs(lane));
      if (leftMs <= 0) this.poke(lane);
      dueInMs = Math.min(dueInMs, leftMs <= 0 ? LOOK_AGAIN_MS : leftMs);
    }
    return dueInMs;
  }

  /** Reads the lanes. If the clock was set back, messages that were dated by the earlier time are brought forward first. */
  async #lanesByNow(nowMs: number): ReturnType<Outbox<Item>["lanes"]> {
    const { outbox, clock } = this.#options;
    // Both readings belong to one moment, before the slow read.
    const newOffsetMs = nowMs - clock.monotonicMs();
    const lanes = await outbox.lanes();
    const byMs = this.#offsetMs - newOffsetMs > NOTICED_MS ? this.#offsetMs - newOffsetMs : 0;
    const latest = new Date(nowMs + LONGEST_WAIT_MS);
    // No message is put off for longer than this: so the clock was set back before this program started.
    const isAhead = byMs > 0 || lanes.some(({ dueAt }) => dueAt > latest);
    if (isAhead) await outbox.bringForward({ byMs, now: new Date(nowMs), latest });
    this.#offsetMs = newOffsetMs;
    return isAhead ? outbox.lanes() : lanes;
  }
}

function markOf<Item extends OutboxMessage>(item: Item, result: Attempt | Refusal, at: Date): Mark<Item> {
  return { item, attempt: "refused" in result ? null : result, ...judge(item.attempts, result, at) };
}
