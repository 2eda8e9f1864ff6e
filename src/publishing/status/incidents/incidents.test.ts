import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { aComponent, aWorld, openIncidents, type OpenedIncidents, type World } from "../../../../test/support/status-incidents.ts";
import type { Database } from "../../../storage/database.ts";
import { INCIDENT_STATUSES } from "../vocabulary.ts";
import type { IncidentRecord } from "./answers.ts";
import { createIncidentStore } from "./store.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const ALL = "/api/v1/status/incidents";
const ONE = `${ALL}/{id}`;
const UPDATES = `${ONE}/updates`;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let world: World;
  let opened: OpenedIncidents;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    world = aWorld([aComponent(1, "Checkout"), aComponent(2, "Search")]);
    opened = await openIncidents(database, clock, world);
  });
  afterEach(() => opened.stop());

  const after = (minutes: number): string => new Date(noon.getTime() + minutes * 60_000).toISOString();
  const pass = (milliseconds: number): void => clock.jump(new Date(clock.now().getTime() + milliseconds));
  const create = async (body: object = {}): Promise<IncidentRecord> =>
    (await opened.routes.check(
      "POST",
      ALL,
      {},
      { title: "Checkout is slow", severity: "minor", message: "We see it.", ...body },
    )) as IncidentRecord;
  const update = async (id: number, body: object): Promise<IncidentRecord> =>
    (await opened.routes.check("POST", UPDATES, { id }, { message: "More.", ...body })) as IncidentRecord;
  const detail = async (id: number): Promise<IncidentRecord> => (await opened.routes.check("GET", ONE, { id })) as IncidentRecord;
  async function restart(): Promise<void> {
    await opened.stop();
    opened = await openIncidents(database, clock, world);
  }

  describe("incidents", () => {
    it("live from their first update to their last", async () => {
      const made = await create({ components: [2, 1, 2] });
      assert.deepEqual(made, {
        id: made.id,
        title: "Checkout is slow",
        severity: "minor",
        status: "investigating",
        components: [2, 1],
        impacts: [
          { component_id: 2, status: "degraded" },
          { component_id: 1, status: "degraded" },
        ],
        automatic: false,
        created_at: after(0),
        updated_at: after(0),
        resolved_at: null,
        updates: [{ id: made.updates[0]?.id, status: "investigating", message: "We see it.", created_at: after(0), edited_at: null }],
      });
      pass(60_000);
      await update(made.id, { status: "identified", message: "A full disk.\r\n\r\n\r\nWe empty it." });
      pass(60_000);
      const over = await update(made.id, { status: "resolved", message: "It is fast." });
      assert.deepEqual(
        over.updates.map(({ status, message, created_at: at }) => ({ status, message, at })),
        [
          { status: "investigating", message: "We see it.", at: after(0) },
          { status: "identified", message: "A full disk.\n\nWe empty it.", at: after(1) },
          { status: "resolved", message: "It is fast.", at: after(2) },
        ],
      );
      assert.equal(over.status, "resolved");
      assert.equal(over.resolved_at, after(2));
      assert.deepEqual(await detail(made.id), over);
      assert.deepEqual(opened.published(), ["incident.created", "incident.updated", "incident.resolved"]);
      assert.deepEqual(
        world.notices.map(({ kind, update: { message }, incident: { status } }) => [kind, message, status]),
        [
          ["incident_opened", "We see it.", "investigating"],
          ["incident_updated", "A full disk.\n\nWe empty it.", "identified"],
          ["incident_resolved", "It is fast.", "resolved"],
        ],
      );
      assert.deepEqual(
        world.notices.map((notice) => notice.update.id),
        over.updates.map(({ id }) => id),
        "a notice knows its update",
      );
      assert.equal(opened.wakes(), 3);
      await restart();
      assert.deepEqual(await detail(made.id), over, "the same after a restart");
      assert.deepEqual(
        opened.incidents.current().map(({ id }) => id),
        [made.id],
      );
    });

    it("may go from any status to any, and are resolved since their first update that says so", async () => {
      for (const from of INCIDENT_STATUSES) {
        for (const to of INCIDENT_STATUSES) {
          const { id } = await create({ status: from, notify: false });
          const startedAt = clock.now().toISOString();
          pass(1000);
          const next = await update(id, { status: to, notify: false });
          assert.equal(next.status, to, `${from} to ${to}`);
          const since = from === "resolved" ? startedAt : clock.now().toISOString();
          assert.equal(next.resolved_at, to === "resolved" ? since : null, `${from} to ${to}`);
        }
      }
      assert.deepEqual(world.notices, [], "and nobody is notified who should not be");
    });

    it("that are resolved are opened again by an update with another status", async () => {
      const { id } = await create({ status: "resolved" });
      assert.deepEqual(opened.published(), ["incident.created", "incident.resolved"]);
      const again = await update(id, { status: "monitoring" });
      assert.equal(again.resolved_at, null);
      assert.deepEqual(
        world.notices.map(({ kind }) => kind),
        ["incident_resolved", "incident_updated"],
      );
      assert.deepEqual(
        (await opened.listed({ state: "open" })).map((each) => each.id),
        [id],
      );
    });

    it("are changed as a whole: what cannot be sent is not saved", async () => {
      const { id } = await create();
      world.breakNotices = true;
      const failed = await opened.routes.ask("POST", `${ALL}/${id}/updates`, { status: "resolved", message: "Over." });
      assert.equal(failed.status, 500);
      assert.equal((await opened.routes.ask("POST", ALL, { title: "x", severity: "minor", message: "x" })).status, 500);
      world.breakNotices = false;
      assert.equal((await detail(id)).updates.length, 1);
      assert.deepEqual(
        (await opened.listed()).map((each) => each.id),
        [id],
      );
      assert.deepEqual(opened.published(), ["incident.created"]);
    });

    it("are edited without notifying anybody; an edit that changes nothing is none", async () => {
      const { id } = await create({ components: [1] });
      pass(60_000);
      const edited = await opened.routes.check("PUT", ONE, { id }, { title: " Checkout  is down ", severity: "critical", components: [] });
      assert.deepEqual(
        [edited["title"], edited["severity"], edited["components"], edited["updated_at"]],
        ["Checkout is down", "critical", [], after(1)],
      );
      pass(60_000);
      const same = await opened.routes.check("PUT", ONE, { id }, { severity: "critical" });
      assert.deepEqual(same, edited);
      assert.deepEqual(opened.published(), ["incident.created", "incident.updated"]);
      assert.equal(world.notices.length, 1);
    });

    it("lose an update but the last one, and are then what the one before says", async () => {
      const { id, updates } = await create();
      const first = updates[0]?.id ?? 0;
      const { updates: two } = await update(id, { status: "resolved" });
      const second = two[1]?.id ?? 0;
      pass(60_000);
      const corrected = (await opened.routes.ask("PUT", `${ALL}/${id}/updates/${first}`, { message: "We saw it." })).body;
      assert.deepEqual((corrected["updates"] as object[])[0], {
        id: first,
        status: "investigating",
        message: "We saw it.",
        created_at: after(0),
        edited_at: after(1),
      });
      assert.equal(corrected["resolved_at"], after(0), "resolved since then");
      assert.equal((await opened.routes.ask("DELETE", `${ALL}/${id}/updates/${second}`)).status, 204);
      const open = await detail(id);
      assert.deepEqual([open.status, open.resolved_at, open.updates.length], ["investigating", null, 1]);
      const refused = await opened.routes.ask("DELETE", `${ALL}/${id}/updates/${first}`);
      assert.deepEqual([refused.status, (refused.body["error"] as { code: string }).code], [409, "conflict"]);
      for (const gone of [`${ALL}/${id}/updates/${second}`, `${ALL}/${id + 1}/updates/${first}`]) {
        assert.equal((await opened.routes.ask("DELETE", gone)).status, 404);
        assert.equal((await opened.routes.ask("PUT", gone, { message: "x" })).status, 404);
      }
      await restart();
      assert.deepEqual(await detail(id), open);
    });

    it("are deleted with their updates", async () => {
      const { id } = await create();
      await opened.routes.check("DELETE", ONE, { id });
      assert.equal((await opened.routes.ask("GET", `${ALL}/${id}`)).status, 404);
      assert.equal((await opened.routes.ask("DELETE", `${ALL}/${id}`)).status, 404);
      assert.equal((await opened.routes.ask("POST", `${ALL}/${id}/updates`, { status: "resolved", message: "x" })).status, 404);
      assert.deepEqual(opened.published(), ["incident.created", "incident.deleted"]);
      assert.deepEqual(opened.incidents.current(), []);
    });

    it("take text as text: control and direction characters are taken out, markup stays for whoever shows it to escape", async () => {
      const title = '<script>alert("1")</script> \u202eevil\u202c & \u200fmore\u0000';
      const made = await create({ title, message: "<b>bold</b>\u2066\nnext\u0007 line" });
      assert.equal(made.title, '<script>alert("1")</script> evil & more');
      assert.equal(made.updates[0]?.message, "<b>bold</b>\nnext line");
    });

    it("refuse what is not right, and say what", async () => {
      const refused = async (body: object): Promise<string> => {
        const { status, body: answer } = await opened.routes.ask("POST", ALL, { title: "x", severity: "minor", message: "x", ...body });
        assert.equal(status, "components" in body ? 409 : 400, JSON.stringify(body));
        const { details } = answer["error"] as { details: { path: string; message: string }[] };
        return details.map(({ path, message }) => `${path}: ${message}`).join("; ");
      };
      assert.equal(await refused({ components: [1, 77] }), "components.1: There is no component 77");
      assert.match(await refused({ title: " \u200f\u202e " }), /^title: /);
      assert.match(await refused({ title: "x".repeat(256) }), /^title: /);
      assert.match(await refused({ message: "\u0000" }), /^message: /);
      assert.match(await refused({ message: "x".repeat(5001) }), /^message: /);
      assert.match(await refused({ severity: "none" }), /^severity: /);
      assert.match(await refused({ status: "over" }), /^status: /);
      assert.match(await refused({ colour: "red" }), /colour/);
      assert.deepEqual(await opened.listed(), []);
      const { id } = await create();
      assert.equal((await opened.routes.ask("PUT", `${ALL}/${id}`, { components: [78] })).status, 409);
      assert.equal((await opened.routes.ask("GET", `${ALL}/0`)).status, 400);
      assert.equal((await opened.routes.ask("GET", `${ALL}/9999`)).status, 404);
    });

    it("name no components that are gone; the page still gets their ids, since incidents about them alone are not for it", async () => {
      const { id } = await create({ components: [1, 2] });
      world.components = world.components.filter((each) => each.id !== 1);
      assert.deepEqual((await detail(id)).components, [2]);
      assert.deepEqual((await update(id, { status: "resolved" })).components, [2]);
      assert.deepEqual(world.notices.at(-1)?.incident.components, [1, 2]);
      assert.deepEqual(opened.incidents.current()[0]?.components, [1, 2]);
    });

    it("are listed in pages, open ones first, then the latest", async () => {
      const ids: number[] = [];
      for (const status of ["resolved", "investigating", "resolved", "monitoring", "resolved"]) {
        pass(60_000);
        ids.push((await create({ status })).id);
      }
      const [a, b, c, d, e] = ids;
      assert.deepEqual(
        (await opened.listed()).map(({ id }) => id),
        [d, b, e, c, a],
      );
      const page = await opened.routes.check("GET", ALL, { limit: 2, offset: 2 });
      assert.deepEqual([(page["incidents"] as IncidentRecord[]).map(({ id }) => id), page["total"], page["has_more"]], [[e, c], 5, true]);
      const last = await opened.routes.check("GET", ALL, { limit: 2, offset: 4 });
      assert.equal(last["has_more"], false);
      assert.deepEqual(
        (await opened.listed({ state: "resolved" })).map(({ id }) => id),
        [e, c, a],
      );
      assert.deepEqual(
        opened.incidents.current().map(({ id }) => id),
        [d, b, e, c, a],
      );
      assert.equal((await opened.routes.ask("GET", `${ALL}?limit=101`)).status, 400);
    });

    it("are found by the time in which they were open", async () => {
      const first = (await create({ status: "resolved" })).id;
      pass(10 * DAY_MS);
      const second = (await create()).id;
      pass(10 * DAY_MS);
      const at = (days: number): Date => new Date(noon.getTime() + days * DAY_MS);
      const within = async (from: number, until: number): Promise<number[]> =>
        (await opened.incidents.within({ from: at(from), until: at(until) })).map(({ id }) => id);
      assert.deepEqual(await within(-1, 1), [first]);
      assert.deepEqual(await within(1, 10), []);
      assert.deepEqual(await within(0, 30), [second, first]);
      assert.deepEqual(await within(15, 16), [second], "it is open still");
      assert.deepEqual(
        opened.incidents.current().map(({ id }) => id),
        [second],
        "the first one was over long ago",
      );
      assert.deepEqual(
        (await opened.incidents.latest(5)).map(({ id }) => id),
        [second, first],
      );
      await opened.routes.check("PUT", ONE, { id: first }, { title: "An old one" });
      assert.deepEqual(
        (await opened.incidents.latest(1)).map(({ title }) => title),
        ["An old one"],
        "what changed last",
      );
      assert.deepEqual(
        opened.incidents.current().map(({ id }) => id),
        [second],
      );
      assert.equal((await opened.incidents.find(first))?.title, "An old one");
      assert.deepEqual(await opened.incidents.oldest(), noon);
    });

    it("are bounded: open ones, and updates of each", async () => {
      const store = createIncidentStore(database);
      const base = {
        title: "x",
        severity: "minor",
        status: "investigating",
        components: [],
        impacts: new Map(),
        automatic: false,
        autoResolves: false,
      } as const;
      const posted = { id: 0, status: "investigating", message: "x", notified: false, at: noon, editedAt: null } as const;
      const whole = { ...base, id: 0, createdAt: noon, updatedAt: noon, resolvedAt: null };
      await store.write(async (tx) => {
        for (let count = 1; count < INCIDENT_BOUNDS.open; count += 1) await store.insert(tx, { ...whole, updates: [posted] });
        await store.insert(tx, { ...whole, status: "resolved", resolvedAt: noon, updates: [{ ...posted, status: "resolved" }] });
      });
      await restart();
      const last = (await create({ notify: false })).id;
      const crowded = await opened.routes.ask("POST", ALL, { title: "x", severity: "minor", message: "x" });
      assert.equal(crowded.status, 409);
      const [over] = await opened.listed({ state: "resolved" });
      const reopened = await opened.routes.ask("POST", `${ALL}/${over?.id}/updates`, { status: "monitoring", message: "x" });
      assert.equal(reopened.status, 409, "opening again is opening");
      await create({ status: "resolved" });
      for (let count = 1; count < INCIDENT_BOUNDS.updates; count += 1) await update(last, { status: "monitoring", notify: false });
      const full = await opened.routes.ask("POST", `${ALL}/${last}/updates`, { status: "monitoring", message: "x" });
      assert.equal(full.status, 409);
    });

    it("are forgotten 400 days after they were resolved", async () => {
      const over = (await create({ status: "resolved" })).id;
      const open = (await create()).id;
      pass(400 * DAY_MS);
      await opened.prune();
      assert.equal((await opened.listed()).length, 2);
      pass(1);
      await opened.settle();
      await opened.prune();
      assert.deepEqual(
        (await opened.listed()).map(({ id }) => id),
        [open],
      );
      assert.equal(await opened.incidents.find(over), undefined);
      const store = createIncidentStore(database);
      await create({ status: "resolved" });
      pass(1000);
      const kept = (await create({ status: "resolved" })).id;
      assert.equal(await store.prune(noon, 1), false);
      assert.deepEqual(
        (await opened.listed({ state: "resolved" })).map(({ id }) => id),
        [kept],
        "and when there are too many",
      );
    });

    it("notify whoever shows them when something changed", async () => {
      const before = opened.changes();
      const { id } = await create();
      await update(id, { status: "resolved" });
      assert.equal(opened.changes(), before + 2);
      pass(16 * DAY_MS);
      await opened.settle();
      assert.equal(opened.changes(), before + 3, "it is not among the current ones any more");
    });
  });
});
