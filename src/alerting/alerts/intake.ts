import type { Event } from "../../events.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AlertSource, Entity, Problem } from "../vocabulary.ts";
import { type KeptAlert, keyText } from "./alert.ts";
import { decide, type Order, reconcile, type Step } from "./decide.ts";
import type { Flaps } from "./flaps.ts";
import type { Keep } from "./keeper.ts";
import { createOutages, hostOf } from "./outages.ts";
import { createQueue, type QueuedOrder } from "./queue.ts";
import { createRecent, type HostName } from "./recent.ts";
import type { Register } from "./register.ts";
import { readEvent } from "./sources.ts";
import type { Circumstances } from "./stages.ts";

/** Between attempts while the database is gone. */
const RETRY_MS = 1_000;

/** What the stages ask of other parts. */
export type Surroundings = Pick<Circumstances, "maintaining" | "silencing" | "route" | "unknownChannels" | "channelName"> & {
  /** Channels that heard that an alert began. */
  told(alertId: number): Promise<readonly number[]>;
};

export interface IntakeDependencies {
  register: Register;
  flaps: Flaps;
  keep: Keep;
  surroundings: Surroundings;
  hostName?: HostName | undefined;
  clock: Clock;
  log: Log;
}

/** Takes what is said of problems, in order, and many at a time. */
export interface Intake {
  /** What an event says; it is worked off in the background. */
  hear(event: Event): void;
  /** Resolves with what became of the alert, once that is saved. Throws `storage_unavailable`. */
  order(order: Order): Promise<KeptAlert | undefined>;
  /** All that is wrong now with a source, told by events; what is not among it is over. */
  announce(source: AlertSource, events: readonly Event[]): void;
  /** What events say of what is down, without raising anything of it. */
  note(events: readonly Event[]): void;
  /** Leaves everything as it is, until the answer is called; what is said meanwhile waits. */
  pause(): Promise<() => void>;
  /** What decides about alerts now, whichever they are. */
  circumstances(now: Date): Omit<Circumstances, "flap" | "told">;
  /** Forgets a host, and what waits to be worked off about it. */
  forgetHost(agentId: string): void;
  /** Asks of everything that is held back whether it still is. */
  rejudge(): void;
  /** From now on alerts need not wait any more for the program to know what runs. */
  settle(): void;
  /** Whether that was said, and all that was announced before it has been worked off. */
  isSettled(): boolean;
  start(): void;
  /** Works off what waits; what cannot be saved is left, and said again by its source after the next start. */
  stop(): Promise<void>;
}

export function createIntake({ register, flaps, keep, surroundings, hostName, clock, log }: IntakeDependencies): Intake {
  const queue = createQueue();
  const recent = createRecent(hostName);
  const outages = createOutages();
  let state: "new" | "running" | "stopped" = "new";
  let settled = false;
  let workedOff = false;
  let rejudging = false;
  let dropped = 0;
  let pauses = 0;
  let working: Promise<void> | undefined;
  let retry: Timer | undefined;

  function wake(): void {
    if (state !== "running" || pauses > 0 || working !== undefined || retry !== undefined) return;
    working = work().finally(() => {
      working = undefined;
    });
  }

  async function work(): Promise<void> {
    // What is said in the same turn of the event loop goes with one unit.
    await nextTurn();
    for (let taken = takeSome(); taken.length > 0; taken = takeSome()) {
      if (!(await workOff(taken))) return;
      await nextTurn();
    }
    if (dropped > 0) log.warn({ dropped }, "too much was said of problems at once; what was not taken in is asked for again");
    dropped = 0;
  }

  function takeSome(): QueuedOrder[] {
    return pauses > 0 ? [] : queue.take();
  }

  /** False when there is no database: then what waits is tried again later. */
  async function workOff(taken: readonly QueuedOrder[]): Promise<boolean> {
    try {
      await apply(taken);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) {
        queue.putBack(taken);
        // Who asks is told at once; what events said is kept.
        for (const done of queue.dropAsked()) done.reject(error);
        retry = clock.after(RETRY_MS, tryAgain);
        return false;
      }
      const [first] = taken;
      if (first === undefined || taken.length === 1) {
        log.error({ err: error, kind: first?.order.kind }, "an alert could not be worked off");
        first?.done?.reject(error);
        return true;
      }
      // One of them is at fault, and the others must not suffer from it.
      for (const [index, one] of taken.entries()) {
        if (await workOff([one])) continue;
        queue.putBack(taken.slice(index + 1));
        return false;
      }
      return true;
    }
  }

  function cancelRetry(): void {
    retry?.cancel();
    retry = undefined;
  }

  function tryAgain(): void {
    retry = undefined;
    wake();
  }

  async function apply(taken: readonly QueuedOrder[]): Promise<void> {
    const told = await toldOf(taken.map(({ order }) => order));
    const now = clock.now();
    const decided = taken.map(({ order, done }) => ({ key: order.key, done, step: decideOn(order, told, now) }));
    const steps = decided.flatMap(({ step }) => (step === undefined ? [] : [step]));
    const kept = (steps.length === 0 ? [] : await keep(steps)).values();
    for (const { key, done, step } of decided) {
      if (step?.flap !== undefined) flaps.keep(key, step.flap, step.after.agentId);
      const alert = step === undefined ? undefined : kept.next().value;
      done?.resolve(alert);
    }
  }

  function decideOn(order: Order, told: ReadonlyMap<string, readonly number[]>, now: Date): Step | undefined {
    return decide(
      order,
      { alert: alertOf(order), persisting: register.persisting(order.key) },
      { ...circumstancesAt(now), flap: flaps.get(order.key), told: told.get(order.key) ?? [] },
    );
  }

  function circumstancesAt(now: Date): Omit<Circumstances, "flap" | "told"> {
    return { ...surroundings, now, settled, outage: (alert) => outages.among(dependedOn(alert)) };
  }

  /** What a host shows stands as it was while nothing comes from it: neither is news of it, nor is that there is none. */
  function isUnseen({ source, agentId }: Pick<Problem, "source" | "agentId">): boolean {
    return SHOWN_BY_HOSTS.has(source) && outages.isSilent(agentId);
  }

  function alertOf(order: Order): KeptAlert | undefined {
    return order.kind === "raise" || order.kind === "clear" ? register.byKey(order.key) : register.byId(order.id);
  }

  /** Who heard of the alerts that may end now. */
  async function toldOf(orders: readonly Order[]): Promise<Map<string, readonly number[]>> {
    const ending = orders.flatMap((order) => {
      const alert = order.kind === "raise" || order.kind === "acknowledge" ? undefined : alertOf(order);
      return alert === undefined || alert.routedAt === null ? [] : [{ key: order.key, id: alert.id }];
    });
    return new Map(await Promise.all(ending.map(async ({ key, id }) => [key, await surroundings.told(id)] as const)));
  }

  function say(order: Order): void {
    if (queue.add({ order, done: undefined })) wake();
    else dropped += 1;
  }

  function rejudge(): void {
    if (rejudging) return;
    rejudging = true;
    queue.addMade(() => {
      rejudging = false;
      const at = clock.now();
      return register.held().map((alert): Order => ({ kind: "rejudge", key: keyText(alert), id: alert.id, at }));
    });
    wake();
  }

  /** What an event says, of which most say nothing that is not known. */
  function* read(event: Event): Generator<Order> {
    const at = clock.now();
    for (const signal of readEvent(event, recent)) {
      const { source } = signal.kind === "raise" ? signal.problem : signal.key;
      if (isUnseen({ source, agentId: "agent_id" in event.data ? event.data.agent_id : null })) continue;
      if (signal.kind === "raise") yield { kind: "raise", key: keyText(signal.problem), problem: signal.problem, at };
      else yield { kind: "clear", key: keyText(signal.key), about: signal.key, reason: null, at };
    }
  }

  function note(event: Event): void {
    recent.note(event);
    if (outages.note(event)) rejudge();
  }

  return {
    hear(event) {
      if (event.type.startsWith("alert.")) return;
      note(event);
      for (const order of read(event)) {
        const isNews = order.kind === "raise" || queue.has(order.key) || isWrong(order.key);
        if (isNews) say(order);
      }
    },
    order: (order) =>
      new Promise((resolve, reject) => {
        if (state === "stopped") reject(new ServiceError("storage_unavailable", "The service is stopping; nothing was changed."));
        else if (retry !== undefined) reject(new ServiceError("storage_unavailable", "The database is not there; nothing was changed."));
        else if (queue.add({ order, done: { resolve, reject } })) wake();
        else reject(new ServiceError("storage_unavailable", "Too many alerts wait to be saved; nothing was changed."));
      }),
    announce(source, events) {
      const named: Problem[] = [];
      for (const event of events) {
        note(event);
        for (const order of read(event)) if (order.kind === "raise" && order.problem.source === source) named.push(order.problem);
      }
      queue.addMade(() => {
        const known = register.wrong().filter((alert) => !isUnseen(alert) && !outages.mayLast(alert));
        return reconcile(source, named, { known, keyOf: keyText, at: clock.now() });
      });
      wake();
    },
    note: (events) => events.forEach(note),
    async pause() {
      pauses += 1;
      await working;
      return () => {
        pauses -= 1;
        wake();
      };
    },
    circumstances: circumstancesAt,
    forgetHost(agentId) {
      for (const done of queue.drop((order) => order.kind === "raise" && order.problem.agentId === agentId)) done.resolve(undefined);
      recent.forgetHost(agentId);
      flaps.forgetHost(agentId);
      register.forgetHost(agentId);
    },
    rejudge,
    settle() {
      if (settled) return;
      settled = true;
      rejudge();
      // Made up when everything before it has been saved.
      queue.addMade(() => {
        workedOff = true;
        return [];
      });
      wake();
    },
    isSettled: () => workedOff,
    start() {
      state = "running";
      wake();
    },
    async stop() {
      await working;
      cancelRetry();
      if (queue.size > 0) wake();
      await working;
      cancelRetry();
      state = "stopped";
    },
  };

  function isWrong(key: string): boolean {
    return register.byKey(key) !== undefined || register.persisting(key) !== undefined;
  }
}

/** What is known of these comes from their host alone, and of time that passes. */
const SHOWN_BY_HOSTS: ReadonlySet<AlertSource> = new Set(["container", "resource", "endpoint"]);

/** That nothing comes from a host, or from its runtime, hangs on nothing else. */
function dependedOn({ source, agentId, parents }: Problem): readonly Entity[] {
  return agentId === null || source === "agent" ? parents : [...parents, hostOf(agentId)];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
