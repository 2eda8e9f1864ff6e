import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startReceiver } from "../../../test/support/receivers.ts";
import { openReceiver } from "../../../test/support/status-subscribers.ts";
import { openStatusWorld, type StatusWorld, type StatusWorldOptions } from "../../../test/support/status-world.ts";
import { createComponentStore } from "./components/store.ts";
import type { PublicStatus } from "./page/api.ts";

const INCIDENTS = "/api/v1/status/incidents";
const ONE = "/api/v1/status/incidents/{id}";
const DAY_S = 86_400;

onBothDatabases(({ create }) => {
  describe("an open incident", () => {
    it("says what its components are at least, over restarts too, until it is over", async (context) => {
      const options = await optionsFor(context, await create());
      let world = await openStatusWorld(context, options);
      const [shop = 0, search = 0] = await setUp(world, ["Shop", "Search", "Mail"]);
      const id = await report(world, {
        severity: "major",
        components: [shop, search],
        impacts: [{ component_id: search, status: "degraded" }],
      });
      const during = { Shop: "partial_outage", Search: "degraded", Mail: "operational", page: "partial_outage" };
      await becomes(world, during);
      assert.deepEqual((await world.check("GET", ONE, { id }))["impacts"], [
        { component_id: shop, status: "partial_outage" },
        { component_id: search, status: "degraded" },
      ]);
      await world.pass(70);
      const [group] = (await pageOf(world)).groups;
      assert.ok((group?.components[0]?.uptime_90d.at(-1) ?? 100) < 100, "its time counts");

      await world.stop();
      world = await openStatusWorld(context, options);
      await world.pass(3);
      await becomes(world, during);
      await world.check("PUT", ONE, { id }, { severity: "critical" });
      await becomes(world, { Shop: "major_outage", Search: "degraded", Mail: "operational", page: "partial_outage" });
      await world.check("PUT", ONE, { id }, { components: [search] });
      await becomes(world, { Shop: "operational", Search: "degraded", Mail: "operational", page: "degraded" });
      await world.check("POST", `${ONE}/updates`, { id }, { status: "resolved", message: "Over." });
      await becomes(world, { Shop: "operational", Search: "operational", Mail: "operational", page: "operational" });
    });

    it("that names no component says what the page is", async (context) => {
      const world = await openStatusWorld(context, await optionsFor(context, await create()));
      await setUp(world, ["Shop"]);
      const id = await report(world, { severity: "critical" });
      await becomes(world, { Shop: "operational", page: "major_outage" });
      assert.equal((await pageOf(world)).message, "The whole service is down.");
      assert.equal((await world.check("GET", "/api/v1/status/components"))["page_status"], "major_outage");
      await world.check("DELETE", ONE, { id });
      await becomes(world, { Shop: "operational", page: "operational" });
    });

    it("cannot call a component operational that it says is out, and says nothing of others", async (context) => {
      const world = await openStatusWorld(context, await optionsFor(context, await create()));
      const [shop = 0, search = 0] = await setUp(world, ["Shop", "Search"]);
      const refused = async (body: object): Promise<unknown> => {
        const answer = await world.ask("POST", INCIDENTS, { title: "Slow", message: "We look.", components: [shop], ...body });
        const { error } = answer.body as { error: { details?: { path: string }[] } };
        return [answer.status, error.details?.map(({ path }) => path)];
      };
      const impacts = (id: number, status: string): object => ({ impacts: [{ component_id: id, status }] });
      assert.deepEqual(await refused({ severity: "major", ...impacts(shop, "operational") }), [409, ["impacts.0.status"]]);
      assert.deepEqual(await refused({ severity: "minor", ...impacts(search, "degraded") }), [409, ["impacts.0.component_id"]]);
      assert.deepEqual(await refused({ severity: "minor", ...impacts(shop, "maintenance") }), [400, ["impacts.0.status"]]);
      const id = await report(world, { severity: "minor", components: [shop], ...impacts(shop, "operational") });
      await world.pass(2);
      await becomes(world, { Shop: "operational", Search: "operational", page: "operational" });
      await world.check("PUT", ONE, { id }, { severity: "major" });
      await becomes(world, { Shop: "partial_outage", Search: "operational", page: "partial_outage" });
    });
  });

  describe("the uptime of a component", () => {
    it("is a figure once a day of it is known, and says from when it is tracked", async (context) => {
      const options = await optionsFor(context, await create());
      const world = await openStatusWorld(context, options);
      const [shop = 0] = await setUp(world, ["Shop"]);
      const first = (status: PublicStatus) => status.groups[0]?.components[0];
      const madeAt = options.clock.now().getTime();
      await world.pass(90);
      const early = first(await pageOf(world));
      assert.equal(early?.uptime, null);
      assert.ok(Math.abs(Date.parse(early.tracked_since) - madeAt) < 60_000);
      const html = async (): Promise<string> => (await world.server.fastify.inject({ method: "GET", url: "/status/" })).body;
      assert.match(await html(), /Added <time data-age datetime=/);

      const today = Math.floor(options.clock.now().getTime() / 1000 / DAY_S) * DAY_S;
      const times = { major_outage: 0, partial_outage: 0, maintenance: 0, degraded: 0, operational: DAY_S * 1000 };
      await world.stop();
      await createComponentStore(options.database).save({ days: [{ componentId: shop, startMs: (today - DAY_S) * 1000, times }] });
      const later = await openStatusWorld(context, options);
      await later.pass(2);
      assert.equal(first(await pageOf(later))?.uptime, 100);
      assert.match((await later.server.fastify.inject({ method: "GET", url: "/status/" })).body, />100 % over 2 days</);
    });
  });
});

async function optionsFor(context: TestContext, database: StatusWorldOptions["database"]): Promise<StatusWorldOptions> {
  const receiver = await startReceiver();
  context.after(receiver.stop);
  return { database, receiver, clock: createFakeClock(), mails: await openReceiver(context) };
}

/** Components of jobs that report rarely; their ids. */
async function setUp(world: StatusWorld, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const job = await world.check("POST", "/api/v1/heartbeats", {}, { name, interval_seconds: 604_800, grace_seconds: 0 });
    const made = await world.check("POST", "/api/v1/status/components", {}, { name, monitor_type: "heartbeat", monitor_id: job["id"] });
    ids.push(Number(made["id"]));
  }
  await world.pass(2);
  return ids;
}

async function report(world: StatusWorld, body: object): Promise<number> {
  const made = await world.check("POST", INCIDENTS, {}, { title: "Checkout is slow", message: "We look for the cause.", ...body });
  return Number(made["id"]);
}

async function pageOf(world: StatusWorld): Promise<PublicStatus> {
  return (await world.check("GET", "/status/api")) as unknown as PublicStatus;
}

async function becomes(world: StatusWorld, expected: Record<string, string>): Promise<void> {
  const seen = async (): Promise<Record<string, string>> => {
    const { groups, status } = await pageOf(world);
    return { ...Object.fromEntries(groups.flatMap(({ components }) => components.map((each) => [each.name, each.status]))), page: status };
  };
  await world.passUntil(async () => JSON.stringify(await seen()) === JSON.stringify(expected)).catch(() => undefined);
  assert.deepEqual(await seen(), expected);
}
