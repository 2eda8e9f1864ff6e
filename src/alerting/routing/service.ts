import { DAY_MS } from "../../contract/time.ts";
import { TRIGGER_BOUNDS } from "../../contract/notifications.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { refuseFaults, ServiceError } from "../../platform/errors.ts";
import { createSerial } from "../../platform/queues.ts";
import { type GroupOf, subjectsOf } from "../scope.ts";
import type { Alert, RoutingDecision } from "../vocabulary.ts";
import type { CreateBody, SimulateBody, UpdateBody } from "./api.ts";
import type { Simulation, TriggerList, TriggerRecord } from "./answers.ts";
import { decideRouting, type RoutedChannel } from "./routing.ts";
import type { TriggerStore } from "./store.ts";
import { filterTexts, readSettings, sameName, type Trigger, passes, type TriggerSettings } from "./filters.ts";

/** How many days and alerts a simulation reads, and how many examples it shows. */
export const SIMULATION = { days: 30, examples: 10, alerts: 500_000, milliseconds: 5000 } as const;

/** What users can ask of triggers. Functions that take an id throw `not_found`; those that change something, `storage_unavailable`. */
export interface TriggerService {
  load(): Promise<void>;
  /** By name. */
  list(): TriggerList;
  get(id: number): TriggerRecord;
  /** Throws `unusable_values`, `duplicate_name`, and `conflict` when there are too many. */
  create(body: CreateBody): Promise<TriggerRecord>;
  update(id: number, body: UpdateBody): Promise<TriggerRecord>;
  remove(id: number): Promise<void>;
  /** What the trigger would have sent in the last 30 days. Throws `unusable_values`. */
  simulate(body: SimulateBody, signal: AbortSignal): Promise<Simulation>;
  /** The triggers that notify a channel, in words. */
  usersOf(channelId: number): string[];
  route(alert: Alert): RoutingDecision;
}

/** How many alerts are checked in one turn of the event loop: about 5 ms. */
const TURN = 250;

export interface TriggerServiceDependencies {
  store: TriggerStore;
  bus: Bus<Event>;
  clock: Clock;
  channels: { all(): readonly RoutedChannel[]; get(id: number): RoutedChannel | undefined };
  /** Alerts that fired since then, for simulations. */
  history: { since(from: Date): AsyncIterable<Alert> };
  groupOf: GroupOf;
}

export function createTriggerService({ store, bus, clock, channels, history, groupOf }: TriggerServiceDependencies): TriggerService {
  /** In the order of their ids. Replaced as a whole, since it is read with every alert. */
  let triggers: readonly Trigger[] = [];
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("triggers", work);
  const channelExists = (id: number): boolean => channels.get(id) !== undefined;

  function find(id: number): Trigger {
    const trigger = triggers.find((each) => each.id === id);
    if (trigger === undefined) throw new ServiceError("not_found", `There is no alert trigger ${id}.`);
    return trigger;
  }

  function refuseTakenName(name: string, id: number | undefined): void {
    const other = triggers.find((each) => each.id !== id && sameName(each.name, name));
    if (other !== undefined) throw nameTaken(other.name);
  }

  return {
    async load() {
      triggers = await store.load();
    },
    usersOf: (channelId) =>
      triggers.filter(({ channelIds }) => channelIds.includes(channelId)).map(({ name }) => `alert trigger "${name}"`),
    route: (alert) => decideRouting(alert, { channels: channels.all(), triggers, groupOf }),
    list() {
      const byName = triggers.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) || a.id - b.id);
      return { triggers: byName.map(triggerRecord), total: byName.length };
    },
    get: (id) => triggerRecord(find(id)),

    create: (body) =>
      oneByOne(async () => {
        const { settings, faults } = readSettings(body, undefined, channelExists);
        refuseFaults(faults);
        refuseTakenName(settings.name, undefined);
        if (triggers.length >= TRIGGER_BOUNDS.triggers) {
          throw new ServiceError(
            "conflict",
            `There are ${TRIGGER_BOUNDS.triggers} alert triggers already; delete some, or use broader filters.`,
          );
        }
        const now = clock.now();
        const created = await store.insert({ ...settings, createdAt: now, updatedAt: now });
        if (created === undefined) throw nameTaken(settings.name);
        triggers = [...triggers, created];
        bus.publish(triggerEvent("created", created, now));
        return triggerRecord(created);
      }),

    update: (id, body) =>
      oneByOne(async () => {
        const before = find(id);
        const { settings, faults } = readSettings(body, before, channelExists);
        refuseFaults(faults);
        refuseTakenName(settings.name, id);
        const now = clock.now();
        const next = { ...before, ...settings, updatedAt: now };
        await store.update(next);
        triggers = triggers.map((each) => (each.id === id ? next : each));
        bus.publish(triggerEvent("updated", next, now));
        return triggerRecord(next);
      }),

    remove: (id) =>
      oneByOne(async () => {
        const trigger = find(id);
        await store.remove(id);
        triggers = triggers.filter((each) => each.id !== id);
        bus.publish(triggerEvent("deleted", trigger, clock.now()));
      }),

    async simulate({ trigger }, signal) {
      const { settings, faults } = readSettings(trigger, undefined, channelExists);
      refuseFaults(faults.map(({ path, message }) => ({ path: `trigger.${path}`, message })));
      const receivers = settings.channelIds.flatMap((id) => channels.get(id) ?? []);
      const tally = createTally({ trigger: settings, channels: receivers, groupOf, now: clock.now() });
      const untilMs = clock.monotonicMs() + SIMULATION.milliseconds;
      let looked = 0;
      for await (const alert of history.since(tally.from)) {
        if (looked >= SIMULATION.alerts || signal.aborted || clock.monotonicMs() >= untilMs) return tally.result(false);
        tally.add(alert);
        looked += 1;
        // Alerts are read page by page, from SQLite without ever waiting, so other work must get its turn.
        if (looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return tally.result(true);
    },
  };
}

function nameTaken(name: string): ServiceError {
  return new ServiceError("duplicate_name", `There is an alert trigger called "${name}" already.`);
}

/** A trigger in its JSON form. */
function triggerRecord(trigger: Trigger): TriggerRecord {
  return {
    id: trigger.id,
    name: trigger.name,
    ...filterTexts(trigger.filters),
    enabled: trigger.enabled,
    notify_on_resolve: trigger.notifyOnResolve,
    channel_ids: [...trigger.channelIds],
    created_at: trigger.createdAt.toISOString(),
    updated_at: trigger.updatedAt.toISOString(),
  };
}

function triggerEvent(what: "created" | "updated" | "deleted", trigger: Trigger, now: Date): Event {
  const { id, name, enabled, notify_on_resolve, channel_ids } = triggerRecord(trigger);
  return {
    type: `trigger.${what}`,
    data: { id, agent_id: null, name, enabled, notify_on_resolve, channel_ids, timestamp: now.toISOString() },
  };
}

/** Counts what a trigger would have sent. */
interface Tally {
  /** The beginning of the first counted day, UTC. */
  from: Date;
  add(alert: Alert): void;
  result(complete: boolean): Simulation;
}

interface TallyParts {
  trigger: TriggerSettings;
  channels: readonly RoutedChannel[];
  groupOf: GroupOf;
  now: Date;
}

/** Counts the days up to and including that of `now`, as if the trigger had been enabled, and groups had been as they are now, all the time. */
export function createTally({ trigger, channels, groupOf, now }: TallyParts): Tally {
  const firstDay = Math.floor(now.getTime() / DAY_MS) - SIMULATION.days + 1;
  const days = Array.from({ length: SIMULATION.days }, () => 0);
  const receivers = channels.filter(({ enabled }) => enabled).length;
  const examples: Simulation["examples"] = [];
  let [matched, heldBack, fired, resolved] = [0, 0, 0, 0];

  function countDay(at: Date): void {
    const index = Math.floor(at.getTime() / DAY_MS) - firstDay;
    if (index >= 0 && index < days.length) days[index] = (days[index] ?? 0) + receivers;
  }

  return {
    from: new Date(firstDay * DAY_MS),
    add(alert) {
      if (!passes(trigger.filters, alert, subjectsOf(alert, groupOf))) return;
      matched += 1;
      if (examples.length < SIMULATION.examples) {
        examples.push({ alert_id: alert.id, message: alert.message, fired_at: alert.firedAt.toISOString() });
      }
      if (alert.suppressedBy !== null) {
        heldBack += 1;
        return;
      }
      fired += 1;
      countDay(alert.firedAt);
      if (!trigger.notifyOnResolve || alert.resolvedAt === null) return;
      resolved += 1;
      countDay(alert.resolvedAt);
    },
    result: (complete) => ({
      period_days: SIMULATION.days,
      matched,
      held_back: heldBack,
      deliveries: (fired + resolved) * receivers,
      per_day: days.map((deliveries, index) => ({
        date: new Date((firstDay + index) * DAY_MS).toISOString().slice(0, 10),
        deliveries,
      })),
      by_channel: channels.map(({ id, name, enabled }) => ({
        channel_id: id,
        name,
        enabled,
        fired: enabled ? fired : 0,
        resolved: enabled ? resolved : 0,
      })),
      examples,
      complete,
    }),
  };
}
