import type { Kysely } from "kysely";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { DeliveryOrder } from "../deliveries/index.ts";
import type { Alert } from "../vocabulary.ts";
import { type KeptAlert, keyText } from "./alert.ts";
import type { AlertNotification } from "./api.ts";
import type { Step } from "./decide.ts";
import { type Register, type Totals, alertData, alertRecord } from "./register.ts";
import { stateColumns } from "./rows.ts";
import { flappingText } from "./stages.ts";
import type { AlertStore, Tx } from "./store.ts";

/** What is sent to channels, as rows written with the alert. */
export interface Outgoing {
  put<Schema>(tx: Kysely<Schema>, order: DeliveryOrder): Promise<unknown>;
  /** Deletes the deliveries of alerts, in the caller's unit; those that wait are sent first. */
  purgeAlerts(unit: Kysely<object>, alertIds: readonly number[]): Promise<void>;
  wake(): void;
}

/** Notifies further people until somebody reacts. */
export interface Escalating {
  /** Answers whether anybody is notified later. */
  begin<Schema>(tx: Kysely<Schema>, alert: Alert, now: Date): Promise<boolean>;
  /** Answers whether anybody was to be. */
  end<Schema>(tx: Kysely<Schema>, alert: Alert, how: "acknowledged" | "resolved", now: Date): Promise<boolean>;
  /** Deletes the escalation runs of alerts, in the caller's unit. */
  purgeAlerts(unit: Kysely<object>, alertIds: readonly number[]): Promise<void>;
  /** To be called after the commit of that. */
  forgetAlerts(alertIds: readonly number[]): void;
  /** To be called after the commit of a unit for which one of these answered true. */
  wake(): void;
}

interface Saved {
  /** undefined when another program made this alert active in the meantime. */
  step: Step | undefined;
  alert: KeptAlert;
}

/** A unit with all that is to be published of it. */
interface SavedUnit {
  kept: readonly Saved[];
  events: readonly Event[];
  /** Whether an alert of it is escalated, or was. */
  isEscalated: boolean;
}

export interface RepositoryDependencies {
  store: AlertStore;
  totals: Totals;
  register: Register;
  bus: Bus<Event>;
  clock: Clock;
  baseUrl: string;
  outbox: Outgoing;
}

/** Saves steps with all that follows from them in one unit, then publishes them. Answers the changed alerts. */
export type Keep = (steps: readonly Step[]) => Promise<KeptAlert[]>;

export interface Repository {
  /** Nothing is saved before this. */
  start(escalation: Escalating): void;
  keep: Keep;
  /**
   * When the database was lost at a commit, the unit may be saved nevertheless: then it is published now. Answers its steps. To be called before further
   * steps are decided.
   */
  recover(): Promise<readonly Step[]>;
  /** Writes the notifications of alerts that are about to be deleted, in the caller's unit. */
  notifyLast(tx: Tx, steps: readonly Step[], now: Date): Promise<void>;
  /** Deletes the deliveries and escalation runs of alerts, in the caller's unit; deliveries that wait are sent first. */
  purgeAlerts(unit: Kysely<object>, alertIds: readonly number[]): Promise<void>;
  /** To be called after the commit of that. */
  forgetAlerts(alertIds: readonly number[]): void;
  eventsOf(step: Step, alert: KeptAlert, now: Date): Event[];
}

export function createRepository({ store, totals, register, bus, clock, baseUrl, outbox }: RepositoryDependencies): Repository {
  /** It reads alerts, so it is built after them. */
  let given: Escalating | undefined;
  /** The last unit, if it is not known whether it was committed. */
  let unanswered: SavedUnit | undefined;

  function escalation(): Escalating {
    if (given === undefined) throw new Error("alerts are saved before their start");
    return given;
  }

  return {
    start(escalating) {
      given = escalating;
    },
    keep,
    recover,
    eventsOf,
    async purgeAlerts(unit, alertIds) {
      await escalation().purgeAlerts(unit, alertIds);
      await outbox.purgeAlerts(unit, alertIds);
    },
    forgetAlerts(alertIds) {
      escalation().forgetAlerts(alertIds);
      outbox.wake();
    },
    async notifyLast(tx, steps, now) {
      for (const step of steps) await saveFollowing(tx, step, step.after, now);
    },
  };

  async function keep(steps: readonly Step[]): Promise<KeptAlert[]> {
    const now = clock.now();
    const release = totals.hold();
    let unit: SavedUnit | undefined;
    try {
      const saved = await store.write(async (tx) => (unit = await save(tx, steps, now)));
      publish(saved);
      return saved.kept.map(({ alert }) => alert);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) unanswered = unit;
      throw error;
    } finally {
      release();
    }
  }

  async function recover(): Promise<readonly Step[]> {
    const unit = unanswered;
    const [first] = unit?.kept.filter(({ step }) => step !== undefined) ?? [];
    const isCommitted = first !== undefined && isSameState(await store.one(first.alert.id), first.alert);
    unanswered = undefined;
    if (unit === undefined || !isCommitted) return [];
    publish(unit);
    // They may have been counted before the unit was known to be saved.
    totals.forget();
    return unit.kept.flatMap(({ step }) => step ?? []);
  }

  function publish({ kept, events, isEscalated }: SavedUnit): void {
    for (const { step, alert } of kept) remember(step, alert);
    for (const event of events) bus.publish(event);
    if (kept.some(({ step }) => step !== undefined && step.targets.length > 0)) outbox.wake();
    if (isEscalated) escalation().wake();
  }

  async function save(tx: Tx, steps: readonly Step[], now: Date): Promise<SavedUnit> {
    const saved = await saveAlerts(tx, steps);
    const evaluations = saved.flatMap(({ step, alert }) =>
      step === undefined || step.evaluation === null ? [] : [{ alertId: alert.id, evaluation: step.evaluation }],
    );
    await store.saveEvaluations(tx, evaluations);
    let isEscalated = false;
    for (const { step, alert } of saved) if (step !== undefined && (await saveFollowing(tx, step, alert, now))) isEscalated = true;
    const events = saved.flatMap(({ step, alert }) => (step === undefined ? [] : eventsOf(step, alert, now)));
    await bus.keep(tx, events);
    return { kept: saved, events, isEscalated };
  }

  function remember(step: Step | undefined, alert: KeptAlert): void {
    register.put(alert);
    if (step === undefined) return;
    totals.change(step.before, alert);
    if (step.forget !== undefined) register.put(step.forget);
  }

  /** In the order of the steps. */
  async function saveAlerts(tx: Tx, of: readonly Step[]): Promise<Saved[]> {
    const ids = await store.insert(
      tx,
      of.filter(({ before }) => before === undefined).map(({ after }) => after),
    );
    const saved: Saved[] = [];
    for (const step of of) {
      const { before, after, forget } = step;
      if (forget !== undefined) await store.update(tx, forget);
      if (before !== undefined) {
        await store.update(tx, after);
        saved.push({ step, alert: after });
        continue;
      }
      const id = ids.get(keyText(after));
      if (id !== undefined) saved.push({ step, alert: { ...after, id } });
      else saved.push({ step: undefined, alert: await store.sameActive(tx, after) });
    }
    return saved;
  }

  /** Answers whether the alert is escalated, or was. */
  async function saveFollowing(tx: Tx, step: Step, alert: KeptAlert, now: Date): Promise<boolean> {
    if (step.targets.length > 0) {
      const notification = notificationOf(step, alert, now);
      await outbox.put(tx, { notification, alertId: alert.id, targets: step.targets, escalation: null, at: now });
    }
    if (step.escalation === null) return false;
    return step.escalation === "begin" ? escalation().begin(tx, alert, now) : escalation().end(tx, alert, step.escalation, now);
  }

  function notificationOf(step: Step, alert: KeptAlert, now: Date): AlertNotification {
    const record = alertRecord(alert, baseUrl);
    return {
      event: alert.status === "resolved" ? "alert.resolved" : "alert.fired",
      alert: step.flapping ? { ...record, message: `${record.message} ${flappingText()}` } : record,
      escalation: null,
      timestamp: now.toISOString(),
    };
  }

  function eventsOf({ before, after, worse, evaluation }: Step, alert: KeptAlert, now: Date): Event[] {
    const data = alertData(alert, baseUrl, now);
    if (alert.status === "resolved") return before?.status === "active" ? [{ type: "alert.resolved", data }] : [];
    if (after.acknowledgedAt !== (before?.acknowledgedAt ?? null)) return [{ type: "alert.acknowledged", data }];
    const wasHeld = before?.suppressedBy ?? null;
    if (after.suppressedBy !== null) {
      if (wasHeld === after.suppressedBy) return [];
      return [{ type: "alert.suppressed", data: { ...data, reason: evaluation?.verdicts.at(-1)?.text ?? "" } }];
    }
    if (before !== undefined && wasHeld === null && !worse) return [];
    return [{ type: "alert.fired", data: { ...data, previous_severity: worse ? (before?.severity ?? null) : null } }];
  }
}

function isSameState(stored: KeptAlert | undefined, alert: KeptAlert): boolean {
  if (stored === undefined || keyText(stored) !== keyText(alert)) return false;
  return JSON.stringify(stateColumns(stored)) === JSON.stringify(stateColumns(alert));
}
