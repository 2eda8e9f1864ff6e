import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { until } from "../../../../test/support/until.ts";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import {
  aComponent,
  anOutage,
  aWorld,
  openIncidents,
  type OpenedIncidents,
  type World,
} from "../../../../test/support/status-incidents.ts";
import type { Database } from "../../../storage/database.ts";
import type { IncidentRecord } from "./answers.ts";
import { createIncidentStore } from "./store.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const ALL = "/api/v1/status/incidents";

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let world: World;
  let opened: OpenedIncidents;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    world = aWorld([
      aComponent(1, "Checkout"),
      aComponent(2, "Search", { monitor: { type: "endpoint", id: 9 } }),
      aComponent(3, "Backups", { monitor: { type: "heartbeat", id: 4 }, autoIncident: false }),
    ]);
    opened = await openIncidents(database, clock, world);
  });
  afterEach(() => opened.stop());

  const pass = (minutes: number): void => clock.jump(new Date(clock.now().getTime() + minutes * 60_000));
  const only = async (): Promise<IncidentRecord> => {
    const [incident, ...others] = await opened.listed();
    assert.ok(incident !== undefined && others.length === 0, `${others.length + (incident === undefined ? 0 : 1)} incidents`);
    return incident;
  };
  const messages = (incident: IncidentRecord): string[] => incident.updates.map(({ status, message }) => `${status}: ${message}`);
  async function restart(whileAway: () => void = () => undefined): Promise<void> {
    await opened.stop();
    whileAway();
    opened = await openIncidents(database, clock, world);
  }

  describe("automatic incidents", () => {
    it("are opened by an alert, and end with it; they name components and nothing else", async () => {
      await opened.fire(anOutage(5));
      const made = await only();
      assert.deepEqual(
        [made.title, made.severity, made.status, made.components, made.automatic],
        ["Checkout is not available", "major", "investigating", [1], true],
      );
      pass(3);
      await opened.clear(5);
      const over = await only();
      assert.deepEqual(messages(over), [
        "investigating: Checkout is not available. We are looking into it.",
        "resolved: Checkout is working normally again.",
      ]);
      assert.equal(over.resolved_at, "2026-03-01T12:03:00.000Z");
      assert.equal(over.automatic, true);
      assert.doesNotMatch(
        JSON.stringify([over, world.notices, opened.events.filter(({ type }) => type.startsWith("incident."))]),
        /secret|137/,
      );
      assert.deepEqual(opened.published(), ["incident.created", "incident.resolved"]);
      assert.deepEqual(
        world.notices.map(({ kind }) => kind),
        ["incident_opened", "incident_resolved"],
      );
    });

    it("report problems of a group of which only some is out", async () => {
      world.components = [aComponent(1, "The shop", { status: "partial_outage" })];
      await opened.fire(anOutage(5));
      assert.equal((await only()).title, "The shop has problems");
    });

    it("are opened for a host by an alert about it, the server's own too", async () => {
      const host = (id: number, of: string) => aComponent(id, `Host ${id}`, { monitor: { type: "agent", id: of } });
      world.components = [host(1, "local"), host(2, "0190c7a4-0000-7000-8000-000000000001")];
      await opened.fire(anOutage(5, { event: "runtime_lost", entity: { type: "host", id: "local" } }));
      assert.deepEqual((await only()).components, [1]);
      await opened.clear(5);
      pass(60);
      await opened.fire(anOutage(6, { event: "disconnected", entity: { type: "agent", id: "0190c7a4-0000-7000-8000-000000000001" } }));
      assert.deepEqual(
        (await opened.listed()).map(({ components }) => components),
        [[2], [1]],
      );
    });

    it("are one for an alert, however often it is published", async () => {
      const alert = anOutage(5);
      await Promise.all([opened.fire(alert), opened.fire(alert), opened.fire(alert)]);
      await opened.fire(alert);
      await opened.settle();
      assert.equal((await only()).updates.length, 1);
      await restart();
      await opened.fire(alert);
      assert.equal((await only()).updates.length, 1);
      assert.equal(world.notices.length, 1);
    });

    it("are joined by a further alert, and end when all are over", async () => {
      await opened.fire(anOutage(5));
      await opened.fire(anOutage(6, { event: "restart_loop" }));
      assert.equal((await only()).updates.length, 1, "it says nothing new");
      await opened.clear(5);
      assert.equal((await only()).status, "investigating");
      await opened.clear(6);
      assert.equal((await only()).status, "resolved");
    });

    it("continue when one alert follows another within one look", async () => {
      await opened.fire(anOutage(5));
      world.alerts = [anOutage(6, { event: "restart_loop" })];
      await opened.settle();
      assert.equal((await only()).status, "investigating");
    });

    it("get worse with their alert, never milder", async () => {
      await opened.fire(anOutage(5, { event: "health_unhealthy", severity: "warning" }));
      const mild = await only();
      assert.deepEqual([mild.title, mild.severity], ["Checkout has problems", "minor"]);
      await opened.fire(anOutage(5, { event: "health_unhealthy", severity: "critical" }));
      const bad = await only();
      assert.equal(bad.severity, "major");
      await opened.fire(anOutage(6, { severity: "warning" }));
      await opened.clear(5);
      assert.deepEqual([(await only()).severity, (await only()).status], ["major", "investigating"]);
      assert.deepEqual(messages(await only()).slice(1), [
        "investigating: The problem has become worse: Checkout has problems. We are looking into it.",
      ]);
    });

    it("are of every monitor of their kind, and all components of it", async () => {
      world.components.push(aComponent(4, "Payments", { monitor: { type: "container", id: 1 } }));
      await opened.fire(anOutage(5));
      await opened.fire(anOutage(6, { source: "endpoint", event: "consecutive_failure", entity: { type: "endpoint", id: "9" } }));
      const titles = (await opened.listed()).map(({ title, components }) => [title, components]);
      assert.deepEqual(titles, [
        ["Search is not available", [2]],
        ["Checkout and Payments are not available", [1, 4]],
      ]);
    });

    it("are not opened where nobody asked for it, nor for what is hidden, nor for a mere note", async () => {
      await opened.fire(anOutage(5, { source: "heartbeat", event: "deadline_missed", entity: { type: "heartbeat", id: "4" } }));
      await opened.fire(anOutage(6, { severity: "info" }));
      await opened.fire(anOutage(7, { source: "agent", entity: { type: "agent", id: "local" } }));
      await opened.fire(anOutage(8, { entity: { type: "container", id: "1x" } }));
      world.components[0] = aComponent(1, "Checkout", { visible: false });
      await opened.fire(anOutage(9));
      assert.deepEqual(await opened.listed(), []);
    });

    it("are minor for a certificate that is valid still", async () => {
      world.components.push(aComponent(4, "Shop", { monitor: { type: "certificate", id: 1 } }));
      await opened.fire(anOutage(5, { source: "certificate", event: "expiring", entity: { type: "certificate", id: "1" } }));
      const { title, severity } = await only();
      assert.deepEqual([title, severity], ["Shop has problems", "minor"]);
    });

    it("are not opened by what is silenced or maintained, until that is over", async () => {
      await opened.fire(anOutage(5, { suppressedBy: "silence" }));
      await opened.fire(anOutage(6, { suppressedBy: "maintenance", source: "endpoint", entity: { type: "endpoint", id: "9" } }));
      assert.deepEqual(await opened.listed(), []);
      await opened.clear(6);
      await opened.fire(anOutage(5));
      assert.equal((await only()).title, "Checkout is not available");
      await opened.fire(anOutage(5, { suppressedBy: "maintenance" }));
      assert.equal((await only()).status, "investigating", "what is known is not taken back");
    });

    it("join that of what they depend on", async () => {
      const host = { type: "agent", id: "local" };
      await opened.fire(anOutage(5, { parents: [host] }));
      const failing = { source: "endpoint", event: "consecutive_failure", entity: { type: "endpoint", id: "9" } } as const;
      await opened.fire(anOutage(6, { ...failing, suppressedBy: "dependency", parents: [{ type: "container", id: "1" }, host] }));
      const incident = await only();
      assert.deepEqual([incident.title, incident.components], ["Checkout and Search are not available", [1, 2]]);
      assert.equal(messages(incident)[1], "investigating: Search is affected as well. We are looking into it.");
      await opened.clear(5);
      assert.equal((await only()).status, "investigating");
      await opened.clear(6);
      assert.equal(messages(await only())[2], "resolved: Checkout and Search are working normally again.");
    });

    it("are one for all that a lost host takes with it", async () => {
      world.components = Array.from({ length: 6 }, (_, index) => aComponent(index + 1, `Part ${index + 1}`));
      world.alerts = world.components.map(({ id }) =>
        anOutage(10 + id, {
          entity: { type: "container", id: String(id) },
          suppressedBy: "dependency",
          parents: [{ type: "agent", id: "local" }],
        }),
      );
      await opened.settle();
      const { title, components, updates } = await only();
      assert.deepEqual([title, components, updates.length], ["Part 1, Part 2 and 4 more are not available", [1, 2, 3, 4, 5, 6], 1]);
    });

    it("that began while nobody was there are opened at the start, and ended when it is over", async () => {
      await restart(() => (world.alerts = [anOutage(5)]));
      assert.equal((await only()).status, "investigating");
      await restart(() => (world.alerts = []));
      const over = await only();
      assert.equal(over.status, "resolved");
      await restart();
      assert.deepEqual(await only(), over);
      assert.deepEqual(
        world.notices.map(({ kind }) => kind),
        ["incident_opened", "incident_resolved"],
      );
    });

    it("wait until it is known which alerts are held back", async () => {
      world.settled = false;
      await opened.fire(anOutage(5));
      assert.deepEqual(await opened.listed(), []);
      world.settled = true;
      await clock.advance(1000);
      await until(async () => (await opened.listed()).length > 0, { what: "an incident, without another event" });
      assert.equal((await only()).title, "Checkout is not available");
    });

    it("that come back within minutes continue, and fill no mailbox; whoever was notified of the start is notified of the end", async () => {
      for (let alert = 1; alert <= 12; alert += 1) {
        await opened.fire(anOutage(alert));
        pass(1);
        await opened.clear(alert);
        pass(1);
      }
      const incident = await only();
      assert.equal(incident.updates.length, 24);
      assert.equal(messages(incident)[2], "investigating: The problem is back: Checkout is not available. We are looking into it.");
      assert.deepEqual(
        world.notices.map(({ kind }) => kind.replace("incident_", "")),
        ["opened", "resolved", "updated", "resolved", "updated", "resolved"],
      );
      pass(10);
      await opened.fire(anOutage(20));
      assert.equal((await opened.listed()).length, 2, "later it is another one");
    });

    it("survive the loss of their components", async () => {
      await opened.fire(anOutage(5));
      world.components = [];
      await opened.clear(5);
      const over = await only();
      assert.deepEqual([over.title, over.components], ["Checkout is not available", []]);
      assert.equal(over.updates[1]?.message, "The problem is resolved.");
    });

    it("report nothing as working again when it is not observed", async () => {
      await opened.fire(anOutage(5));
      world.components = world.components.map((each) => ({ ...each, status: "degraded", observed: false, healthy: false }));
      await opened.clear(5);
      assert.equal((await only()).updates[1]?.message, "The problem is resolved.");
    });

    it("report nothing as working again that does not", async () => {
      await opened.fire(anOutage(5));
      world.components = world.components.map((each) => ({ ...each, status: "major_outage", healthy: false }));
      await opened.clear(5);
      assert.equal((await only()).updates[1]?.message, "The problem is resolved.");
    });

    it("are not opened when too many are open, and are when there is room again", async () => {
      const store = createIncidentStore(database);
      const update = { id: 0, status: "investigating", message: "x", notified: false, at: noon, editedAt: null } as const;
      const whole = {
        id: 0,
        title: "x",
        severity: "minor",
        status: "investigating",
        components: [],
        impacts: new Map(),
        updates: [update],
      } as const;
      const times = { createdAt: noon, updatedAt: noon, resolvedAt: null };
      await store.write(async (tx) => {
        for (let count = 0; count < INCIDENT_BOUNDS.open; count += 1)
          await store.insert(tx, { ...whole, ...times, automatic: false, autoResolves: false });
      });
      await restart();
      await opened.fire(anOutage(5));
      await opened.settle();
      assert.equal(opened.log.lines.filter(({ level }) => level === "warn").length, 1, "logged once");
      const [first] = await opened.listed();
      await opened.routes.check("DELETE", `${ALL}/{id}`, { id: first?.id });
      await opened.settle();
      assert.equal((await opened.listed())[0]?.title, "Checkout is not available");
    });

    it("are tried again when they could not be saved", async () => {
      world.breakNotices = true;
      await opened.fire(anOutage(5));
      assert.deepEqual(await opened.listed(), []);
      assert.equal(opened.log.lines.filter(({ level }) => level === "error").length > 0, true);
      world.breakNotices = false;
      await opened.settle();
      assert.equal((await only()).updates.length, 1);
    });

    it("are not opened by two programs on one database", async () => {
      const other = await openIncidents(database, clock, world);
      const alert = anOutage(5);
      await Promise.all([opened.fire(alert), other.fire(alert)]);
      await other.settle();
      await opened.settle();
      assert.equal((await only()).updates.length, 1);
      await opened.clear(5);
      await other.settle();
      await other.settle();
      assert.deepEqual([(await only()).status, (await only()).updates.length], ["resolved", 2]);
      assert.deepEqual(
        other.incidents.current().map(({ status }) => status),
        ["resolved"],
        "and both know",
      );
      await other.stop();
    });

    it("end as the alerts do, whatever happened in between, and a further look changes nothing", async () => {
      let seed = 7;
      const pick = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
      const about = [
        { entity: { type: "container", id: "1" }, event: "down" },
        {
          source: "endpoint",
          entity: { type: "endpoint", id: "9" },
          event: "consecutive_failure",
          parents: [{ type: "container", id: "1" }],
        },
      ] as const;
      for (let turn = 1; turn <= 40; turn += 1) {
        const suppressedBy = ([null, null, "dependency", "silence"] as const)[pick(4)] ?? null;
        const severity = (["critical", "warning"] as const)[pick(2)] ?? "critical";
        if (pick(3) > 0) await opened.fire(anOutage(turn, { ...about[pick(2)], suppressedBy, severity }));
        const some = world.alerts[pick(4)];
        if (some !== undefined && pick(2) === 0) await opened.clear(some.id);
        if (pick(8) === 0) await restart();
        pass(pick(9));
        const count = opened.published().length;
        await opened.settle();
        assert.equal(opened.published().length, count, "a further look");
      }
      for (const { id } of world.alerts) await opened.clear(id);
      assert.deepEqual(await opened.listed({ state: "open" }), []);
      assert.deepEqual(
        opened.log.lines.filter(({ level }) => level === "error"),
        [],
      );
    });
  });
});
