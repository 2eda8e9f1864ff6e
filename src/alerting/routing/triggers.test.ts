import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TRIGGER_BOUNDS } from "../../contract/notifications.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { aChannel, anAlert, openRouting, type OpenedRouting, type TestChannel } from "../../../test/support/routing.ts";
import type { Database } from "../../storage/database.ts";
import { type Alert } from "../vocabulary.ts";
import { SIMULATION } from "./service.ts";
import type { TriggerRecord } from "./answers.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const ALL = "/api/v1/alert-triggers";
const ONE = `${ALL}/{id}`;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let channels: TestChannel[];
  let past: Iterable<Alert>;
  let routing: OpenedRouting;
  let routes: DeclaredRoutes;
  let groups: Map<number, string>;

  async function open(): Promise<void> {
    routing = await openRouting(database, clock, { channels, past, groupOf: (id) => groups.get(id) });
    routes = declaredRoutes(createTestServer({ routes: routing.routes }), routing.routes);
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    channels = [aChannel(1), aChannel(2, { enabled: false }), aChannel(3)];
    past = [];
    groups = new Map();
    await open();
  });

  const make = async (body: object = {}): Promise<TriggerRecord> =>
    (await routes.check("POST", ALL, {}, { name: "Nights", channel_ids: [1], ...body })) as TriggerRecord;
  const names = async (): Promise<string[]> => ((await routes.check("GET", ALL))["triggers"] as TriggerRecord[]).map(({ name }) => name);

  describe("triggers of a group or a host", () => {
    it("take what is in the group when the alert is looked at, over a restart too", async () => {
      const made = await make({ filter_entities: "group:shop%2C eu, agent:1F0E3DAD-9990-4F4B-8D5A-0123456789AB" });
      assert.equal(made.filter_entities, "group:shop%2C eu,agent:1f0e3dad-9990-4f4b-8d5a-0123456789ab");
      const taken = (): number => routing.route(anAlert()).targets.length;
      assert.equal(taken(), 0);
      groups.set(42, "shop, eu");
      assert.equal(taken(), 1);
      await open();
      assert.equal(taken(), 1);
      past = [anAlert()];
      await open();
      const simulated = await routes.check(
        "POST",
        `${ALL}/simulate`,
        {},
        { trigger: { filter_entities: "group:shop%2C eu", channel_ids: [1] } },
      );
      assert.equal(simulated["matched"], 1);
      groups.clear();
      assert.equal(taken(), 0);
    });
  });

  describe("triggers", () => {
    it("are made, listed, read, changed and deleted, and are there after a restart", async () => {
      const made = await make({ name: " Nights\u0007 ", filter_severities: "Critical, warning,critical", channel_ids: [3, 1, 3] });
      assert.deepEqual(made, {
        id: made.id,
        name: "Nights",
        filter_severities: "critical,warning",
        filter_sources: "",
        filter_entities: "",
        filter_tags: "",
        enabled: true,
        notify_on_resolve: true,
        channel_ids: [3, 1],
        created_at: noon.toISOString(),
        updated_at: noon.toISOString(),
      });
      await make({ name: "Days 10" });
      await make({ name: "Days 9" });
      assert.deepEqual(await names(), ["Days 9", "Days 10", "Nights"]);
      clock.jump(new Date(noon.getTime() + 1000));
      const change = { filter_entities: "container:42", filter_severities: "", notify_on_resolve: false, enabled: false };
      const changed = await routes.check("PUT", ONE, { id: made.id }, change);
      assert.deepEqual(changed, { ...made, ...change, updated_at: "2026-03-01T12:00:01.000Z" });
      await open();
      assert.deepEqual(await routes.check("GET", ONE, { id: made.id }), changed);
      await routes.check("DELETE", ONE, { id: made.id });
      await open();
      assert.deepEqual(await names(), ["Days 9", "Days 10"]);
    });

    it("send alerts at once, and not any more when they are disabled or deleted", async () => {
      const ids = (): number[] => routing.route(anAlert()).targets.map(({ channelId }) => channelId);
      const { id } = await make({ channel_ids: [1, 2], filter_sources: "container" });
      assert.deepEqual(ids(), [1]);
      await routes.check("PUT", ONE, { id }, { channel_ids: [3] });
      assert.deepEqual(ids(), [3]);
      await open();
      assert.deepEqual(ids(), [3]);
      await routes.check("PUT", ONE, { id }, { enabled: false });
      assert.deepEqual(ids(), []);
      await routes.check("PUT", ONE, { id }, { enabled: true });
      await routes.check("DELETE", ONE, { id });
      assert.deepEqual(ids(), []);
      assert.deepEqual(routing.route(anAlert({ channels: ["channel 1", "ghost"] })).unknown, ["ghost"]);
    });

    it("publish what was done with them", async () => {
      const { id } = await make();
      await routes.check("PUT", ONE, { id }, { name: "Days" });
      await routes.check("DELETE", ONE, { id });
      assert.deepEqual(
        routing.events.map(({ type, data }) => [type, "name" in data ? data.name : ""]),
        [
          ["trigger.created", "Nights"],
          ["trigger.updated", "Days"],
          ["trigger.deleted", "Days"],
        ],
      );
    });

    it("say by name that they use a channel", async () => {
      await make({ channel_ids: [1, 3] });
      await make({ name: "Days", enabled: false });
      assert.deepEqual(routing.usersOf(1), ['alert trigger "Nights"', 'alert trigger "Days"']);
      assert.deepEqual([routing.usersOf(3), routing.usersOf(2)], [['alert trigger "Nights"'], []]);
    });

    it("have a unique name, whatever its case", async () => {
      const { id } = await make();
      const other = await make({ name: "Days" });
      for (const [method, url, body] of [
        ["POST", ALL, { name: "nights", channel_ids: [1] }],
        ["PUT", `${ALL}/${other.id}`, { name: "NIGHTS", enabled: false }],
      ] as const) {
        const { status, body: answer } = await routes.ask(method, url, body);
        assert.equal(status, 409);
        assert.match(JSON.stringify(answer), /"duplicate_name".*There is an alert trigger called \\"Nights\\" already/);
      }
      assert.deepEqual(await routes.check("GET", ONE, { id: other.id }), other);
      assert.equal((await routes.check("PUT", ONE, { id }, { name: "NIGHTS" }))["name"], "NIGHTS");
    });

    it("made at the same time have one name once, and no more than there may be", async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => routes.ask("POST", ALL, { name: "Nights", channel_ids: [1] })));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409]);
    });

    const cases: [what: string, body: object, path: string, sentence: RegExp][] = [
      ["no name", { channel_ids: [1] }, "name", /string/],
      ["an empty name", { name: " \u0000", channel_ids: [1] }, "name", /empty/],
      ["a long name", { name: "x".repeat(256), channel_ids: [1] }, "name", /255/],
      ["no channels", { name: "x" }, "channel_ids", /array/],
      ["an empty list of channels", { name: "x", channel_ids: [] }, "channel_ids", /at least one/],
      ["a channel that is not there", { name: "x", channel_ids: [1, 9] }, "channel_ids.1", /There is no channel 9/],
      ["channels by name", { name: "x", channel_ids: ["1"] }, "channel_ids.0", /number/],
      [
        "an unknown severity",
        { name: "x", channel_ids: [1], filter_severities: "fatal" },
        "filter_severities",
        /"fatal" is not a severity/,
      ],
      ["an unknown source", { name: "x", channel_ids: [1], filter_sources: "disk" }, "filter_sources", /"disk" is not a source/],
      ["an entity without a kind", { name: "x", channel_ids: [1], filter_entities: "42" }, "filter_entities", /container:42/],
      ["filters as a list", { name: "x", channel_ids: [1], filter_tags: ["a"] }, "filter_tags", /string/],
      ["a long filter", { name: "x", channel_ids: [1], filter_tags: "x,".repeat(1001) }, "filter_tags", /2000/],
      ["an unknown key", { name: "x", channel_ids: [1], channels: [1] }, "channels", /Unknown key/],
    ];
    it("refuse bad input with the field and a sentence, and keep nothing of it", async () => {
      const { id, ...made } = await make({ name: "kept" });
      for (const [what, body, path, sentence] of cases) {
        const { status, body: answer } = await routes.ask("POST", ALL, body);
        const { error } = answer as { error: { code: string; details: { path: string; message: string }[] } };
        const isUnknown = /unknown s|not there|without a kind/.test(what);
        assert.deepEqual([status, error.code], isUnknown ? [409, "unusable_values"] : [400, "validation_failed"], what);
        assert.ok(
          error.details.some((fault) => fault.path === path && sentence.test(fault.message)),
          `${what}: ${JSON.stringify(error)}`,
        );
      }
      const { body } = await routes.ask("PUT", `${ALL}/${id}`, { filter_severities: "x", filter_sources: "y", channel_ids: [9, 8] });
      assert.deepEqual(
        (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
        ["filter_severities", "filter_sources", "channel_ids.0", "channel_ids.1"],
      );
      assert.deepEqual(await names(), ["kept"]);
      assert.deepEqual(await routes.check("GET", ONE, { id }), { id, ...made });
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        assert.equal((await routes.ask(method, `${ALL}/4711`, method === "PUT" ? {} : undefined)).status, 404, method);
      }
    });
  });

  describe("the simulation of a trigger", () => {
    it("shows what it would have sent in 30 days, and saves nothing", async () => {
      const day = (ago: number): Date => new Date(noon.getTime() - ago * 86_400_000);
      past = [
        anAlert({ id: 1, firedAt: day(31) }),
        anAlert({ id: 2, firedAt: day(3), resolvedAt: day(2), status: "resolved" }),
        anAlert({ id: 3, firedAt: day(1), source: "endpoint" }),
        anAlert({ id: 4, firedAt: day(1), suppressedBy: "maintenance" }),
      ];
      await open();
      const trigger = { filter_sources: "container", channel_ids: [1, 2], enabled: false };
      const result = await routes.check("POST", `${ALL}/simulate`, {}, { trigger });
      assert.partialDeepStrictEqual(result, {
        period_days: 30,
        matched: 2,
        held_back: 1,
        deliveries: 2,
        by_channel: [
          { channel_id: 1, name: "channel 1", enabled: true, fired: 1, resolved: 1 },
          { channel_id: 2, name: "channel 2", enabled: false, fired: 0, resolved: 0 },
        ],
        examples: [
          { alert_id: 2, fired_at: "2026-02-26T12:00:00.000Z" },
          { alert_id: 4, fired_at: "2026-02-28T12:00:00.000Z" },
        ],
        complete: true,
      });
      assert.deepEqual([await names(), routing.events], [[], []]);
    });

    it("refuses what could not be made, with the path in its body", async () => {
      const { status, body } = await routes.ask("POST", `${ALL}/simulate`, { trigger: { channel_ids: [9], filter_sources: "disk" } });
      assert.equal(status, 409);
      assert.deepEqual(
        (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
        ["trigger.filter_sources", "trigger.channel_ids.0"],
      );
      assert.equal((await routes.ask("POST", `${ALL}/simulate`, { name: "x" })).status, 400);
    });

    it("stops when it takes too long, and says so", async () => {
      past = (function* endless() {
        for (let id = 1; ; id += 1) {
          if (id % 1000 === 0) void clock.advance(SIMULATION.milliseconds / 4);
          yield anAlert({ id });
        }
      })();
      await open();
      const { complete, matched } = await routes.check("POST", `${ALL}/simulate`, {}, { trigger: { channel_ids: [1] } });
      assert.equal(complete, false);
      assert.ok(Number(matched) > 1000);
    });
  });

  describe("the number of triggers", () => {
    it("is bounded", async () => {
      for (let from = 0; from < TRIGGER_BOUNDS.triggers; from += 10) {
        // The rate limits are of one client a second.
        await open();
        await Promise.all(Array.from({ length: 10 }, (_, index) => make({ name: `t${from + index}` })));
      }
      const { status, body } = await routes.ask("POST", ALL, { name: "one more", channel_ids: [1] });
      assert.equal(status, 409);
      assert.match(JSON.stringify(body), /There are 500 alert triggers already/);
    });
  });
});
