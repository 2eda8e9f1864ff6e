import type { TestContext } from "node:test";
import type { MaintenanceRecord } from "../../src/alerting/suppression/answers.ts";
import type { Event } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createMailer } from "../../src/platform/mailer.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { IncidentNotice } from "../../src/publishing/status/seams.ts";
import { createSubscribers } from "../../src/publishing/status/subscribers/index.ts";
import type { Component, Incident, IncidentUpdate } from "../../src/publishing/status/vocabulary.ts";
import type { Database } from "../../src/storage/database.ts";
import { declaredRoutes } from "./declared-routes.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createMemoryLog, createTestServer } from "./http-server.ts";
import { type MailReceiver, type ReceivedMail, startMailReceiver } from "./mail-receiver.ts";
import { turnUntil } from "./turn-until.ts";

export const BASE_URL = "https://watch.example.com";
const NAMES = ["Checkout", "Search & <b>find</b>", "Ledger"] as const;

export interface SubscribersWorldOptions {
  clock?: FakeClock;
  /** null: none is set up. */
  receiver?: Pick<MailReceiver, "host" | "port"> | null;
  windows?: MaintenanceRecord[];
  published?: boolean;
  /** Of the page. */
  domain?: string | null;
  /** Components that are not on the page. */
  hidden?: ReadonlySet<number>;
}

/** A real mail server that is stopped with the test. */
export async function openReceiver(context: TestContext, options: Parameters<typeof startMailReceiver>[0] = {}): Promise<MailReceiver> {
  const receiver = await startMailReceiver(options);
  context.after(receiver.stop);
  return receiver;
}

export type SubscribersWorld = Awaited<ReturnType<typeof openSubscribers>>;

/** Subscribers of a page with three components, behind a server that believes X-Forwarded-For. */
export async function openSubscribers(context: TestContext, database: Database, options: SubscribersWorldOptions = {}) {
  const { clock = createFakeClock(), receiver = null, windows = [], published = true, domain = null, hidden = new Set([3]) } = options;
  const log = createMemoryLog();
  const bus = createBus<Event>(log);
  const scheduler = createScheduler(clock, log);
  const events: Event[] = [];
  bus.subscribe("test", (event) => void events.push(event));
  const smtp = receiver && {
    host: receiver.host,
    port: receiver.port,
    login: undefined,
    from: "Shop <status@example.com>",
    tls: "none" as const,
  };
  const subscribers = createSubscribers({
    database,
    bus,
    clock,
    scheduler,
    log,
    // Mail servers answer in real time.
    mailer: smtp === null ? undefined : createMailer(smtp, systemClock),
    baseUrl: BASE_URL,
    components: { find: (id) => componentOf(id, hidden) },
    settings: { current: () => ({ title: "Shop", accent: "#2a5db0", homepageUrl: null, logo: null, published, domain }) },
    windows: () => windows,
  });
  await subscribers.start();
  const server = createTestServer({ routes: subscribers.routes, config: { trustedProxies: { includes: () => true } }, clock });
  const routes = declaredRoutes(server, subscribers.routes);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      await Promise.all([subscribers.stop(), clock.advance(5000)]);
      await scheduler.stop();
      await server.stop();
    })());
  context.after(stop);

  let client = 0;
  /** Each time from another address, unless it is given. */
  const send = async (
    method: "GET" | "POST",
    url: string,
    given: { json?: unknown; form?: Record<string, string>; body?: string; type?: string; from?: string } = {},
  ) => {
    client += 1;
    const type = given.json !== undefined ? "application/json" : (given.type ?? "application/x-www-form-urlencoded");
    const payload = given.json !== undefined ? JSON.stringify(given.json) : (given.body ?? String(new URLSearchParams(given.form ?? {})));
    const headers = {
      "x-forwarded-for": given.from ?? `10.1.${client >> 8}.${client & 255}`,
      ...(method === "POST" ? { "content-type": type } : {}),
    };
    const answer = await server.fastify.inject({ method, url, headers, ...(method === "POST" ? { payload } : {}) });
    return { status: answer.statusCode, text: answer.body, headers: answer.headers };
  };
  const passUntil = (condition: () => unknown, stepMs = 1000): Promise<unknown> =>
    turnUntil(clock, condition, { stepMs, mostMs: 1_800_000, everyMs: 2 });
  const list = () => routes.check("GET", "/api/v1/status/subscribers");
  const announce = async (notice: IncidentNotice): Promise<void> => {
    await database.tables().write((tx) => subscribers.put(tx, notice));
    subscribers.wake();
  };
  return { clock, log, bus, events, server, routes, subscribers, send, passUntil, list, announce, stop };
}

/** Subscribes and confirms, as a person does. */
export async function join(world: SubscribersWorld, receiver: MailReceiver, email: string, components: number[] = []): Promise<void> {
  await world.send("POST", "/status/subscribe", { json: { email, components } });
  await world.passUntil(() => mailsTo(receiver, email).some(isConfirmation));
  const mail = mailsTo(receiver, email).findLast(isConfirmation);
  await world.send("POST", `/status/confirm?token=${tokenIn(mail)}`);
}

/** Those after the confirmation. */
export function newsTo(receiver: MailReceiver, email: string): string[] {
  return mailsTo(receiver, email)
    .filter((mail) => !isConfirmation(mail))
    .map(subjectOf);
}

export function mailsTo({ received }: MailReceiver, email: string): ReceivedMail[] {
  return received.filter(({ to }) => to.includes(email));
}

export function subjectOf({ raw }: ReceivedMail): string {
  return /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1]?.replace(/\r\n/g, "") ?? "";
}

/** As a mail program shows it. */
export function readable(mail: ReceivedMail | undefined): string {
  return (mail?.raw ?? "")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function tokenIn(mail: ReceivedMail | undefined): string {
  return /\?token=([\w-]{43})/.exec(readable(mail))?.[1] ?? "";
}

function isConfirmation(mail: ReceivedMail): boolean {
  return subjectOf(mail).includes("Confirm your subscription");
}

function componentOf(id: number, hidden: ReadonlySet<number>): Component | undefined {
  const name = NAMES[id - 1];
  if (name === undefined) return undefined;
  const shown = {
    groupId: null,
    description: "",
    status: "operational",
    observed: true,
    healthy: true,
    since: new Date(0),
    trackedSince: new Date(0),
    knownMs: 0,
    days: [],
    uptime: null,
  } as const;
  return { id, name, visible: !hidden.has(id), ...shown };
}

/** An update of incident 7, numbered. */
export function incidentNews(
  updateId: number,
  changes: Partial<Incident> & Partial<Pick<IncidentUpdate, "status" | "message">> = {},
): IncidentNotice {
  const at = new Date("2026-03-01T12:00:00.000Z");
  const { status = "investigating", message = "We look into it.", ...others } = changes;
  const update: IncidentUpdate = { id: updateId, status, message, at, editedAt: null };
  const incident: Incident = {
    id: 7,
    title: "Payments fail",
    severity: "major",
    status,
    components: [1],
    impacts: new Map(),
    automatic: false,
    createdAt: at,
    updatedAt: at,
    resolvedAt: null,
    updates: [update],
    ...others,
  };
  return { kind: status === "resolved" ? "incident_resolved" : "incident_opened", incident, update };
}

export function maintenanceRecord(changes: Partial<MaintenanceRecord> = {}): MaintenanceRecord {
  return {
    id: 5,
    title: "New database",
    description: "Orders are not taken meanwhile.",
    starts_at: "2026-03-01T14:00:00.000Z",
    ends_at: "2026-03-01T15:00:00.000Z",
    components: [1],
    entities: [],
    status: "scheduled",
    created_at: "2026-03-01T11:00:00.000Z",
    updated_at: "2026-03-01T11:00:00.000Z",
    ...changes,
  };
}
