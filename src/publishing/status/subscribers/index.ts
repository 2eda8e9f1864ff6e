import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Mailer } from "../../../platform/mailer.ts";
import type { Scheduler } from "../../../platform/scheduler.ts";
import { WorkQueue } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import { renderStatusShell, type ShellSettings } from "../page/index.ts";
import type { Components, Notices } from "../seams.ts";
import { addressOf, DEFAULTS, type PageAddress, type PageSettings } from "../settings/index.ts";
import { CONFIRMATION_LANE } from "./rows.ts";
import { createOutbox } from "./outbox.ts";
import { createMailStore } from "./mail-store.ts";
import { incidentNotice } from "./notice.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createWorkNews } from "./work-news.ts";
import { subscriberRoutes } from "./routes.ts";
import { createSubscriberService, subscriberEvent } from "./service.ts";
import { createSubscriberStore } from "./store.ts";

export interface SubscribersDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** The public origin, for links in mails. */
  baseUrl: string;
  components: Pick<Components, "find">;
  settings: { current(): ShellSettings & Pick<PageSettings, "published" | "domain"> };
  /** All maintenance windows, loaded before these start. */
  windows: () => readonly MaintenanceRecord[];
}

export interface Subscribers extends Notices {
  routes: Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether anybody can subscribe: the page shows a form for it. */
  isOffered(): boolean;
}

/** What a lost database left undone is found so often; everything else is sent at once. */
const SWEEP_MS = 30_000;
const FORGET_MS = MINUTE_MS;

/** Subscribers of the status page: they ask, confirm by mail, and get mail about incidents and maintenance until they unsubscribe. */
export function createSubscribers(dependencies: SubscribersDependencies): Subscribers {
  const { database, bus, clock, scheduler, log, mailer, baseUrl, components, settings, windows } = dependencies;
  const store = createSubscriberStore(database);
  const mails = createMailStore(database);
  const notices = createNoticeStore(database, mails);
  const isOnPage = (id: number): boolean => components.find(id)?.visible === true;
  const namesOf = (ids: readonly number[]): string[] => ids.filter(isOnPage).map((id) => components.find(id)?.name ?? "");
  /** Nothing that it is about is on the page. */
  const isWithheld = (ids: readonly number[]): boolean => ids.length > 0 && !ids.some(isOnPage);
  /** A page that nobody can see has no news. */
  const sendsNews = (): boolean => mailer !== undefined && settings.current().published;
  const address = (): PageAddress => addressOf(settings.current(), baseUrl);
  const outbox = createOutbox({
    store: mails,
    mailer,
    emailHeader: () => ({ title: settings.current().title, pageUrl: address().page }),
    linkTo: (purpose, token) => `${address().origin}/status/${purpose}?token=${token}`,
    namesOf,
    clock,
    scheduler,
    log,
  });
  const workNews = createWorkNews({ store: notices, windows, isOnPage, namesOf, clock });
  const service = createSubscriberService({
    store,
    countWaiting: mails.countWaiting,
    hasMailer: mailer !== undefined,
    isPublished: () => settings.current().published,
    isOnPage,
    wake,
    bus,
    clock,
  });
  const working = new WorkQueue((_key, signal) => work(signal));
  let unsubscribe = (): void => undefined;

  /** Requests become subscribers, and notices become mails; what stays undone is done by the next sweep. */
  async function work(signal: AbortSignal): Promise<void> {
    for (let more = true; more && !signal.aborted;) {
      const isSettled = await whenStored(settle);
      const isSpread = await whenStored(spread);
      more = !isSettled || !isSpread;
    }
  }

  /** Answers whether all is done. */
  async function settle(): Promise<boolean> {
    const { created, more } = await store.settleRequests();
    for (const id of created) bus.publish(subscriberEvent("subscriber.created", id, clock.now()));
    outbox.poke(CONFIRMATION_LANE);
    return !more;
  }

  async function spread(): Promise<boolean> {
    const { lanes, more } = await notices.spread(clock.now());
    for (const lane of lanes) outbox.poke(lane);
    return !more;
  }

  /** What fails is tried again by the next sweep. */
  async function whenStored(task: () => Promise<boolean>): Promise<boolean> {
    try {
      return await task();
    } catch (error) {
      noteTrouble(error);
      return true;
    }
  }

  function wake(): void {
    void working.ask();
  }

  function noteTrouble(error: unknown): void {
    if (isServiceError(error, "storage_unavailable")) log.debug({}, "work for subscribers put off: no database");
    else log.error({ err: error }, "work for subscribers put off");
  }

  async function announceWorks(): Promise<void> {
    if (sendsNews() && (await workNews.announce())) wake();
  }

  async function sweep(): Promise<void> {
    await announceWorks();
    wake();
  }

  async function forget(signal: AbortSignal): Promise<void> {
    for (let gone = [0]; gone.length > 0 && !signal.aborted;) {
      gone = await store.forgetUnconfirmed(clock.now());
      for (const id of gone) bus.publish(subscriberEvent("subscriber.deleted", id, clock.now()));
    }
    while (!signal.aborted && (await store.forgetTokens(clock.now())));
    while (!signal.aborted && (await mails.prune(clock.now())));
    await workNews.forget();
  }

  return {
    routes: subscriberRoutes(service, (page) =>
      renderStatusShell({ ...page, settings: settings.current().published ? settings.current() : DEFAULTS }),
    ),
    isOffered: () => mailer !== undefined,
    async put(tx, notice) {
      const { id, components: ids } = notice.incident;
      if (!sendsNews()) return;
      // Subscribers who got the start get the end, also when the components were hidden or deleted since.
      if (isWithheld(ids) && !(notice.kind === "incident_resolved" && (await notices.awaitsEnd(tx, id)))) return;
      await notices.put(tx, incidentNotice(notice, namesOf(ids), clock.now()));
    },
    wake,
    async start() {
      await workNews.load();
      unsubscribe = bus.subscribe("status mails", ({ type }) =>
        type.startsWith("maintenance.") ? announceWorks().catch(noteTrouble) : undefined,
      );
      outbox.start();
      scheduler.every({ name: "status subscribers", everyMs: SWEEP_MS, firstAfterMs: 0, run: sweep });
      scheduler.every({ name: "status subscribers, forgetting", everyMs: FORGET_MS, run: forget });
    },
    async stop() {
      unsubscribe();
      await working.stop();
      await outbox.stop();
    },
  };
}
