import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { COMPONENT_BOUNDS } from "../../../contract/status-page.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import {
  COMPONENTS,
  createFakeWorld,
  type FakeWorld,
  GROUPS,
  openComponents,
  type OpenedComponents,
  ORDER,
} from "../../../../test/support/status-components.ts";
import type { Database } from "../../../storage/database.ts";
import type { GroupRecord } from "./answers.ts";
import { createComponentStore } from "./store.ts";

const at = "2026-03-01T12:00:00.000Z";

onBothDatabases((databases) => {
  let database: Database;
  let world: FakeWorld;
  let opened: OpenedComponents;
  const clock = createFakeClock();

  beforeEach(async () => {
    database = await databases.create();
    world = createFakeWorld();
    for (let id = 1; id <= 5; id += 1) world.set(id, "operational");
    clock.jump(new Date(at));
    opened = await openComponents(database, clock, world);
  });

  const group = async (name: string, body: object = {}): Promise<GroupRecord> =>
    (await opened.routes.check("POST", GROUPS, {}, { name, ...body })) as GroupRecord;
  const order = async (): Promise<string[]> => (await opened.list()).map(({ name, group_id: groupId }) => `${name} ${groupId ?? "-"}`);
  const refused = async (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<[string, string[]]> => {
    const { error } = (await opened.routes.ask(method, path, body)).body as { error: { code: string; details?: { path: string }[] } };
    return [error.code, (error.details ?? []).map(({ path: where }) => where)];
  };

  describe("groups", () => {
    it("are made, listed in their order, changed and deleted, and all of it is published", async () => {
      const shop = await group("  Shop\n floor ");
      assert.deepEqual(shop, { id: shop.id, name: "Shop floor", sort_order: 0, created_at: at, updated_at: at });
      const office = await group("Office");
      assert.equal(office.sort_order, 1);
      await opened.routes.check("PUT", `${GROUPS}/{id}`, { id: shop.id }, { sort_order: 5 });
      const { groups, total } = await opened.routes.check("GET", GROUPS);
      assert.deepEqual([(groups as GroupRecord[]).map(({ name }) => name), total], [["Office", "Shop floor"], 2]);
      assert.deepEqual(
        opened.board().groups,
        [office, shop].map(({ id, name }) => ({ id, name })),
      );
      await opened.routes.check("DELETE", `${GROUPS}/{id}`, { id: shop.id });
      assert.deepEqual(opened.published(), ["group.created", "group.created", "group.updated", "group.deleted"]);
    });

    it("have unique names, and are no more than there may be", async () => {
      const { id } = await group("Shop");
      await group("Office");
      assert.deepEqual(await refused("POST", GROUPS, { name: " Shop" }), ["duplicate_name", []]);
      assert.deepEqual(await refused("PUT", `${GROUPS}/${id}`, { name: "Office" }), ["duplicate_name", []]);
      await opened.routes.check("PUT", `${GROUPS}/{id}`, { id }, { name: "Shop" });
      const facts = { sortOrder: 9, createdAt: new Date(at), updatedAt: new Date(at) };
      const names = Array.from({ length: COMPONENT_BOUNDS.groups - 2 }, (_, index) => `Group ${index}`);
      await Promise.all(names.map((name) => createComponentStore(database).insertGroup({ name, ...facts })));
      await opened.quit();
      opened = await openComponents(database, clock, world);
      assert.deepEqual(await refused("POST", GROUPS, { name: "One more" }), ["conflict", []]);
      assert.deepEqual(await refused("PUT", `${GROUPS}/999`, { name: "x" }), ["not_found", []]);
      assert.deepEqual(await refused("DELETE", `${GROUPS}/999`), ["not_found", []]);
      assert.deepEqual(await refused("POST", GROUPS, { name: "\u202e\u200b" }), ["validation_failed", ["name"]]);
    });

    it("leave their components behind, last of those without a group", async () => {
      const { id } = await group("Shop");
      await opened.create({ name: "A", group_id: id });
      await opened.create({ name: "B", group_id: id });
      await opened.create({ name: "C" });
      assert.deepEqual(await order(), ["C -", `A ${id}`, `B ${id}`]);
      opened.events.length = 0;
      await opened.routes.check("DELETE", `${GROUPS}/{id}`, { id });
      assert.deepEqual(await order(), ["C -", "A -", "B -"]);
      assert.deepEqual(opened.published(), ["component.updated", "component.updated", "group.deleted"]);
      await opened.quit();
      opened = await openComponents(database, clock, world);
      assert.deepEqual(await order(), ["C -", "A -", "B -"]);
    });
  });

  describe("components", () => {
    it("are made with what was given, and with what their monitor says", async () => {
      world.set(3, "degraded", { name: "api", agentId: "0190c7a4-0000-7000-8000-000000000001" });
      const made = await opened.create({ name: " Shop <b>\u202e ", description: "What\nis sold", monitor_id: 3, auto_incident: true });
      assert.deepEqual(made, {
        id: made.id,
        group_id: null,
        name: "Shop <b>",
        description: "What is sold",
        monitor_type: "container",
        monitor_id: 3,
        monitor_name: "api",
        agent_id: "0190c7a4-0000-7000-8000-000000000001",
        sort_order: 0,
        visible: true,
        status: "degraded",
        observed: true,
        status_since: at,
        status_override: null,
        monitor_status: "degraded",
        auto_incident: true,
        needs_attention: false,
        uptime_90d: null,
        created_at: at,
        updated_at: at,
      });
      assert.deepEqual(opened.published(), ["component.created", "status.changed"]);
      assert.deepEqual(Object.keys(opened.find(made.id) ?? {}).sort(), [
        "days",
        "description",
        "groupId",
        "healthy",
        "id",
        "knownMs",
        "name",
        "observed",
        "since",
        "status",
        "trackedSince",
        "uptime",
        "visible",
      ]);
      await opened.quit();
      opened = await openComponents(database, clock, world);
      assert.deepEqual(await opened.list(), [made]);
    });

    it("are not made of what is not there", async () => {
      const body = { name: "Shop", monitor_type: "container", monitor_id: 1 };
      assert.deepEqual(await refused("POST", COMPONENTS, { ...body, monitor_id: 99, group_id: 7 }), [
        "unusable_values",
        ["group_id", "monitor_id"],
      ]);
      assert.deepEqual(await refused("POST", COMPONENTS, { ...body, monitor_type: "heartbeat" }), ["unusable_values", ["monitor_id"]]);
      assert.deepEqual(await refused("POST", COMPONENTS, { ...body, name: " " }), ["validation_failed", ["name"]]);
      assert.deepEqual(await refused("POST", COMPONENTS, { ...body, status: "degraded" }), ["validation_failed", ["status"]]);
      const { id } = await opened.create();
      assert.deepEqual(await refused("PUT", `${COMPONENTS}/${id}`, { group_id: 7 }), ["unusable_values", ["group_id"]]);
      assert.deepEqual(await refused("PUT", `${COMPONENTS}/${id}`, { monitor_type: "endpoint" }), ["unusable_values", ["monitor_id"]]);
      assert.deepEqual(await refused("PUT", `${COMPONENTS}/999`, {}), ["not_found", []]);
      assert.deepEqual(await refused("DELETE", `${COMPONENTS}/999`), ["not_found", []]);
    });

    it("are changed in what is given, and the page with them", async () => {
      const { id: groupId } = await group("Shop");
      const { id } = await opened.create();
      await opened.create({ name: "Other", monitor_id: 2, group_id: groupId, sort_order: 7 });
      const moved = await opened.update(id, { group_id: groupId, visible: false });
      assert.partialDeepStrictEqual(moved, { group_id: groupId, sort_order: 8, visible: false, name: "Shop" });
      opened.events.length = 0;
      await opened.update(id, { status_override: "major_outage" });
      assert.deepEqual(opened.published(), ["component.updated", "component.changed"], "hidden: the page is as it was");
      await opened.update(id, { visible: true });
      assert.deepEqual(opened.published().slice(2), ["component.updated", "status.changed"]);
      const { page_status: page, total } = await opened.routes.check("GET", COMPONENTS);
      assert.deepEqual([page, total], ["partial_outage", 2]);
      opened.events.length = 0;
      await opened.routes.check("DELETE", `${COMPONENTS}/{id}`, { id });
      assert.deepEqual(opened.published(), ["component.deleted", "status.changed"]);
      assert.equal(opened.find(id), undefined);
    });

    it("are no more than there may be", async () => {
      const { id } = await opened.create();
      const { components } = await createComponentStore(database).load(clock.now());
      const others = Array.from({ length: COMPONENT_BOUNDS.components - 1 }, () => components.filter((each) => each.id === id)).flat();
      await Promise.all(others.map(({ id: _, ...component }) => createComponentStore(database).insertComponent(component)));
      await opened.quit();
      opened = await openComponents(database, clock, world);
      assert.deepEqual(await refused("POST", COMPONENTS, { name: "x", monitor_type: "container", monitor_id: 1 }), ["conflict", []]);
    });

    it("come and go together without losing each other", async () => {
      const made = await Promise.all(Array.from({ length: 20 }, (_, index) => opened.create({ name: `Shop ${index}` })));
      assert.deepEqual(
        (await opened.list()).map(({ sort_order: place }) => place),
        Array.from({ length: 20 }, (_, index) => index),
      );
      await Promise.all(made.map(({ id }) => opened.routes.ask("DELETE", `${COMPONENTS}/${id}`)));
      assert.deepEqual(opened.board().components, []);
    });
  });

  describe("the order", () => {
    it("is set at once, published for what moved, and lasts", async () => {
      const [one, two] = [await group("One"), await group("Two")];
      const [a, b, c] = [await opened.create({ name: "A" }), await opened.create({ name: "B" }), await opened.create({ name: "C" })];
      opened.events.length = 0;
      const wanted = {
        groups: [two.id, one.id],
        components: [
          { id: a.id, group_id: null },
          { id: c.id, group_id: one.id },
          { id: b.id, group_id: two.id },
        ],
      };
      const answer = await opened.routes.check("PUT", ORDER, {}, wanted);
      assert.deepEqual(
        (answer["groups"] as GroupRecord[]).map(({ id }) => id),
        [two.id, one.id],
      );
      assert.deepEqual(await order(), ["A -", `B ${two.id}`, `C ${one.id}`]);
      assert.deepEqual(opened.published(), ["group.updated", "group.updated", "component.updated", "component.updated"], "A stayed");
      await opened.routes.check("PUT", ORDER, {}, wanted);
      assert.equal(opened.events.length, 4, "nothing moved");
      await opened.quit();
      opened = await openComponents(database, clock, world);
      assert.deepEqual(await order(), ["A -", `B ${two.id}`, `C ${one.id}`]);
    });

    it("is refused when something is missing, unknown or named twice; then nothing moves", async () => {
      const { id: g } = await group("One");
      const { id: a } = await opened.create({ name: "A" });
      const { id: b } = await opened.create({ name: "B" });
      const components = [
        { id: b, group_id: g },
        { id: a, group_id: 99 },
      ];
      assert.deepEqual(await refused("PUT", ORDER, { groups: [], components }), ["unusable_values", ["groups", "components.1.group_id"]]);
      assert.deepEqual(await refused("PUT", ORDER, { groups: [g], components: [] }), ["unusable_values", ["components"]]);
      assert.deepEqual(await order(), ["A -", "B -"]);
    });
  });
});
