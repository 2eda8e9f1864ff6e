import { createAlertHistory, createAlerts } from "../../src/alerting/alerts/index.ts";
import { createChannels } from "../../src/alerting/channels/index.ts";
import { createDeliveries } from "../../src/alerting/deliveries/index.ts";
import { createEscalation } from "../../src/alerting/escalation/index.ts";
import { createSuppression } from "../../src/alerting/suppression/index.ts";
import { createRouting } from "../../src/alerting/routing/index.ts";
import type { AlertKey, Problem } from "../../src/alerting/vocabulary.ts";
import type { Event } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import { systemClock as clock } from "../../src/platform/clock.ts";
import type { Log } from "../../src/platform/log.ts";
import { createOutbound } from "../../src/platform/outbound.ts";
import { createWebhooks } from "../../src/publishing/webhooks/index.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createTestServer } from "./http-server.ts";
import { testSecrets } from "./secrets.ts";

/** The whole of alerting on a real clock, as after the start of the program; it may send to loopback, and nothing waits for the boot grace. */
export async function openAlerting(
  database: Database,
  log: Log,
  { leaseMs, subscribes = false }: { leaseMs?: number; subscribes?: boolean } = {},
) {
  const bus = createBus<Event>(log);
  const scheduler = createScheduler(clock, log);
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log, groupOf: () => undefined };
  const outbound = createOutbound({ allowPrivate: true, clock });
  const baseUrl = "https://watch.example";
  const channels = createChannels({ ...shared, outbound, mailer: undefined, requireCapability: () => undefined, baseUrl });
  const suppression = createSuppression({ ...shared, alerts: () => [] });
  const routing = createRouting({ ...shared, channels, history: createAlertHistory(database) });
  const outbox = createDeliveries({ database, channels, clock, scheduler, log, ...(leaseMs === undefined ? {} : { leaseMs }) });
  const alerts = createAlerts({
    ...shared,
    baseUrl,
    channels,
    suppression,
    routing,
    outbox,
    announcers: [],
  });
  const escalation = createEscalation({ ...shared, channels, outbox, suppression, alerts, editions: { grants: () => true } });
  const webhooks = createWebhooks({ ...shared, outbound });
  const server = createTestServer({
    routes: [...channels.routes, ...webhooks.routes],
    config: { trustedProxies: { includes: () => true } },
  });

  if (subscribes) await webhooks.start();
  for (const part of [channels, suppression, routing, outbox, escalation]) await part.start();
  await alerts.start(escalation);
  alerts.settle();

  async function post(url: string, body: object): Promise<{ id: number }> {
    const headers = { "content-type": "application/json" };
    const answer = await server.fastify.inject({ method: "POST", url, headers, payload: JSON.stringify(body) });
    if (answer.statusCode !== 201) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
    return { id: Number((answer.json() as { id: unknown }).id) };
  }

  return {
    alerts,
    outbox,
    channels,
    /** A webhook channel to which every alert goes. */
    async addChannel(name: string, url: string): Promise<number> {
      const { id } = await post("/api/v1/channels", { name, type: "webhook", url });
      await post(`/api/v1/channels/${id}/rules`, {});
      return id;
    },
    /** A webhook subscription to the events of alerts; only where `subscribes` is set. */
    addSubscription: (name: string, url: string) => post("/api/v1/webhooks", { name, url, event_types: ["alert.*"] }),
    async stop(): Promise<void> {
      for (const part of [alerts, escalation, outbox, channels, ...(subscribes ? [webhooks] : []), scheduler]) await part.stop();
      outbound.stop();
      await server.stop();
    },
  };
}

/** One of many problems, distinguished by number. */
export function numberedProblem(number: number, details: Record<string, unknown> = {}): Problem {
  return {
    ...numberedKey(number),
    agentId: null,
    entityName: `container-${number}`,
    severity: "warning",
    message: `Container container-${number} restarted 5 times within 10 minutes.`,
    cause: "exit code 137, killed for want of memory",
    parents: [],
    labels: { "com.example.team": "payments", "com.example.tier": "backend" },
    channels: [],
    tags: ["payments"],
    details,
  };
}

export function numberedKey(number: number): AlertKey {
  return { source: "container", event: "restart_loop", entity: { type: "container", id: String(number) } };
}
