import { DAY_MS, MINUTE_MS } from "../contract/time.ts";
import type { Observation, ObservationSink } from "../observations.ts";
import { type Clock, pause, nextTurnWhenDue, type Timer } from "../platform/clock.ts";
import { isServiceError, ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createSerial, WorkQueue } from "../platform/queues.ts";
import { enqueue, forget, MAX_BATCH } from "./waiting-observations.ts";

/** Of the past more are saved in one go: they hold up nobody, and each go has its commits. */
const MAX_REPLAYED = 1000;
const RETRY_MS = 250;
/** What changes nothing is saved after so long at the latest: one commit for all of it, since each costs as much as 20 checks. */
const GATHER_MS = 1000;
/** The same of agents, which have a few unacknowledged batches at most. */
const GATHER_OF_AGENTS_MS = 250;
/** Between two warnings that observations of a host were dropped. */
const LOG_EVERY_MS = MINUTE_MS;
const DRAIN_WITHIN_MS = 3000;
/** An agent's clock differs from ours by five minutes at most, and it keeps nothing for so long. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;
const MAX_AGE_MS = 30 * DAY_MS;

export interface Intake extends ObservationSink {
  /**
   * Takes what an agent sees now; resolves after it was saved, in the order of the calls. Throws `storage_unavailable`: then the same must be
   * said again. What cannot be understood is logged and left out.
   */
  live(agentId: string, observations: readonly Observation[]): Promise<void>;
  /**
   * The same for what an agent saw while it was cut off: into the history alone. Waits for what is live of that agent when it comes; live ones
   * that come later do not wait for it.
   */
  replay(agentId: string, observations: readonly Observation[]): Promise<void>;
  /** Takes nothing more of an agent, and waits for what is under way. Calls are refused with `agent_unknown` until it is opened again. */
  close(agentId: string): Promise<void>;
  open(agentId: string): void;
  /** Observations that wait to be saved. */
  queued(): number;
  /** From now on observations are taken; what came before waits. Called once, when all who take them are there. */
  start(doors: IntakeDoors): void;
  /** Saves what is queued, within a few seconds; then takes no more. */
  stop(): Promise<void>;
}

/** Takes observations and handles those that concern it. It must be idempotent. */
export interface Observer {
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

/** Takes what hosts saw while they were cut off, for its history alone. It must be idempotent. */
export interface Recorder {
  record(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

/** What an intake opens to. */
export interface IntakeDoors {
  observers: readonly Observer[];
  /** Apart from the observers: they have no means to notify anybody. The others refer to what the first one saves. */
  recorders?: readonly Recorder[];
  /** Adds to what a host saw what is known from others; called again for what has to be taken again. */
  complete?: (agentId: string | null, observation: Observation, isReplayed: boolean) => Observation;
  /** Whether it says what is known already, and may be saved and published a second later, together with others. */
  canWait?: (agentId: string | null, observation: Observation) => boolean;
}

type Take = (agentId: string | null, batch: readonly Observation[]) => Promise<void>;

interface Queue {
  waiting: Observation[];
  /** Dropped since the last warning. */
  dropped: number;
  loggedMs: number;
  /** Until what can wait is saved. */
  gathering?: Timer;
}

/** What an agent said that can wait, and its callers with it. */
interface Gathered {
  observations: Observation[];
  taken: PromiseWithResolvers<void>;
}

/** Where all observations arrive: keeps each host's order, and holds them while there is no database. */
export function createIntake(parts: { clock: Clock; log: Log }): Intake {
  return new ObservationIntake(parts);
}

class ObservationIntake implements Intake {
  readonly #clock: Clock;
  readonly #log: Log;
  /** What waits, by host. */
  readonly #queues = new Map<string | null, Queue>();
  readonly #saves = new WorkQueue<string | null>((agentId, signal) => this.#workOff(agentId, signal));
  /** What agents ask to be saved, which they wait for. */
  readonly #serial = createSerial();
  /** What can wait, by agent. */
  readonly #gathered = new Map<string, Gathered>();
  readonly #closed = new Set<string>();
  #gathering: Timer | undefined;
  #doors: IntakeDoors | undefined;
  #isRefusing = false;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  start(doors: IntakeDoors): void {
    this.#doors = doors;
  }

  queued(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  observe(agentId: string | null, observation: Observation): void {
    if (this.#isRefusing || (agentId !== null && this.#closed.has(agentId))) return;
    const queue: Queue = this.#queues.get(agentId) ?? { waiting: [], dropped: 0, loggedMs: -Infinity };
    this.#queues.set(agentId, queue);
    queue.dropped += enqueue(queue.waiting, observation);
    if (this.#clock.monotonicMs() - queue.loggedMs >= LOG_EVERY_MS) this.#logDropped(agentId, queue);
    if (this.#doors?.canWait?.(agentId, observation) === true)
      queue.gathering ??= this.#clock.after(GATHER_MS, () => void this.#saves.ask(agentId));
    else void this.#saves.ask(agentId);
  }

  live(agentId: string, observations: readonly Observation[]): Promise<void> {
    const { canWait } = this.#doors ?? {};
    if (canWait !== undefined && observations.every((each) => canWait(agentId, each))) return this.#gather(agentId, observations);
    this.#takeGathered(agentId);
    return this.#serial(liveOf(agentId), () => this.#takeParts(this.#observeAll, agentId, observations, MAX_BATCH));
  }

  async replay(agentId: string, observations: readonly Observation[]): Promise<void> {
    this.#takeGathered(agentId);
    await this.#serial(liveOf(agentId), () => Promise.resolve());
    await this.#serial(replayOf(agentId), () => this.#takeParts(this.#recordAll, agentId, observations, MAX_REPLAYED));
  }

  async close(agentId: string): Promise<void> {
    this.#closed.add(agentId);
    this.#takeGathered(agentId);
    await Promise.all([liveOf(agentId), replayOf(agentId)].map((key) => this.#serial(key, () => Promise.resolve())));
    this.#queues.get(agentId)?.waiting.splice(0);
    await this.#saves.ask(agentId);
  }

  open(agentId: string): void {
    this.#closed.delete(agentId);
  }

  async stop(): Promise<void> {
    this.#isRefusing = true;
    this.#takeAllGathered();
    const over = new AbortController();
    const drained = Promise.all([...this.#queues.keys()].map((agentId) => this.#saves.ask(agentId)));
    await Promise.race([drained, pause(this.#clock, DRAIN_WITHIN_MS, over.signal)]);
    over.abort();
    void this.#saves.stop();
    const left = this.queued();
    if (left > 0) this.#log.warn({ left }, "observations not saved: no database; the next start takes them up from the runtime");
  }

  #gather(agentId: string, observations: readonly Observation[]): Promise<void> {
    const gathered = this.#gathered.get(agentId) ?? { observations: [], taken: Promise.withResolvers<void>() };
    this.#gathered.set(agentId, gathered);
    gathered.observations.push(...observations);
    this.#gathering ??= this.#clock.after(GATHER_OF_AGENTS_MS, () => this.#takeAllGathered());
    return gathered.taken.promise;
  }

  #takeAllGathered(): void {
    this.#gathering?.cancel();
    this.#gathering = undefined;
    for (const agentId of this.#gathered.keys()) this.#takeGathered(agentId);
  }

  #takeGathered(agentId: string): void {
    const gathered = this.#gathered.get(agentId);
    if (gathered === undefined) return;
    this.#gathered.delete(agentId);
    const { observations, taken } = gathered;
    this.#serial(liveOf(agentId), () => this.#takeParts(this.#observeAll, agentId, observations, MAX_BATCH)).then(
      taken.resolve,
      taken.reject,
    );
  }

  async #workOff(agentId: string | null, signal: AbortSignal): Promise<void> {
    const queue = this.#queues.get(agentId);
    if (queue === undefined) return;
    const { waiting } = queue;
    while (waiting.length > 0 && !signal.aborted) {
      const batch = waiting.slice(0, MAX_BATCH);
      if (await this.#save(agentId, batch)) forget(waiting, batch);
      else await pause(this.#clock, RETRY_MS, signal);
    }
    this.#logDropped(agentId, queue);
    if (waiting.length > 0) return;
    queue.gathering?.cancel();
    this.#queues.delete(agentId);
  }

  /** False when it must be tried again. */
  async #save(agentId: string | null, batch: readonly Observation[]): Promise<boolean> {
    try {
      await this.#take(this.#observeAll, agentId, batch);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) return false;
      throw error;
    }
  }

  /** Throws `storage_unavailable` alone. One that cannot be understood must not take the others with it. */
  async #take(door: Take, agentId: string | null, batch: readonly Observation[]): Promise<void> {
    try {
      await door(agentId, batch);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) throw error;
      if (batch.length > 1) for (const observation of batch) await this.#take(door, agentId, [observation]);
      else
        this.#log.error({ err: error, agent_id: agentId, observation: batch[0]?.kind }, "observation dropped: it could not be understood");
    }
  }

  /** In parts, so that others get their turn between them. */
  async #takeParts(door: Take, agentId: string, all: readonly Observation[], atOnce: number): Promise<void> {
    const now = this.#clock.now();
    const observations = all.filter((each) => isBelievable(each, now));
    if (observations.length < all.length)
      this.#log.warn({ agent_id: agentId, dropped: all.length - observations.length }, "observations dropped: their times cannot be right");
    for (let from = 0; from < observations.length; from += atOnce) {
      this.#requireOpen(agentId);
      await this.#take(door, agentId, observations.slice(from, from + atOnce));
    }
  }

  readonly #observeAll: Take = async (agentId, batch) => {
    const { observers, complete = unchanged } = this.#requireDoors();
    const completed = batch.map((each) => complete(agentId, each, false));
    for (const observer of observers) {
      await observer.observe(agentId, completed);
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
  };

  readonly #recordAll: Take = async (agentId, batch) => {
    const { recorders = [], complete = unchanged } = this.#requireDoors();
    const [first, ...others] = recorders;
    const completed = batch.map((each) => complete(agentId, each, true));
    await first?.record(agentId, completed);
    // Together, so that what they save shares a commit.
    await Promise.all(others.map((recorder) => recorder.record(agentId, completed)));
  };

  /** Before the start, callers wait as they do for the database. */
  #requireDoors(): IntakeDoors {
    if (this.#doors === undefined) throw new ServiceError("storage_unavailable", "The service is starting; nothing was saved.");
    return this.#doors;
  }

  #requireOpen(agentId: string): void {
    if (this.#isRefusing) throw new ServiceError("storage_unavailable", "The service is stopping; nothing was saved.");
    if (this.#closed.has(agentId)) throw new ServiceError("agent_unknown", "The agent is being deleted; nothing of it is saved any more.");
  }

  #logDropped(agentId: string | null, queue: Queue): void {
    if (queue.dropped === 0) return;
    this.#log.warn(
      { agent_id: agentId, dropped: queue.dropped, kept: queue.waiting.length },
      "observations dropped: too many wait for the database",
    );
    queue.dropped = 0;
    queue.loggedMs = this.#clock.monotonicMs();
  }
}

function liveOf(agentId: string): string {
  return `live ${agentId}`;
}

function replayOf(agentId: string): string {
  return `replay ${agentId}`;
}

function isBelievable({ observedAt }: Observation, now: Date): boolean {
  const aheadMs = observedAt.getTime() - now.getTime();
  return aheadMs <= MAX_AHEAD_MS && aheadMs >= -MAX_AGE_MS;
}

const unchanged: NonNullable<IntakeDoors["complete"]> = (_agentId, observation) => observation;
