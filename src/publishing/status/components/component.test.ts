import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { COMPONENT_STATUSES, type ComponentStatus, IMPACTS } from "../vocabulary.ts";
import { inPageOrder, orderFaults } from "./arrangement.ts";
import {
  countedStatus,
  differs,
  isWithoutData,
  type Look,
  mayHaveSuccessor,
  type SavedComponent,
  saysNew,
  stateAfter,
} from "./component.ts";
import { isWorkedOn, runningWorks } from "./derivation.ts";

const then = new Date("2026-03-01T11:00:00Z");
const now = new Date("2026-03-01T12:00:00Z");

function saved(facts: Partial<SavedComponent> = {}): SavedComponent {
  return {
    id: 1,
    groupId: null,
    name: "Shop",
    description: "",
    monitor: { type: "container", id: 7 },
    sortOrder: 0,
    visible: true,
    statusOverride: null,
    autoIncident: false,
    monitorName: "web",
    agentId: null,
    monitorStatus: "operational",
    lastObservedAt: now,
    observed: true,
    impact: null,
    needsAttention: false,
    status: "operational",
    since: then,
    createdAt: then,
    updatedAt: then,
    ...facts,
  };
}

function looks(facts: Partial<Look> = {}): Look {
  return { name: "web", agentId: null, status: "operational", lastObservedAt: now, entities: [], ...facts };
}

describe("what becomes of a component", () => {
  const status = fc.constantFrom(...COMPONENT_STATUSES);

  it("is its override, else maintenance, else what its monitor reports, else what that reported last", () => {
    const given = fc.record({
      override: fc.option(status),
      monitor: fc.option(status),
      last: status,
      before: status,
      inMaintenance: fc.boolean(),
    });
    fc.assert(
      fc.property(given, ({ override, monitor, last, before, inMaintenance }) => {
        const component = saved({ statusOverride: override, monitorStatus: last, status: before });
        const look = monitor === null ? undefined : looks({ status: monitor });
        const work = inMaintenance ? ("maintenance" as const) : null;
        const facts = { look, isGone: look === undefined, inMaintenance: work, impact: null, now };
        const state = stateAfter(component, facts);
        assert.equal(state.status, override ?? (inMaintenance ? "maintenance" : (monitor ?? last)));
        assert.equal(state.monitorStatus, monitor ?? last);
        assert.equal(state.needsAttention, monitor === null);
        assert.equal(state.since, state.status === before ? then : now);
        assert.ok(!differs(state, stateAfter({ ...component, ...state }, facts)), "it settles at once");
      }),
    );
  });

  it("is never better than the impact of an open incident, unless it is overridden; it counts as seen", () => {
    const given = fc.record({
      override: fc.option(status),
      monitor: status,
      impact: fc.constantFrom(...IMPACTS),
      inMaintenance: fc.boolean(),
    });
    fc.assert(
      fc.property(given, ({ override, monitor, impact, inMaintenance }) => {
        const component = saved({ statusOverride: override });
        const work = inMaintenance ? ("maintenance" as const) : null;
        const facts = { look: looks({ status: monitor }), isGone: false, inMaintenance: work, now };
        const without = stateAfter(component, { ...facts, impact: null });
        const state = stateAfter(component, { ...facts, impact });
        const rank = (of: ComponentStatus): number => COMPONENT_STATUSES.indexOf(of);
        const stands = override !== null && override !== "operational";
        assert.equal(rank(state.status), stands ? rank(override) : Math.min(rank(without.status), rank(impact)));
      }),
    );
    const longAgo = new Date(now.getTime() - 3_600_000);
    const unseen = { look: looks({ lastObservedAt: longAgo }), isGone: false, inMaintenance: null, now };
    const component = saved({ lastObservedAt: longAgo });
    const before = { ...component, ...stateAfter(component, { ...unseen, impact: null }) };
    assert.ok(isWithoutData(before));
    const after = { ...before, ...stateAfter(before, { ...unseen, impact: "degraded" }) };
    assert.ok(!isWithoutData(after), "its override is degraded");
    assert.ok(differs(before, after));
    assert.equal(countedStatus(after), "degraded");
  });

  it("follows the name of its monitor, but not to the one it gets while another takes its place", () => {
    const after = (name: string) =>
      stateAfter(saved(), { look: looks({ name }), isGone: false, inMaintenance: null, impact: null, now }).monitorName;
    assert.equal(after("shop"), "shop");
    assert.equal(after("0123456789ab_web"), "web");
    assert.equal(after("0123456789AB_web"), "0123456789AB_web");
    assert.equal(after("0123456789ab_web2"), "0123456789ab_web2");
    assert.ok(mayHaveSuccessor(saved(), undefined));
    assert.ok(mayHaveSuccessor(saved(), looks({ name: "0123456789ab_web" })));
    assert.ok(!mayHaveSuccessor(saved(), looks()));
    assert.ok(!mayHaveSuccessor(saved(), looks({ name: "shop" })));
  });

  it("can be seen at a first glance whenever its monitor makes something else of it", () => {
    assert.ok(!saysNew(saved(), looks()));
    assert.ok(saysNew(saved(), undefined));
    assert.ok(!saysNew(saved({ needsAttention: true }), undefined));
    assert.ok(saysNew(saved({ needsAttention: true }), looks()));
    for (const facts of [{ status: "degraded" }, { name: "shop" }, { agentId: "x" }] as const) assert.ok(saysNew(saved(), looks(facts)));
  });
});

describe("running maintenance", () => {
  const window = (facts: Partial<MaintenanceRecord>): MaintenanceRecord => ({
    id: 1,
    title: "disk swap",
    description: "",
    starts_at: then.toISOString(),
    ends_at: new Date("2026-03-01T13:00:00Z").toISOString(),
    components: [],
    entities: [],
    status: "scheduled",
    created_at: then.toISOString(),
    updated_at: then.toISOString(),
    ...facts,
  });
  const container = { type: "container", id: "7" };
  const isCovered = (...windows: MaintenanceRecord[]): boolean =>
    isWorkedOn(runningWorks(windows, now), 1, [container, { type: "agent", id: "local" }]);

  it("covers what it names: the component, its monitor, what that depends on", () => {
    assert.ok(isCovered(window({ components: [5, 1] })));
    assert.ok(isCovered(window({ entities: [{ entity_type: "container", entity_id: "7" }] })));
    assert.ok(isCovered(window({ entities: [{ entity_type: "agent", entity_id: "local" }] })));
    assert.ok(!isCovered(window({ components: [7] })));
    assert.ok(!isCovered(window({ entities: [{ entity_type: "endpoint", entity_id: "7" }] })));
    assert.ok(!isCovered());
  });

  it("runs from its start until before its end, unless it was ended", () => {
    assert.ok(isCovered(window({ components: [1], starts_at: now.toISOString() })));
    assert.ok(!isCovered(window({ components: [1], ends_at: now.toISOString() })));
    assert.ok(!isCovered(window({ components: [1], status: "ended" })));
    assert.ok(isCovered(window({ components: [1], ends_at: now.toISOString() }), window({ components: [1] })), "another lasts on");
  });
});

describe("the order of the page", () => {
  it("has components without a group first, then those of each group", () => {
    const groups = [4, 2].map((id, sortOrder) => ({ id, name: "", sortOrder, createdAt: then, updatedAt: then }));
    const placed = (id: number, groupId: number | null, sortOrder: number) => saved({ id, groupId, sortOrder });
    const all = [placed(1, 2, 0), placed(2, 4, 9), placed(3, 4, 8), placed(4, null, 99), placed(5, 4, 8)];
    assert.deepEqual(
      inPageOrder(groups, all).map(({ id }) => id),
      [4, 3, 5, 2, 1],
    );
  });

  it("names each group and each component once", () => {
    const order = (groups: number[], components: [number, number | null][]) =>
      orderFaults({ groups, components: components.map(([id, group_id]) => ({ id, group_id })) }, [1, 2], [3, 4]).map(({ path }) => path);
    assert.deepEqual(order([2, 1], [[4, 1], [3, null]]), []); // prettier-ignore
    assert.deepEqual(order([2], [[4, 1], [3, null]]), ["groups"]); // prettier-ignore
    assert.deepEqual(order([1, 2, 2], [[4, 1], [4, 7], [9, null]]), ["groups.2", "components.1.id", "components.2.id", "components", "components.1.group_id"]); // prettier-ignore
  });
});
