import type { Event } from "../../events.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AlertSource } from "../vocabulary.ts";
import { type KeptAlert, keyText, type Flaps } from "./alert.ts";
import { decide, type Order, reconcile, type Step } from "./decide.ts";
import { EventReader, type Watches } from "./event-reader.ts";
import type { Repository } from "./repository.ts";
import { createQueue, type QueuedOrder, Worker } from "./queue.ts";
import type { HostName } from "./recent.ts";
import type { Register } from "./register.ts";
import { isObservation, type Outage } from "./signals.ts";
import type { EvaluationContext } from "./stages.ts";

/** What the stages need from other parts. */
export type Context = Pick<EvaluationContext, "maintaining" | "silencing" | "route" | "channelName"> & {
  /** Channels that were notified of an alert's start. */
  notified(alertId: number): Promise<readonly number[]>;
};

export interface IntakeDependencies {
  register: Register;
  flaps: Flaps;
  repository: Pick<Repository, "keep" | "recover">;
  context: Context;
  hostName?: HostName | undefined;
  watches?: Watches | undefined;
  clock: Clock;
  log: Log;
}

/** The present problems of a source, by key, as orders. */
interface Announced {
  named: Map<string, Extract<Order, { kind: "raise" }>>;
  ordersOf: () => readonly Order[];
}

/** Takes reports of problems, in order and in batches. */
export class Intake {
  readonly #dependencies: IntakeDependencies;
  readonly #queue = createQueue();
  readonly #reader: EventReader;
  readonly #worker: Worker;
  /** The last announcement of each source that waits for its turn. Problems that end in the meantime are removed from it. */
  readonly #announced = new Map<AlertSource, Announced>();
  #isSettled = false;
  #isWorkedOff = false;
  #isRejudging = false;
  #dropped = 0;

  constructor(dependencies: IntakeDependencies) {
    const { clock, log } = dependencies;
    this.#dependencies = dependencies;
    this.#reader = new EventReader(dependencies);
    this.#worker = new Worker({
      queue: this.#queue,
      apply: (taken) => this.#apply(taken),
      onIdle: () => this.#logDropped(),
      clock,
      log,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Works off what waits. What cannot be saved is dropped: its source reports it again after the next start. */
  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Changes nothing until the answer is called; reports wait meanwhile. */
  pause(): Promise<() => void> {
    return this.#worker.pause();
  }

  /** Takes an event; it is worked off in the background. */
  onEvent(event: Event): void {
    if (event.type.startsWith("alert.")) return;
    this.#note(event);
    for (const order of this.#reader.ordersOf(event, isObservation(event))) {
      if (order.kind === "clear") this.#announced.get(order.about.source)?.named.delete(order.key);
      const { key } = order;
      if (order.kind === "raise" || this.#queue.has(key) || this.#worker.isSaving(key) || this.#isWrong(key)) this.#enqueue(order);
    }
  }

  /** Notes from events what is down, without raising anything. */
  note(events: readonly Event[]): void {
    for (const event of events) this.#note(event);
  }

  /** Resolves with the changed alert once it is saved. Throws `storage_unavailable`. */
  order(order: Order): Promise<KeptAlert | undefined> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: string): void => reject(new ServiceError("storage_unavailable", `${reason}; nothing was changed.`));
      if (this.#worker.isStopped()) refuse("The service is stopping");
      else if (this.#worker.isRetrying()) refuse("The database is not there");
      else if (this.#queue.add({ order, done: { resolve, reject } })) this.#worker.wake();
      else refuse("Too many alerts wait to be saved");
    });
  }

  /** Takes all present problems of a source, as events: its other problems are over. Some may not have been observed just now. */
  announce(source: AlertSource, events: readonly Event[], isObserved: (event: Event) => boolean): void {
    const { register, clock } = this.#dependencies;
    const { stays, isOutOfSight } = this.#reader.visibility;
    const named: Announced["named"] = new Map();
    for (const event of events) {
      this.#note(event);
      for (const order of this.#reader.ordersOf(event, isObserved(event)))
        if (order.kind === "raise" && order.problem.source === source)
          named.set(order.key, { ...order, observed: order.observed && !isOutOfSight(order.problem) });
    }
    // A problem that can be observed only since its source was asked was not missing from the answer.
    const unseen = new Set(register.wrong().filter(stays).map(keyText));
    const isWaiting = this.#announced.has(source);
    const ordersOf = (): readonly Order[] => {
      const known = register.wrong().filter((alert) => !stays(alert) && !unseen.has(keyText(alert)));
      return reconcile(source, [...named.values()], { known, endOf: (alert) => this.#reader.endOfUnnamed(alert), at: clock.now() });
    };
    this.#announced.set(source, { named, ordersOf });
    // While the database is away, a later announcement replaces an earlier one.
    if (!isWaiting) this.#queue.addMade(() => this.#takeAnnounced(source));
    this.#worker.wake();
  }

  /** Evaluates again everything that is held back. */
  rejudge(): void {
    if (this.#isRejudging) return;
    this.#isRejudging = true;
    const { register, clock } = this.#dependencies;
    this.#queue.addMade(() => {
      this.#isRejudging = false;
      this.#reader.markUnseen();
      const at = clock.now();
      return register.held().map((alert): Order => ({ kind: "rejudge", key: keyText(alert), id: alert.id, at }));
    });
    this.#worker.wake();
  }

  /** From now on alerts no longer wait for the program to know what runs. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.rejudge();
    // Made when everything before it has been saved.
    this.#queue.addMade(() => {
      this.#isWorkedOff = true;
      return [];
    });
    this.#worker.wake();
  }

  /** Whether that was announced, and everything announced before has been worked off. */
  isSettled(): boolean {
    return this.#isWorkedOff;
  }

  /** Forgets a host, and the orders about it that wait. */
  forgetHost(agentId: string): void {
    const { register, flaps } = this.#dependencies;
    for (const done of this.#queue.drop((order) => order.kind === "raise" && order.problem.agentId === agentId)) done.resolve(undefined);
    this.#reader.forgetHost(agentId);
    flaps.forgetHost(agentId);
    register.forgetHost(agentId);
  }

  /** What evaluations need to know now, the same for all alerts. */
  context(now: Date): Omit<EvaluationContext, "flap" | "notified"> {
    const outage = (alert: KeptAlert): Outage | undefined => this.#reader.outageOf(alert);
    const monotonicMs = this.#dependencies.clock.monotonicMs();
    return { ...this.#dependencies.context, now, monotonicMs, settled: this.#isSettled, outage };
  }

  #note(event: Event): void {
    if (this.#reader.note(event)) this.rejudge();
  }

  #isWrong(key: string): boolean {
    const { register } = this.#dependencies;
    return register.byKey(key) !== undefined || register.persisting(key) !== undefined;
  }

  #enqueue(order: Order): void {
    if (this.#queue.add({ order, done: undefined })) this.#worker.wake();
    else this.#dropped += 1;
  }

  #takeAnnounced(source: AlertSource): readonly Order[] {
    const taken = this.#announced.get(source);
    this.#announced.delete(source);
    return taken?.ordersOf() ?? [];
  }

  async #apply(taken: readonly QueuedOrder[]): Promise<void> {
    const { flaps, repository, clock } = this.#dependencies;
    for (const { flap, after } of await repository.recover()) if (flap !== undefined) flaps.keep(keyText(after), flap, after.agentId);
    const notified = await this.#notifiedOf(taken.map(({ order }) => order));
    const now = clock.now();
    const decided = taken.map(({ order, done }) => ({ key: order.key, done, step: this.#decide(order, notified, now) }));
    const steps = decided.flatMap(({ step }) => (step === undefined ? [] : [step]));
    const kept = (steps.length === 0 ? [] : await repository.keep(steps)).values();
    for (const { key, done, step } of decided) {
      if (step?.flap !== undefined) flaps.keep(key, step.flap, step.after.agentId);
      const alert = step === undefined ? undefined : kept.next().value;
      done?.resolve(alert);
    }
  }

  #decide(order: Order, notified: ReadonlyMap<string, readonly number[]>, now: Date): Step | undefined {
    const { register, flaps } = this.#dependencies;
    return decide(
      order,
      { alert: this.#alertOf(order), persisting: register.persisting(order.key) },
      { ...this.context(now), flap: flaps.get(order.key), notified: notified.get(order.key) ?? [] },
    );
  }

  #alertOf(order: Order): KeptAlert | undefined {
    const { register } = this.#dependencies;
    return order.kind === "raise" || order.kind === "clear" ? register.byKey(order.key) : register.byId(order.id);
  }

  /** The channels that were notified of alerts that may end now. */
  async #notifiedOf(orders: readonly Order[]): Promise<Map<string, readonly number[]>> {
    const { context } = this.#dependencies;
    const ending = orders.flatMap((order) => {
      const alert = order.kind === "raise" || order.kind === "acknowledge" ? undefined : this.#alertOf(order);
      return alert === undefined || alert.routedAt === null ? [] : [{ key: order.key, id: alert.id }];
    });
    return new Map(await Promise.all(ending.map(async ({ key, id }) => [key, await context.notified(id)] as const)));
  }

  #logDropped(): void {
    const { log } = this.#dependencies;
    if (this.#dropped > 0)
      log.warn({ dropped: this.#dropped }, "too many reports of problems at once; what was not taken in is asked for again");
    this.#dropped = 0;
  }
}
