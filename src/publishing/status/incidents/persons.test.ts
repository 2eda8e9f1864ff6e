import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
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
  const say = async (id: number, body: object): Promise<void> => {
    const { status } = await opened.routes.ask("POST", `${ALL}/${id}/updates`, { message: "A person.", ...body });
    assert.equal(status, 201);
  };
  async function restart(): Promise<void> {
    await opened.stop();
    opened = await openIncidents(database, clock, world);
  }

  describe("automatic incidents and persons", () => {
    it("leave to a person what a person wrote, and end all the same", async () => {
      await opened.fire(anOutage(5, { severity: "warning" }));
      const { id } = await only();
      await say(id, { status: "identified" });
      const edit = await opened.routes.ask("PUT", `${ALL}/${id}`, { title: "We are on it", severity: "critical" });
      assert.equal(edit.body["automatic"], false);
      await opened.fire(anOutage(5));
      await opened.fire(anOutage(6, { event: "restart_loop" }));
      const mine = await only();
      assert.deepEqual([mine.title, mine.severity, mine.status, mine.updates.length], ["We are on it", "critical", "identified", 2]);
      await opened.clear(5);
      await opened.clear(6);
      const over = await only();
      assert.deepEqual([over.title, over.severity, over.status], ["We are on it", "critical", "resolved"]);
      assert.equal(over.updates.length, 3);
    });

    it("that a person ended are not opened again while the alert lasts, nor ended twice", async () => {
      await opened.fire(anOutage(5));
      const { id } = await only();
      await say(id, { status: "resolved" });
      await opened.fire(anOutage(5));
      await restart();
      assert.equal((await only()).updates.length, 2);
      await opened.clear(5);
      assert.equal((await only()).updates.length, 2);
    });

    it("that a person opened again while the alert lasts end with it", async () => {
      await opened.fire(anOutage(5));
      const { id } = await only();
      await say(id, { status: "resolved" });
      await say(id, { status: "monitoring" });
      await opened.clear(5);
      assert.equal((await only()).status, "resolved");
    });

    it("that a person opened again after they ended are ended by persons alone", async () => {
      await opened.fire(anOutage(5));
      await opened.clear(5);
      const { id } = await only();
      await say(id, { status: "monitoring" });
      await opened.fire(anOutage(6));
      await opened.clear(6);
      await restart();
      const mine = await only();
      assert.deepEqual([mine.status, mine.updates.length], ["monitoring", 3], "and the further alert opened no other");
    });

    it("that were deleted stay deleted, as long as their alert lasts", async () => {
      await opened.fire(anOutage(5));
      const { id } = await only();
      assert.equal((await opened.routes.ask("DELETE", `${ALL}/${id}`)).status, 204);
      await opened.fire(anOutage(5));
      await restart();
      await opened.settle();
      assert.deepEqual(await opened.listed(), []);
      await opened.clear(5);
      assert.deepEqual(await opened.listed(), []);
      pass(60);
      await opened.fire(anOutage(6));
      assert.equal((await only()).title, "Checkout is not available", "another one is another one");
    });

    it("are not opened beside what a person writes about the same, unless it is worse", async () => {
      const body = { title: "Checkout fails", severity: "major", message: "x", components: [1, 3] };
      const { id } = (await opened.routes.check("POST", ALL, {}, body)) as IncidentRecord;
      await opened.fire(anOutage(5));
      assert.equal((await only()).updates.length, 1);
      await say(id, { status: "resolved" });
      await opened.settle();
      assert.equal((await only()).updates.length, 2, "nor after it was resolved");
      await opened.clear(5);
      const mild = (await opened.routes.check("POST", ALL, {}, { ...body, severity: "minor" })) as IncidentRecord;
      await opened.fire(anOutage(6));
      assert.deepEqual((await opened.listed({ state: "open" })).map(({ title }) => title).toSorted(), [
        "Checkout fails",
        "Checkout is not available",
      ]);
      await opened.clear(6);
      assert.deepEqual(
        (await opened.listed({ state: "open" })).map((each) => each.id),
        [mild.id],
      );
    });
  });
});
