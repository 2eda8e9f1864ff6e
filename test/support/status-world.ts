import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import { createAlerting } from "../../src/alerting/index.ts";
import type { Event } from "../../src/events.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createHeartbeats } from "../../src/monitoring/heartbeats/index.ts";
import { createBus } from "../../src/platform/bus.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createMailer } from "../../src/platform/mailer.ts";
import { createOutbound } from "../../src/platform/outbound.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { ComponentRecord } from "../../src/publishing/status/components/answers.ts";
import type { IncidentRecord } from "../../src/publishing/status/incidents/answers.ts";
import { createStatusPage } from "../../src/publishing/status/index.ts";
import type { Database } from "../../src/storage/database.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createMemoryLog, createTestServer } from "./http-server.ts";
import type { MailReceiver } from "./mail-receiver.ts";
import type { Receiver } from "./receivers.ts";
import { BASE_URL, newsTo } from "./status-subscribers.ts";
import { turnUntil } from "./turn-until.ts";
import { watchTasks } from "./watched-tasks.ts";
import { testSecrets } from "./secrets.ts";

export const ADA = "ada@example.com";

export interface StatusWorldOptions {
  database: Database;
  clock: FakeClock;
  receiver: Receiver;
  mails: MailReceiver;
}

/** What everybody can see: the public, who looks after it, and who is notified. */
export interface Seen {
  /** On the page, by name. */
  components: Record<string, string>;
  /** Newest first: status, and what holds it back. */
  alerts: string[];
  /** Of all alerts: status, and levels that were notified. */
  runs: string[];
  /** Newest first: status and title. */
  incidents: string[];
  /** By path of the receiver, in order. */
  notified: Record<string, string[]>;
  /** Subjects without the title of the page: about maintenance, and about incidents, each in order. */
  mails: { maintenance: string[]; incidents: string[] };
}

export type StatusWorld = Awaited<ReturnType<typeof openStatusWorld>>;

/** Heartbeats, alerting and the status page as the program puts them together, as after its start; it may send to loopback. */
export async function openStatusWorld(context: TestContext, { database, clock, receiver, mails }: StatusWorldOptions) {
  const log = createMemoryLog();
  const bus = createBus<Event>(log);
  const { scheduler, idle } = watchTasks(createScheduler(clock, log));
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log, baseUrl: BASE_URL };
  // Receivers and mail servers answer in real time.
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
  const smtp = { host: mails.host, port: mails.port, login: undefined, from: "Shop <status@example.com>", tls: "none" as const };
  const newMailer = () => createMailer(smtp, systemClock);
  const heartbeats = createHeartbeats(shared);
  const alerting = createAlerting({
    ...shared,
    outbound,
    mailer: newMailer(),
    editions: { require: () => undefined, grants: () => true },
    announcers: [{ source: "heartbeat", announce: heartbeats.announce }],
  });
  const statusPage = createStatusPage({
    ...shared,
    monitoring: {
      heartbeats,
      containers: createContainers({ ...shared, logSource: { async *logs() {} } }),
      endpoints: { find: () => undefined, present: () => [] },
      certificates: { find: () => undefined, all: () => [] },
      hosts: { lastObservedAt: () => clock.now(), lastReportedAt: () => clock.now() },
      hostName: () => "Local",
    },
    alerting,
    mailer: newMailer(),
  });
  const routes = [...heartbeats.routes, ...alerting.routes, ...statusPage.routes];
  const server = createTestServer({ routes, clock });
  const { ask, check } = declaredRoutes(server, routes);

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      await server.stop();
      await statusPage.stop();
      await alerting.stop();
      outbound.stop();
      await scheduler.stop();
    })());
  context.after(stop);
  await heartbeats.start();
  await alerting.start(statusPage);
  for (const part of [statusPage, heartbeats.pings]) await part.start();

  async function seen(): Promise<Seen> {
    const page = await check("GET", "/status/api");
    const groups = page["groups"] as { components: Pick<ComponentRecord, "name" | "status">[] }[];
    const alerts = (await check("GET", "/api/v1/alerts"))["alerts"] as AlertRecord[];
    const runs: string[] = [];
    for (const { id } of alerts) {
      const of = (await check("GET", "/api/v1/alerts/{id}/escalation-runs", { id }))["runs"] as { status: string; level_index: number }[];
      runs.push(...of.map((run) => `${run.status}, ${run.level_index} notified`));
    }
    const incidents = (await check("GET", "/api/v1/status/incidents"))["incidents"] as IncidentRecord[];
    const notified: Record<string, string[]> = {};
    for (const { path, json } of receiver.received) (notified[path] ??= []).push(String((json as { event: unknown }).event));
    const subjects = newsTo(mails, ADA).map((subject) => subject.replace("[Status] ", ""));
    const isOfWork = (subject: string): boolean => /^(Planned maintenance|Maintenance \w+): /.test(subject);
    return {
      components: Object.fromEntries(groups.flatMap(({ components }) => components.map(({ name, status }) => [name, status]))),
      alerts: alerts.map(({ status, suppressed_by: by }) => (by === null ? status : `${status}, held by ${by}`)),
      runs,
      incidents: incidents.map(({ status, title }) => `${status}: ${title}`),
      notified,
      mails: { maintenance: subjects.filter(isOfWork), incidents: subjects.filter((subject) => !isOfWork(subject)) },
    };
  }

  /** Second by second, and all that is done regularly has been done in each. */
  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 1) {
      await clock.advance(1000);
      await idle();
    }
  }

  /** Lets little time pass until that holds. */
  async function passUntil(condition: () => unknown): Promise<void> {
    await turnUntil({ advance: (milliseconds) => pass(milliseconds / 1000) }, condition, { stepMs: 1000, mostMs: 60_000, everyMs: 100 });
  }

  return {
    log,
    alerting,
    server,
    ask,
    check,
    pass,
    passUntil,
    stop,
    /** Waits until everybody sees exactly that. */
    async becomes(expected: Seen): Promise<void> {
      await passUntil(async () => isDeepStrictEqual(await seen(), expected)).catch(() => undefined);
      assert.deepEqual(await seen(), expected);
    },
    /** Nothing else comes of it in some time. */
    async stays(expected: Seen, seconds: number): Promise<void> {
      await pass(seconds);
      assert.deepEqual(await seen(), expected);
    },
  };
}
