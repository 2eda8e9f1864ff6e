import type { Event } from "../../events.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AlertSource, Entity, Problem, Resolution } from "../vocabulary.ts";
import { type KeptAlert, keyText } from "./alert.ts";
import { decide, type Order, reconcile, type Step } from "./decide.ts";
import type { Flaps } from "./flapping.ts";
import type { Keep } from "./repository.ts";
import { createOutages, hostOf, type Outage } from "./outages.ts";
import { createQueue, type QueuedOrder } from "./queue.ts";
import { createRecent, type HostName } from "./recent.ts";
import type { Register } from "./register.ts";
import { isObservation, type Signal } from "./signals.ts";
import { readEvent, REMOVED } from "./sources.ts";
import type { EvaluationContext } from "./stages.ts";
import { createVisibility, type Watches } from "./visibility.ts";
import { Worker } from "./worker.ts";

/** After these whole hosts are seen, or are not any more. */
const CHANGES_SIGHT: ReadonlySet<Event["type"]> = new Set(["runtime.status_changed", "agent.connected", "agent.disconnected"]);

/** What the stages ask of other parts. */
export type Context = Pick<
  EvaluationContext,
  "maintaining" | "silencing" | "route" | "unknownChannels" | "disabledChannels" | "channelName"
> & {
  /** Channels that heard that an alert began. */
  notified(alertId: number): Promise<readonly number[]>;
};

export interface IntakeDependencies {
  register: Register;
  flaps: Flaps;
  keep: Keep;
  context: Context;
  hostName?: HostName | undefined;
  watches?: Watches | undefined;
  clock: Clock;
  log: Log;
}

/** Takes what is said of problems, in order, and many at a time. */
export interface Intake {
  /** What an event says; it is worked off in the background. */
  onEvent(event: Event): void;
  /** Resolves with what became of the alert, once that is saved. Throws `storage_unavailable`. */
  order(order: Order): Promise<KeptAlert | undefined>;
  /** All that is wrong now with a source, told by events; what is not among it is over. Some of it may not have been observed just now. */
  announce(source: AlertSource, events: readonly Event[], isObserved: (event: Event) => boolean): void;
  /** What events say of what is down, without raising anything of it. */
  note(events: readonly Event[]): void;
  /** Leaves everything as it is, until the answer is called; what is said meanwhile waits. */
  pause(): Promise<() => void>;
  /** What decides about alerts now, whichever they are. */
  context(now: Date): Omit<EvaluationContext, "flap" | "notified">;
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

/** What is wrong with what a source watches, by key, as orders. */
interface Announced {
  named: Map<string, Extract<Order, { kind: "raise" }>>;
  ordersOf: () => readonly Order[];
}

export function createIntake({ register, flaps, keep, context, hostName, watches, clock, log }: IntakeDependencies): Intake {
  const queue = createQueue();
  const recent = createRecent(hostName);
  const outages = createOutages({ watchesLocal: watches?.localRuntime ?? false, stoppedAs: watches?.stoppedAs });
  const visibility = createVisibility(outages, watches);
  const worker = new Worker({ queue, apply, onIdle: logDropped, clock, log });
  /** What was last announced of each source and waits for its turn; what is over since then takes itself out of it. */
  const announced = new Map<AlertSource, Announced>();
  let settled = false;
  let workedOff = false;
  let rejudging = false;
  let dropped = 0;

  function logDropped(): void {
    if (dropped > 0) log.warn({ dropped }, "too much was said of problems at once; what was not taken in is asked for again");
    dropped = 0;
  }

  async function apply(taken: readonly QueuedOrder[]): Promise<void> {
    const notified = await notifiedOf(taken.map(({ order }) => order));
    const now = clock.now();
    const decided = taken.map(({ order, done }) => ({ key: order.key, done, step: decideOn(order, notified, now) }));
    const steps = decided.flatMap(({ step }) => (step === undefined ? [] : [step]));
    const kept = (steps.length === 0 ? [] : await keep(steps)).values();
    for (const { key, done, step } of decided) {
      if (step?.flap !== undefined) flaps.keep(key, step.flap, step.after.agentId);
      const alert = step === undefined ? undefined : kept.next().value;
      done?.resolve(alert);
    }
  }

  function decideOn(order: Order, notified: ReadonlyMap<string, readonly number[]>, now: Date): Step | undefined {
    return decide(
      order,
      { alert: alertOf(order), persisting: register.persisting(order.key) },
      { ...contextAt(now), flap: flaps.get(order.key), notified: notified.get(order.key) ?? [] },
    );
  }

  function contextAt(now: Date): Omit<EvaluationContext, "flap" | "notified"> {
    return { ...context, now, settled, outage: (alert) => outages.among(dependedOn(alert)) ?? runtimeStop(alert) };
  }

  /** A container that ended with its engine is part of one cause, which is alerted in its place. */
  function runtimeStop({ source, event, entity, details }: KeptAlert): Outage | undefined {
    if (source !== "container" || event !== "down" || watches?.hasStoppedWithRuntime(Number(entity.id)) !== true) return undefined;
    return { name: "its host", why: "stopped it with the container engine", since: new Date(String(details["since"])) };
  }

  function alertOf(order: Order): KeptAlert | undefined {
    return order.kind === "raise" || order.kind === "clear" ? register.byKey(order.key) : register.byId(order.id);
  }

  /** Who heard of the alerts that may end now. */
  async function notifiedOf(orders: readonly Order[]): Promise<Map<string, readonly number[]>> {
    const ending = orders.flatMap((order) => {
      const alert = order.kind === "raise" || order.kind === "acknowledge" ? undefined : alertOf(order);
      return alert === undefined || alert.routedAt === null ? [] : [{ key: order.key, id: alert.id }];
    });
    return new Map(await Promise.all(ending.map(async ({ key, id }) => [key, await context.notified(id)] as const)));
  }

  function enqueue(order: Order): void {
    if (queue.add({ order, done: undefined })) worker.wake();
    else dropped += 1;
  }

  function rejudge(): void {
    if (rejudging) return;
    rejudging = true;
    queue.addMade(() => {
      rejudging = false;
      markUnseen();
      const at = clock.now();
      return register.held().map((alert): Order => ({ kind: "rejudge", key: keyText(alert), id: alert.id, at }));
    });
    worker.wake();
  }

  /** Since when nothing shows the alerts that stay as they were last seen. */
  function markUnseen(): void {
    const unseen = register.active().filter((alert) => visibility.isAway(alert));
    register.setUnseen(
      new Map(unseen.map((alert) => [alert.id, outages.among([...dependedOn(alert), alert.entity])?.since ?? alert.lastRaisedAt])),
    );
  }

  /** What an event says, of which most say nothing that is not known. */
  function* read(event: Event, observed: boolean): Generator<Order> {
    const at = clock.now();
    for (const signal of readEvent(event, recent)) {
      const { source } = signal.kind === "raise" ? signal.problem : signal.key;
      const agentId = "agent_id" in event.data ? event.data.agent_id : null;
      if (visibility.isUnseen({ source, agentId })) continue;
      // It is over when time passes quietly, which says nothing while its host shows nothing.
      if (signal.kind === "clear" && signal.key.event === "restart_loop" && !outages.isShown(agentId)) continue;
      if (signal.kind === "raise") yield { kind: "raise", key: keyText(signal.problem), problem: signal.problem, observed, at };
      else yield { kind: "clear", key: keyText(signal.key), about: signal.key, resolution: endOf(signal), at };
    }
  }

  /** Of a container that is not there any more nothing was seen to be well. */
  function endOf({ key, resolution }: Extract<Signal, { kind: "clear" }>): Resolution {
    const isGone = key.entity.type === "container" && watches !== undefined && watches.runs(Number(key.entity.id)) === undefined;
    return isGone && resolution.by === "observation" ? REMOVED : resolution;
  }

  function note(event: Event): void {
    recent.note(event);
    if (outages.note(event)) rejudge();
    if (CHANGES_SIGHT.has(event.type)) markUnseen();
  }

  return {
    onEvent(event) {
      if (event.type.startsWith("alert.")) return;
      note(event);
      for (const order of read(event, isObservation(event))) {
        if (order.kind === "clear") announced.get(order.about.source)?.named.delete(order.key);
        const isNews = order.kind === "raise" || queue.has(order.key) || worker.isSaving(order.key) || isWrong(order.key);
        if (isNews) enqueue(order);
      }
    },
    order: (order) =>
      new Promise((resolve, reject) => {
        if (worker.isStopped()) reject(new ServiceError("storage_unavailable", "The service is stopping; nothing was changed."));
        else if (worker.isRetrying()) reject(new ServiceError("storage_unavailable", "The database is not there; nothing was changed."));
        else if (queue.add({ order, done: { resolve, reject } })) worker.wake();
        else reject(new ServiceError("storage_unavailable", "Too many alerts wait to be saved; nothing was changed."));
      }),
    announce(source, events, isObserved) {
      const named: Announced["named"] = new Map();
      for (const event of events) {
        note(event);
        for (const order of read(event, isObserved(event)))
          if (order.kind === "raise" && order.problem.source === source)
            named.set(order.key, { ...order, observed: order.observed && !visibility.isOutOfSight(order.problem) });
      }
      // What comes into sight after its source was asked was not left out by it.
      const unseen = new Set(register.wrong().filter(visibility.stays).map(keyText));
      const isWaiting = announced.has(source);
      const ordersOf = (): readonly Order[] => {
        const known = register.wrong().filter((alert) => !visibility.stays(alert) && !unseen.has(keyText(alert)));
        return reconcile(source, [...named.values()], { known, keyOf: keyText, at: clock.now() });
      };
      announced.set(source, { named, ordersOf });
      // While there is no database the latest takes the place of the one before.
      if (!isWaiting) queue.addMade(() => takeAnnounced(source));
      worker.wake();
    },
    note: (events) => events.forEach(note),
    pause: () => worker.pause(),
    context: contextAt,
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
      worker.wake();
    },
    isSettled: () => workedOff,
    start: () => worker.start(),
    stop: () => worker.stop(),
  };

  function takeAnnounced(source: AlertSource): readonly Order[] {
    const taken = announced.get(source);
    announced.delete(source);
    return taken?.ordersOf() ?? [];
  }

  function isWrong(key: string): boolean {
    return register.byKey(key) !== undefined || register.persisting(key) !== undefined;
  }
}

/** That nothing comes from a host, or from its runtime, hangs on nothing else. */
function dependedOn({ source, agentId, parents }: Problem): readonly Entity[] {
  return agentId === null || source === "agent" ? parents : [...parents, hostOf(agentId)];
}
