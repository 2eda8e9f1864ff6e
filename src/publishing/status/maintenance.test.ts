import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startReceiver } from "../../../test/support/receivers.ts";
import { mailsTo, openReceiver, tokenIn } from "../../../test/support/status-subscribers.ts";
import { ADA, openStatusWorld, type Seen, type StatusWorld, type StatusWorldOptions } from "../../../test/support/status-world.ts";
import type { DeliveryRecord } from "../../alerting/deliveries/answers.ts";
import type { MaintenanceRecord } from "../../alerting/suppression/answers.ts";
import type { HeartbeatRecord } from "../../monitoring/heartbeats/answers.ts";

const TITLE = "New database";
const OUT = "Checkout is not available";

/** Nothing is wrong, and nobody was notified. */
const WELL: Seen = {
  components: { Checkout: "operational" },
  alerts: [],
  runs: [],
  incidents: [],
  notified: {},
  mails: { maintenance: [], incidents: [] },
};
const PLANNED: Seen = { ...WELL, mails: { maintenance: [`Planned maintenance: ${TITLE}`], incidents: [] } };
const STARTED = { maintenance: [`Planned maintenance: ${TITLE}`, `Maintenance started: ${TITLE}`], incidents: [] };
const BROKEN_WITHIN: Seen = {
  ...WELL,
  components: { Checkout: "maintenance" },
  alerts: ["active, held by maintenance"],
  mails: STARTED,
};
const ENDED = [...STARTED.maintenance, `Maintenance completed: ${TITLE}`];
const NOTIFIED_AFTER: Seen = {
  components: { Checkout: "major_outage" },
  alerts: ["active"],
  runs: ["active, 0 notified"],
  incidents: [`investigating: ${OUT}`],
  notified: { "/team": ["alert.fired"] },
  mails: { maintenance: ENDED, incidents: [`Investigating: ${OUT}`] },
};
const ESCALATED: Seen = {
  ...NOTIFIED_AFTER,
  runs: ["active, 1 notified"],
  notified: { "/team": ["alert.fired"], "/on-call": ["alert.fired"] },
};
const OVER: Seen = {
  components: { Checkout: "operational" },
  alerts: ["resolved"],
  runs: ["stopped_by_resolution, 1 notified"],
  incidents: [`resolved: ${OUT}`],
  notified: { "/team": ["alert.fired", "alert.resolved"], "/on-call": ["alert.fired", "alert.resolved"] },
  mails: { maintenance: ENDED, incidents: [`Investigating: ${OUT}`, `Resolved: ${OUT}`] },
};

onBothDatabases(({ create }) => {
  describe("maintenance", () => {
    it("suppresses a job that stops within it, over a restart too, and sends everything once it is over", async (context) => {
      const options = await worldOptions(context, await create());
      const before = await openStatusWorld(context, options);
      const { ping, plan } = await setUp(before, options);
      await ping(before);
      await before.becomes(WELL);
      const window = await plan(before, { inSeconds: 20, forSeconds: 240 });
      await before.becomes(PLANNED);

      // It begins, and then the job is late.
      await before.pass(60);
      await before.becomes(BROKEN_WITHIN);
      await before.stays(BROKEN_WITHIN, 10);
      assert.equal((await before.check("GET", "/api/v1/deliveries"))["total"], 0);
      await before.stop();

      const world = await openStatusWorld(context, options);
      world.alerting.settle();
      await world.stays(BROKEN_WITHIN, 10);
      assert.equal((await world.check("GET", "/api/v1/deliveries"))["total"], 0);
      await world.pass(secondsUntil(window.ends_at, options) - 2);
      await world.stays(BROKEN_WITHIN, 0);

      await world.becomes(NOTIFIED_AFTER);
      await world.pass(50);
      await world.becomes(ESCALATED);
      const deliveries = (await world.check("GET", "/api/v1/deliveries"))["deliveries"] as DeliveryRecord[];
      const sinceEnd = deliveries
        .map(({ created_at }) => (Date.parse(created_at) - Date.parse(window.ends_at)) / 1000)
        .toSorted((a, b) => a - b);
      assert.ok(sinceEnd.length === 2 && sinceEnd[0] !== undefined && sinceEnd[0] >= 0 && sinceEnd[0] < 10, String(sinceEnd));
      assert.ok(sinceEnd[1] !== undefined && sinceEnd[1] >= 60 && sinceEnd[1] < 75, String(sinceEnd));

      await ping(world);
      await isOver(world, plan);
      assert.deepEqual(complaints(before, world), []);
    });

    it("that ended while the program was stopped is over with all that follows", async (context) => {
      const options = await worldOptions(context, await create());
      const before = await openStatusWorld(context, options);
      const { ping, plan } = await setUp(before, options);
      await ping(before);
      const window = await plan(before, { inSeconds: 20, forSeconds: 240 });
      await before.pass(60);
      await before.becomes(BROKEN_WITHIN);
      await before.stop();

      await options.clock.advance((secondsUntil(window.ends_at, options) + 600) * 1000);
      const world = await openStatusWorld(context, options);
      // It is not known yet what runs: the page says what it sees, and nobody is woken.
      const early: Seen = {
        ...BROKEN_WITHIN,
        components: { Checkout: "major_outage" },
        mails: { maintenance: ENDED, incidents: [] },
      };
      await world.becomes(early);
      await world.stays(early, 5);
      world.alerting.settle();
      await world.becomes(NOTIFIED_AFTER);
      await world.pass(50);
      await world.becomes(ESCALATED);
      await ping(world);
      await isOver(world, plan);
      assert.deepEqual(complaints(before, world), []);
    });

    it("makes a pause in the escalation of what went wrong before it, over a restart too", async (context) => {
      const options = await worldOptions(context, await create());
      const before = await openStatusWorld(context, options);
      const { ping, plan } = await setUp(before, options);
      await ping(before);
      await before.pass(59);
      const broken: Seen = { ...NOTIFIED_AFTER, mails: { maintenance: [], incidents: [`Investigating: ${OUT}`] } };
      await before.becomes(broken);
      const window = await plan(before, { inSeconds: 5, forSeconds: 120 });
      const paused: Seen = {
        ...broken,
        components: { Checkout: "maintenance" },
        runs: ["paused_by_maintenance, 0 notified"],
        mails: { ...broken.mails, maintenance: STARTED.maintenance },
      };
      await before.becomes(paused);
      await before.stays(paused, 10);
      await before.stop();

      const world = await openStatusWorld(context, options);
      world.alerting.settle();
      await world.pass(secondsUntil(window.ends_at, options) - 2);
      await world.stays(paused, 0);
      await world.becomes(NOTIFIED_AFTER);
      await world.pass(50);
      await world.becomes(ESCALATED);
      await ping(world);
      await isOver(world, plan);
      assert.deepEqual(complaints(before, world), []);
    });
  });
});

/** What is there before the program starts, and stays when it stops. */
async function worldOptions(context: TestContext, database: StatusWorldOptions["database"]): Promise<StatusWorldOptions> {
  const receiver = await startReceiver();
  context.after(receiver.stop);
  return { database, receiver, clock: createFakeClock(), mails: await openReceiver(context) };
}

/** What somebody sets up in the browser: a job that reports every minute, its component, who is notified; and Ada subscribes. */
async function setUp(world: StatusWorld, { receiver, mails, clock }: StatusWorldOptions) {
  const make = async (path: string, body: object, values = {}): Promise<number> =>
    Number((await world.check("POST", path, values, body))["id"]);
  const { uuid, id: job } = (await world.check(
    "POST",
    "/api/v1/heartbeats",
    {},
    { name: "orders", interval_seconds: 60, grace_seconds: 0 },
  )) as HeartbeatRecord;
  const monitor = { monitor_type: "heartbeat", monitor_id: job };
  const component = await make("/api/v1/status/components", { name: "Checkout", ...monitor, auto_incident: true });
  const team = await make("/api/v1/channels", { name: "team", type: "webhook", url: `${receiver.url}/team` });
  await make("/api/v1/channels/{id}/rules", {}, { id: team });
  const onCall = await make("/api/v1/channels", { name: "on call", type: "webhook", url: `${receiver.url}/on-call` });
  const levels = [60, 3600].map((delay_seconds) => ({ delay_seconds, channel_ids: [onCall] }));
  await make("/api/v1/escalation-policies", { name: "Nights", levels });
  world.alerting.settle();

  await world.check("POST", "/status/subscribe", {}, { email: ADA });
  await world.passUntil(() => mailsTo(mails, ADA).length === 1);
  const confirmed = await world.server.fastify.inject({ method: "POST", url: `/status/confirm?token=${tokenIn(mailsTo(mails, ADA)[0])}` });
  assert.equal(confirmed.statusCode, 200);

  return {
    ping: async (now: StatusWorld): Promise<void> => assert.equal((await now.ask("POST", `/ping/${uuid}`)).status, 200),
    async plan(now: StatusWorld, { inSeconds, forSeconds }: { inSeconds: number; forSeconds: number }): Promise<MaintenanceRecord> {
      const startsMs = clock.now().getTime() + inSeconds * 1000;
      const times = { starts_at: new Date(startsMs).toISOString(), ends_at: new Date(startsMs + forSeconds * 1000).toISOString() };
      const body = { title: TITLE, ...times, components: [component] };
      return (await now.check("POST", "/api/v1/status/maintenance", {}, body)) as MaintenanceRecord;
    },
  };
}

/** It is over, and nobody was notified twice. */
async function isOver(world: StatusWorld, plan: Awaited<ReturnType<typeof setUp>>["plan"]): Promise<void> {
  await world.becomes(OVER);
  await world.stays(OVER, 20);
  const sent = async (): Promise<unknown> => (await world.check("GET", "/api/v1/deliveries", { status: "sent" }))["total"];
  await world.passUntil(async () => (await sent()) === 4);
  assert.equal((await world.check("GET", "/api/v1/deliveries"))["total"], 4);
  // Mails go out in the order of their news: one too many would come before this.
  await plan(world, { inSeconds: 3600, forSeconds: 60 });
  await world.becomes({ ...OVER, mails: { ...OVER.mails, maintenance: [...ENDED, `Planned maintenance: ${TITLE}`] } });
  await world.stop();
}

function secondsUntil(at: string, { clock }: StatusWorldOptions): number {
  return (Date.parse(at) - clock.now().getTime()) / 1000;
}

/** What the program logs when something goes wrong. */
function complaints(...worlds: StatusWorld[]): unknown[] {
  return worlds.flatMap(({ log }) => log.lines.filter(({ level }) => level === "warn" || level === "error"));
}
