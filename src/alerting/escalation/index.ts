import type { Kysely } from "kysely";
import { MINUTE_MS } from "../../contract/time.ts";
import type { Editions } from "../../editions/index.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import { WorkQueue } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import type { Alert } from "../vocabulary.ts";
import { createAnnouncements } from "./announcements.ts";
import { createBookkeeping } from "./bookkeeping.ts";
import { runEvent } from "./records.ts";
import { createNotices } from "./notices.ts";
import { createPolicies } from "./policies.ts";
import { escalationRoutes } from "./routes.ts";
import { begin, end, isLive, type Run } from "./run.ts";
import { createRunReader, type RunReader } from "./run-reader.ts";
import { createRunStore, type Tx, createPolicyStore } from "./store.ts";
import type { Alerts, Channels, Outbox, Suppression } from "./seams.ts";
import { createRunWatch } from "./watch.ts";

export interface EscalationDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  channels: Channels;
  outbox: Outbox;
  suppression: Suppression;
  alerts: Alerts;
  editions: Pick<Editions, "grants">;
}

/** Who is notified when nobody reacts. Source: specification, Escalation policy and Escalation run. */
export interface Escalation extends Pick<RunReader, "nextLevel"> {
  routes: Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * In the unit that saves, for the first time, that nothing holds an alert back: starts a run of each policy that matches. A second call changes
   * nothing. Answers whether a policy matches.
   */
  begin<Schema>(tx: Kysely<Schema>, alert: Alert, now: Date): Promise<boolean>;
  /**
   * In the unit that saves that an alert is acknowledged or resolved: ends its runs, and notifies the channels that they had notified. Answers whether it
   * has runs.
   */
  end<Schema>(tx: Kysely<Schema>, alert: Alert, how: "acknowledged" | "resolved", now: Date): Promise<boolean>;
  /** Deletes the runs of alerts and their notifications, in the caller's unit. */
  purgeAlerts(unit: Kysely<object>, alertIds: readonly number[]): Promise<void>;
  /** To be called after the commit of that: publishes the ends of the runs. */
  forgetAlerts(alertIds: readonly number[]): void;
  /** To be called after the commit of such a unit, if the answer was true. */
  wake(): void;
}

const LOOK_EVERY_MS = 500;
/** A delivery is tried for eight minutes. One that is pending longer than this was settled without an event. */
const PENDING_AT_MOST_MS = 15 * MINUTE_MS;

export function createEscalation({
  database,
  bus,
  clock,
  scheduler,
  log,
  channels,
  outbox,
  suppression,
  alerts,
  editions,
}: EscalationDependencies): Escalation {
  const store = createRunStore(database);
  const policies = createPolicies({ store: createPolicyStore(database), runs: store, bus, clock });
  const notices = createNotices({ store, outbox, channels, alerts });
  const announcements = createAnnouncements({ store, bus });
  const isGranted = (): boolean => editions.grants("escalation");
  const watch = createRunWatch({ store, notices, alerts, suppression, outbox, isGranted, bus, clock, log });
  const bookkeeping = createBookkeeping({ store, outbox, clock });
  const looks = new WorkQueue((_key, signal) => lookSafely(signal));
  let timer: DueTimer | undefined;
  let followed: boolean | undefined;
  /** Whether a look at all runs was requested and has not succeeded since. */
  let allWanted = false;

  /** Resolves when all runs have been looked at as of this call; never rejects. */
  function lookAtAll(): Promise<void> {
    allWanted = true;
    return looks.ask();
  }

  async function lookSafely(signal: AbortSignal): Promise<void> {
    try {
      await look(signal);
    } catch (error) {
      // What was not looked at is found again. That the database is away is logged elsewhere.
      if (isServiceError(error, "storage_unavailable")) log.debug({}, "escalations put off: no database");
      else log.error({ err: error }, "escalations could not be looked at");
    }
  }

  /** Looks at runs that are due, or at all that are not over. */
  async function look(signal: AbortSignal): Promise<void> {
    await announcements.flush(clock.now());
    const granted = isGranted();
    if (granted !== followed) {
      await publishStopped(await policies.followEdition(granted));
      followed = granted;
    }
    // Otherwise a level could be notified of an alert that ended long ago.
    if (!alerts.isSettled()) return;
    if (!allWanted) return watch.lookAtDue(signal);
    allWanted = false;
    try {
      await watch.lookAtAll(signal);
    } catch (error) {
      allWanted = true;
      throw error;
    }
  }

  /** Without policies no run begins, and the edition makes no difference. */
  async function lookAtDue(): Promise<number> {
    await looks.ask();
    return policies.count() > 0 || announcements.areWaiting() ? LOOK_EVERY_MS : Infinity;
  }

  async function publishStopped(runs: readonly Run[]): Promise<void> {
    for (const run of runs) {
      const alert = await alerts.get(run.alertId);
      bus.publish(runEvent("escalation.stopped", run, { agentId: alert?.agentId ?? null, at: run.endedAt ?? clock.now() }));
    }
  }

  async function remove(id: number): Promise<void> {
    await publishStopped(await policies.remove(id));
  }

  const reader = createRunReader({ store, policies, alerts, channels });
  return {
    nextLevel: reader.nextLevel,
    routes: escalationRoutes({ policies, runs: reader, channels, remove }),

    async start() {
      await policies.load();
      channels.useBy(policies.usersOf);
      suppression.onChange(() => void lookAtAll());
      outbox.onSettled((settled) => {
        if (settled.escalation === null) return;
        // What is not saved here is found by the next reconciliation.
        store.settle(settled).catch((cause: unknown) => {
          if (!isServiceError(cause, "storage_unavailable"))
            log.error({ err: cause, delivery: settled.id }, "the outcome of an escalation's delivery could not be noted");
        });
      });
      await lookAtAll();
      timer = scheduler.whenDue({ name: "escalation", run: lookAtDue });
      bus.subscribe("escalation", ({ type }) => {
        if (type === "policy.created") timer?.within(LOOK_EVERY_MS);
      });
      let madeBefore = clock.now();
      scheduler.every({
        name: "escalation bookkeeping",
        everyMs: MINUTE_MS,
        firstAfterMs: 5000,
        async run(signal) {
          // The cause of a pause may end without an event: the severity rose, labels changed, or a component was deleted.
          await lookAtAll();
          await bookkeeping.reconcile(madeBefore, signal);
          madeBefore = new Date(clock.now().getTime() - PENDING_AT_MOST_MS);
          await bookkeeping.purge(signal);
        },
      });
    },
    stop: () => looks.stop(),

    async begin(tx, alert, now) {
      if (alert.status === "resolved" || alert.acknowledgedAt !== null || !isGranted()) return false;
      const matching = policies.matching(alert);
      if (matching.length === 0) return false;
      const runs = matching.map(({ id: policyId, name, filters, levels }) =>
        begin({ alertId: alert.id, policyId, plan: { name, filters, levels } }, now),
      );
      for (const run of await store.start(ours(tx), runs)) {
        announcements.note({ what: "escalation.started", run, agentId: alert.agentId, at: now });
      }
      return true;
    },

    async end(tx, alert, how, now) {
      const runs = await store.ofAlertIn(ours(tx), alert.id);
      const ended: Run[] = [];
      for (const before of runs) {
        const run = end(before, how === "acknowledged" ? "stopped_by_ack" : "stopped_by_resolution", now);
        if (!isLive(before) || !(await store.save(ours(tx), run, before))) continue;
        ended.push(run);
        announcements.note({ what: "escalation.stopped", run, agentId: alert.agentId, at: now });
      }
      // Channels that were notified of the start are notified of the end, also by runs that are over, and of an acknowledgment after all levels were
      // notified.
      const closing = runs.flatMap((run) => {
        const over = ended.find(({ id }) => id === run.id);
        return over !== undefined || how === "resolved" || run.status === "exhausted" ? [over ?? run] : [];
      });
      await notices.close(ours(tx), closing, alert, { how, now });
      return runs.length > 0;
    },

    purgeAlerts: store.purgeAlerts,
    forgetAlerts: (alertIds) => announcements.publishOf(new Set(alertIds)),

    wake() {
      watch.changed();
      outbox.wake();
      void looks.ask();
      timer?.within(LOOK_EVERY_MS);
    },
  };
}

/** The unit with the types of this feature's tables: all tables are in one database. */
function ours<Schema>(tx: Kysely<Schema>): Tx {
  return tx as unknown as Tx;
}
