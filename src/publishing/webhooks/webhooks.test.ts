import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, it, type TestContext } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fragile } from "../../../test/support/fragile-database.ts";
import { createMemoryLog, createTestServer } from "../../../test/support/http-server.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import type { Event } from "../../events.ts";
import { HTTP_LIMITS } from "../../http/http-config.ts";
import { createBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { WebhookTables } from "./rows.ts";
import { createWebhooks } from "./index.ts";
import { CROWDED_OUT, OFF } from "./webhook.ts";
import { testSecrets } from "../../../test/support/secrets.ts";

const ALL = "/api/v1/webhooks";
const ONE = `${ALL}/{id}`;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on loopback that answers as the test says. */
async function openReceiver(context: TestContext) {
  const received: Received[] = [];
  const behaviour = { status: 200, delayMs: 0 };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      setTimeout(() => response.writeHead(behaviour.status).end(), behaviour.delayMs);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { received, behaviour, url: `http://127.0.0.1:${port}/in` };
}

function containerEvent(id: number): Event {
  const data = {
    id,
    agent_id: null,
    name: `web-${id}`,
    timestamp: "2026-03-01T12:00:00.000Z",
    runtime: "docker" as const,
    image: "web",
    group: "",
    labels: {},
  };
  return { type: "container.archived", data: { ...data, alert_severity: "warning", alert_channels: [], alert_tags: [] } };
}

async function open(context: TestContext, database: Database, { allowPrivate = true, answerMs = HTTP_LIMITS.answerMs } = {}) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const bus = createBus<Event>(log);
  const scheduler = createScheduler(clock, log);
  const published: Event[] = [];
  bus.subscribe("test", (event) => void published.push(event));
  // Requests last in real time.
  const outbound = createOutbound({ allowPrivate, clock: systemClock });
  const webhooks = createWebhooks({ database, secrets: testSecrets, bus, clock, scheduler, log, outbound });
  await webhooks.start();
  const server = createTestServer({ routes: webhooks.routes, limits: { answerMs }, config: { trustedProxies: { includes: () => true } } });
  const routes = declaredRoutes(server, webhooks.routes);
  const stop = async (): Promise<void> => {
    await Promise.all([webhooks.stop(), clock.advance(5000)]);
    await scheduler.stop();
    await server.stop();
    outbound.stop();
  };
  context.after(stop);
  const create = async (body: Record<string, unknown>): Promise<{ id: number; secret: string }> => {
    const { id, secret } = await routes.check("POST", ALL, {}, { name: "hook", ...body });
    return { id: Number(id), secret: String(secret) };
  };
  const passUntil = (condition: () => unknown): Promise<unknown> =>
    turnUntil(clock, condition, { stepMs: 1000, mostMs: 3_600_000, everyMs: 1 });
  return { clock, log, bus, published, announce: webhooks.announce, routes, create, passUntil, stop };
}

onBothDatabases(({ create: createDatabase }) => {
  describe("webhook subscriptions", () => {
    it("are sent signed events, once", async (context) => {
      const receiver = await openReceiver(context);
      const { bus, create, routes, passUntil } = await open(context, await createDatabase());
      const { id, secret } = await create({ url: receiver.url, event_types: ["container.*"] });
      bus.publish(containerEvent(1));
      bus.publish({
        type: "runtime.status_changed",
        data: { agent_id: null, runtime: "docker", connected: true, error: null, timestamp: "" },
      });
      bus.publish(containerEvent(2));
      await passUntil(() => receiver.received.length === 2);
      const [first] = receiver.received;
      assert.ok(first !== undefined);
      const body = JSON.parse(first.body) as Record<string, unknown>;
      assert.partialDeepStrictEqual(body, { type: "container.archived", data: { id: 1, name: "web-1" } });
      assert.deepEqual(Object.keys(body), ["id", "type", "timestamp", "data"]);
      const { headers } = first;
      const hmac = createHmac("sha256", secret)
        .update(`${String(headers["x-service-timestamp"])}.${first.body}`)
        .digest("hex");
      assert.equal(headers["x-service-signature"], `sha256=${hmac}`);
      assert.equal(headers["x-service-event"], "container.archived");
      assert.equal(headers["idempotency-key"], headers["x-service-delivery"]);
      await passUntil(async () => (await routes.check("GET", ONE, { id }))["pending"] === 0);
      assert.partialDeepStrictEqual(await routes.check("GET", ONE, { id }), {
        last_status: "sent",
        last_status_code: 200,
        failure_count: 0,
      });
      const { deliveries, total } = await routes.check("GET", `${ONE}/deliveries`, { id, limit: 1 });
      assert.partialDeepStrictEqual(
        { deliveries, total },
        { total: 2, deliveries: [{ type: "container.archived", status: "sent", attempts: 1 }] },
      );
    });

    it("are tried again, and resumed after a restart, with the same key", async (context) => {
      const receiver = await openReceiver(context);
      receiver.behaviour.status = 503;
      const database = await createDatabase();
      const first = await open(context, database);
      await first.create({ url: receiver.url });
      first.bus.publish(containerEvent(1));
      await first.passUntil(() => receiver.received.length > 0);
      await first.stop();
      receiver.behaviour.status = 200;
      const second = await open(context, database);
      second.clock.jump(new Date(second.clock.now().getTime() + 600_000));
      await second.passUntil(async () => (await second.routes.check("GET", ALL))["total"] === 1 && receiver.received.length > 1);
      const about = receiver.received.filter(({ headers }) => headers["x-service-event"] === "container.archived");
      assert.equal(new Set(about.map(({ headers }) => headers["idempotency-key"])).size, 1);
      assert.equal(new Set(about.map(({ body }) => body)).size, 1);
    });

    it("are sent what happened while the database was away, once it is back", async (context) => {
      const receiver = await openReceiver(context);
      const { state, wrapped } = fragile(await createDatabase());
      const { clock, bus, create, passUntil } = await open(context, wrapped);
      await create({ url: receiver.url, event_types: ["container.archived"] });
      state.away = true;
      bus.publish(containerEvent(1));
      bus.publish(containerEvent(2));
      await clock.advance(3000);
      assert.equal(receiver.received.length, 0);
      state.away = false;
      await passUntil(() => receiver.received.length === 2);
      assert.deepEqual(
        receiver.received.map(({ body }) => (JSON.parse(body) as Event).data),
        [1, 2].map((id) => containerEvent(id).data),
      );
    });

    it("are switched off after twenty failures in a row, which is published", async (context) => {
      const receiver = await openReceiver(context);
      receiver.behaviour.status = 500;
      const { bus, create, routes, passUntil, published, announce } = await open(context, await createDatabase());
      const { id } = await create({ url: receiver.url, event_types: ["container.archived"] });
      await create({ url: receiver.url, active: false });
      assert.deepEqual(announce(), []);
      for (let number = 1; number <= 100; number += 1) bus.publish(containerEvent(number));
      await passUntil(() => published.some(({ type }) => type === "webhook.disabled"));
      await passUntil(async () => (await routes.check("GET", ONE, { id }))["pending"] === 0);
      assert.partialDeepStrictEqual(await routes.check("GET", ONE, { id }), { active: false, last_status: "failed" });
      const { deliveries } = await routes.check("GET", `${ONE}/deliveries`, { id });
      assert.ok(JSON.stringify(deliveries).includes(OFF));
      assert.partialDeepStrictEqual(announce(), [{ type: "webhook.disabled", data: { id, active: false } }]);
      receiver.behaviour.status = 200;
      assert.partialDeepStrictEqual(await routes.check("PUT", ONE, { id }, { active: true }), {
        active: true,
        failure_count: 0,
        disabled_reason: null,
      });
      assert.deepEqual(announce(), []);
      const before = receiver.received.length;
      bus.publish(containerEvent(99));
      await passUntil(() => receiver.received.length > before);
    });

    it("keep a bounded number waiting, the newest ones, and count the others", async (context) => {
      const receiver = await openReceiver(context);
      receiver.behaviour.status = 500;
      const database = await createDatabase();
      const { bus, create, routes, passUntil } = await open(context, database);
      const { id } = await create({ url: receiver.url, event_types: ["container.archived"] });
      const old = { webhook_id: id, event_id: crypto.randomUUID(), type: "container.archived", body: "{}", status: "pending", attempts: 1 };
      const rows = Array.from({ length: 1000 }, () => ({ ...old, next_attempt_at: Date.UTC(2030, 0, 1), created_at: 0 }));
      for (let page = 0; page < 10; page += 1) {
        await database.tables<WebhookTables>().write((tx) => tx.insertInto("webhook_deliveries").values(rows).execute());
      }
      bus.publish(containerEvent(1));
      bus.publish(containerEvent(2));
      await passUntil(async () => (await routes.check("GET", ONE, { id }))["dropped"] === 2);
      assert.equal((await routes.check("GET", ONE, { id }))["pending"], 10_000);
      const { deliveries } = await routes.check("GET", `${ONE}/deliveries`, { id, limit: 1, offset: 10_001 });
      assert.partialDeepStrictEqual(deliveries, [{ status: "failed", last_error: CROWDED_OUT }]);
    });

    it("can be read, changed, tested and deleted; the secret is shown once", async (context) => {
      const receiver = await openReceiver(context);
      const { create, routes, published } = await open(context, await createDatabase());
      const { id, secret } = await create({ url: `${receiver.url}?token=abc` });
      assert.equal(Buffer.from(secret, "base64url").length, 32, "as many bytes as the hash that it signs with");
      const shown = await routes.check("GET", ONE, { id });
      assert.equal(shown["url"], `${new URL(receiver.url).origin}/***`);
      assert.deepEqual(shown["event_types"], ["*"]);
      assert.partialDeepStrictEqual(
        await routes.check("PUT", ONE, { id }, { name: "other", url: shown["url"], event_types: ["alert.*"] }),
        {
          name: "other",
          event_types: ["alert.*"],
        },
      );
      assert.partialDeepStrictEqual(await routes.check("POST", `${ONE}/test`, { id }), {
        status: "delivered",
        status_code: 200,
        error: null,
      });
      const [test] = receiver.received;
      assert.partialDeepStrictEqual(test?.headers, { "x-service-event": "test" });
      receiver.behaviour.status = 418;
      assert.partialDeepStrictEqual(await routes.check("POST", `${ONE}/test`, { id }), { status: "failed", status_code: 418 });
      assert.equal((await routes.check("GET", ALL))["total"], 1);
      await routes.check("DELETE", ONE, { id });
      assert.equal((await routes.ask("GET", `${ALL}/${id}`)).status, 404);
      assert.deepEqual(
        published.map(({ type }) => type),
        ["webhook.created", "webhook.updated", "webhook.deleted"],
      );
      assert.ok(!JSON.stringify([published, shown]).includes(secret));
    });

    it("are tested for as long as an attempt lasts, however long a request may take", async (context) => {
      const receiver = await openReceiver(context);
      receiver.behaviour.delayMs = 300;
      const { create, routes } = await open(context, await createDatabase(), { answerMs: 100 });
      const { id } = await create({ url: receiver.url });
      assert.partialDeepStrictEqual(await routes.check("POST", `${ONE}/test`, { id }), { status: "delivered", status_code: 200 });
    });

    it("refuse what is wrong, every fault at once, and save nothing", async (context) => {
      const { routes } = await open(context, await createDatabase(), { allowPrivate: false });
      const post = (body: unknown) => routes.ask("POST", ALL, body);
      const shape = await post({ name: "\u0007", secret: "short", event_types: [], active: 1, extra: true });
      for (const path of ["name", "url", "secret", "event_types", "active", "extra"])
        assert.match(JSON.stringify(shape.body), new RegExp(`"${path}"`));
      const url = (address: string) => post({ name: "a", url: address });
      assert.partialDeepStrictEqual((await url("http://example.com/")).body, { error: { code: "https_required" } });
      assert.partialDeepStrictEqual((await url("https://127.0.0.1/")).body, { error: { code: "private_address_refused" } });
      assert.partialDeepStrictEqual((await url("https://u:p@example.com/")).body, { error: { code: "unusable_values" } });
      const both = await post({ name: "a", url: "https://10.0.0.1/", event_types: ["nope", "*"] });
      assert.partialDeepStrictEqual(both.body, {
        error: { code: "unusable_values", details: [{ path: "event_types.0" }, { path: "url" }] },
      });
      assert.equal((await routes.check("GET", ALL))["total"], 0);
    });
  });
});
