import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anAlert } from "../../../test/support/routing.ts";
import type { Alert, Entity } from "../vocabulary.ts";
import { subjectsOf } from "../scope.ts";
import type { MaintenanceUpdate, WindowStatus } from "./api.ts";
import { covers, type MaintenanceWindow, plannedStatus, readPlan, statusChange, windowStatus } from "./maintenance-window.ts";

const now = new Date("2026-03-01T12:00:00Z");
const groupOf = (id: number): string | undefined => (id === 42 ? "shop" : undefined);
const at = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const agent = "1f0e3dad-9990-4f4b-8d5a-0123456789ab";

function aWindow(change: Partial<MaintenanceWindow> = {}): MaintenanceWindow {
  return {
    id: 1,
    title: "disk swap",
    description: "",
    startsAt: at(-10),
    endsAt: at(10),
    components: [],
    entities: [{ type: "container", id: "42" }],
    createdAt: at(-60),
    updatedAt: at(-60),
    published: "scheduled",
    ...change,
  };
}

describe("a maintenance window covers", () => {
  const container = { type: "container", id: "42" };
  const endpoint = anAlert({
    source: "endpoint",
    entity: { type: "endpoint", id: "7" },
    parents: [container, { type: "agent", id: "local" }],
  });
  const cases: [what: string, entities: Entity[], components: Entity[], alert: Alert, covered: boolean][] = [
    ["what it names", [container], [], anAlert(), true],
    ["nothing of another id", [{ type: "container", id: "4" }], [], anAlert(), false],
    ["nothing of another kind", [{ type: "endpoint", id: "42" }], [], anAlert(), false],
    ["what depends on what it names", [container], [], endpoint, true],
    ["nothing that what it names depends on", [{ type: "endpoint", id: "7" }], [], anAlert(), false],
    ["what its components stand for", [], [container], endpoint, true],
    ["all of this host", [{ type: "agent", id: "local" }], [], anAlert(), true],
    ["all of another host", [{ type: "agent", id: agent }], [], anAlert({ agentId: agent }), true],
    ["nothing of another host", [{ type: "agent", id: "local" }], [], anAlert({ agentId: agent }), false],
    ["all of a group", [{ type: "group", id: "shop" }], [], anAlert(), true],
    ["what depends on a container of a group", [{ type: "group", id: "shop" }], [], endpoint, true],
    ["nothing of another group", [{ type: "group", id: "Shop" }], [], anAlert(), false],
    ["nothing when it names nothing that is there", [], [], anAlert(), false],
  ];
  for (const [what, entities, components, alert, covered] of cases) {
    it(what, () => assert.equal(covers(aWindow({ entities }), components, [...subjectsOf(alert, groupOf), ...alert.parents]), covered));
  }
});

describe("the status of a maintenance window", () => {
  it("follows the clock, and never back", () => {
    assert.deepEqual(
      [at(-11), at(-10), at(9), at(10)].map((time) => windowStatus(aWindow(), time)),
      ["scheduled", "active", "active", "ended"],
    );
    assert.equal(windowStatus(aWindow({ published: "ended" }), at(0)), "ended");
    assert.equal(windowStatus(aWindow({ published: "active" }), at(-20)), "active");
  });

  const changes: [before: WindowStatus | undefined, after: WindowStatus | undefined, change: string | undefined][] = [
    [undefined, "scheduled", undefined],
    [undefined, "active", "started"],
    ["scheduled", "scheduled", undefined],
    ["scheduled", "active", "started"],
    ["scheduled", "ended", "ended"],
    ["scheduled", undefined, undefined],
    ["active", "active", undefined],
    ["active", "scheduled", "ended"],
    ["active", "ended", "ended"],
    ["active", undefined, "ended"],
    ["ended", "scheduled", undefined],
    ["ended", "active", "started"],
    ["ended", undefined, undefined],
  ];
  for (const [before, after, change] of changes) {
    it(`from ${before ?? "nothing"} to ${after ?? "nothing"} publishes ${change ?? "nothing"}`, () => {
      assert.equal(statusChange(before, after), change);
    });
  }
});

describe("a change of a maintenance window", () => {
  const iso = (minutes: number): string => at(minutes).toISOString();
  const cases: [what: string, current: MaintenanceWindow, body: MaintenanceUpdate, paths: string[], status: WindowStatus][] = [
    ["of the title of a running one", aWindow(), { title: "x" }, [], "active"],
    ["of the title of one that is over", aWindow({ endsAt: at(-5), published: "ended" }), { title: "x" }, [], "ended"],
    [
      "that sends the times of one that is over back",
      aWindow({ endsAt: at(-5), published: "ended" }),
      { starts_at: iso(-10), ends_at: iso(-5) },
      [],
      "ended",
    ],
    ["that ends a running one", aWindow(), { ends_at: iso(-1) }, [], "ended"],
    ["that ends a running one before it began", aWindow(), { ends_at: iso(-11) }, ["ends_at"], "ended"],
    ["that ends a future one in the past", aWindow({ startsAt: at(5) }), { ends_at: iso(-1) }, ["ends_at"], "ended"],
    ["that puts off a running one", aWindow(), { starts_at: iso(5) }, [], "scheduled"],
    ["that puts off its start behind its end", aWindow(), { starts_at: iso(15) }, ["ends_at"], "scheduled"],
    [
      "that plans one that is over again",
      aWindow({ endsAt: at(-5), published: "ended" }),
      { starts_at: iso(5), ends_at: iso(6) },
      [],
      "scheduled",
    ],
    [
      "that lets one that is over end in the past again",
      aWindow({ endsAt: at(-5), published: "ended" }),
      { ends_at: iso(-4) },
      ["ends_at"],
      "ended",
    ],
    ["that takes all it covers away", aWindow(), { entities: [] }, ["entities"], "active"],
    ["that covers components instead", aWindow(), { entities: [], components: [3, 3] }, [], "active"],
  ];
  for (const [what, current, body, paths, status] of cases) {
    it(`${what} ${paths.length === 0 ? "is fine" : "is refused"}`, () => {
      const { plan, faults } = readPlan(body, current, now);
      assert.deepEqual(
        faults.map(({ path }) => path),
        paths,
      );
      if (paths.length === 0) assert.equal(plannedStatus(plan, now), status);
    });
  }

  it("ends a running one now, not when it was planned to end", () => {
    assert.deepEqual(readPlan({ ends_at: iso(-1) }, aWindow(), now).plan.endsAt, now);
  });

  it("keeps what it leaves out, and names everything once", () => {
    const current = aWindow({ description: "why", components: [1] });
    const entity = { entity_type: "endpoint", entity_id: "7" };
    const { plan } = readPlan({ title: "x", entities: [entity, entity] }, current, now);
    const { startsAt, endsAt, description, components } = current;
    assert.deepEqual(plan, { title: "x", description, startsAt, endsAt, components, entities: [{ type: "endpoint", id: "7" }] });
  });
});
