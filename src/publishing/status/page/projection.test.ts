import assert from "node:assert/strict";
import { test } from "node:test";
import { aComponent, anIncident, aWork, NOW, SETTINGS } from "../../../../test/support/status-page.ts";
import type { Component } from "../vocabulary.ts";
import { eventsBetween } from "./changes.ts";
import { componentsOf, project, type Projection, type Sources } from "./projection.ts";
import { sentenceOf } from "./words.ts";

function projected(sources: Partial<Sources> & { components?: Sources["board"]["components"]; groups?: Sources["board"]["groups"] }) {
  const { components = [], groups = [], ...rest } = sources;
  return project({ settings: SETTINGS, board: { groups, components }, incidents: [], works: [], now: NOW, ...rest });
}

test("components without a group come first, empty groups are left out, each group has its status", () => {
  const { groups, status } = projected({
    groups: [
      { id: 1, name: "Shop" },
      { id: 2, name: "Empty" },
    ],
    components: [
      aComponent({ id: 1, groupId: 1, status: "major_outage" }),
      aComponent({ id: 2, groupId: 1 }),
      aComponent({ id: 3, groupId: null, status: "degraded" }),
      aComponent({ id: 4, groupId: 2, visible: false }),
    ],
  });
  assert.deepEqual(
    groups.map(({ id, status: of, components }) => [id, of, components.map((each) => each.id)]),
    [
      [null, "degraded", [3]],
      [1, "partial_outage", [1, 2]],
    ],
  );
  assert.equal(status, "partial_outage");
});

test("what is hidden or gone does not count, and is nowhere named", () => {
  const components = [aComponent({ id: 1 }), aComponent({ id: 2, visible: false, status: "major_outage", name: "Secret" })];
  const all = projected({
    components,
    incidents: [
      anIncident({ id: 1, components: [2] }),
      anIncident({ id: 2, components: [1, 2] }),
      anIncident({ id: 3, components: [], resolvedAt: NOW }),
      anIncident({ id: 4, components: [99] }),
    ],
    works: [
      aWork({ id: 1, components: [2] }),
      aWork({ id: 2, components: [1, 2] }),
      aWork({ id: 3, components: [] }),
      aWork({ id: 4, components: [99] }),
    ],
  });
  assert.equal(all.status, "operational");
  assert.deepEqual(
    componentsOf(all).map(({ id }) => id),
    [1],
  );
  assert.deepEqual(
    all.incidents.map(({ id, components: of }) => [id, of]),
    [
      [2, [1]],
      [3, []],
    ],
  );
  assert.deepEqual(
    all.works.map(({ id, components: of }) => [id, of]),
    [[2, [1]]],
  );
});

test("uptime is left out where it is not shown", () => {
  const [component] = componentsOf(projected({ settings: { ...SETTINGS, showUptime: false }, components: [aComponent({ id: 1 })] }));
  assert.deepEqual([component?.days, component?.uptime], [[], null]);
});

test("the state in a sentence", () => {
  const at = new Date("2026-11-21T04:04:00Z");
  const cases: [Sources["board"]["components"], string, affected: number][] = [
    [[], "Nothing is listed here yet.", 0],
    [[aComponent({ id: 1 })], "All services are operational.", 0],
    [[aComponent({ id: 1, name: "Checkout", status: "major_outage", since: at }), aComponent({ id: 2 })], "Checkout is down.", 1],
    [
      [
        aComponent({ id: 1, name: "A", status: "degraded" }),
        aComponent({ id: 2, name: "B", status: "degraded", since: at }),
        aComponent({ id: 3 }),
      ],
      "A and B are degraded.",
      2,
    ],
    [
      [1, 2, 3, 4].map((id) => aComponent({ id, status: id < 4 ? "maintenance" : "operational" })),
      "3 of 4 services are under maintenance.",
      3,
    ],
    [[1, 2].map((id) => aComponent({ id, status: "major_outage" })), "All services are down.", 2],
    [[withoutData(1, "A"), aComponent({ id: 2 })], "There is no data for A.", 1],
    [[withoutData(1, "A"), withoutData(2, "B"), aComponent({ id: 3 })], "There is no data for A and B.", 2],
    [[1, 2, 3].map((id) => withoutData(id, "A")), "There is no data for any service.", 3],
    [[...[1, 2, 3].map((id) => withoutData(id, "A")), aComponent({ id: 4 })], "There is no data for 3 of 4 services.", 3],
    [[withoutData(1, "A"), aComponent({ id: 2, name: "B", status: "degraded" })], "B is degraded.", 2],
    [[aComponent({ id: 1, name: "A", status: "partial_outage" }), aComponent({ id: 2, status: "degraded" })], "A is partly down.", 2],
  ];
  for (const [components, message, affected] of cases) {
    const sentence = sentenceOf(projected({ components }));
    assert.deepEqual([sentence.message, sentence.affected, sentence.total], [message, affected, components.length]);
  }
  const [, , down] = cases;
  assert.deepEqual(sentenceOf(projected({ components: down?.[0] ?? [] })).since, at);
});

test("a group and the page have no data when nothing but that is wrong with them", () => {
  const components = [
    { ...withoutData(1, "A"), groupId: 1 },
    { ...withoutData(2, "B"), groupId: 2 },
    aComponent({ id: 3, groupId: 2, status: "degraded" }),
    { ...withoutData(4, "D"), groupId: 3, status: "maintenance" as const },
  ];
  const groups = [1, 2, 3].map((id) => ({ id, name: `Group ${id}` }));
  const { status, observed, groups: shown } = projected({ groups, components: components.slice(0, 3) });
  assert.deepEqual([status, observed], ["degraded", true]);
  assert.deepEqual(
    shown.map((group) => [group.status, group.observed]),
    [
      ["degraded", false],
      ["degraded", true],
    ],
  );
  const alone = projected({ components: components.slice(0, 1).map((each) => ({ ...each, groupId: null })) });
  assert.deepEqual([alone.status, alone.observed], ["degraded", false]);
  const out = projected({ groups, components: components.slice(3) });
  assert.deepEqual([out.status, out.observed], ["maintenance", true]);
});

test("data that is missing, or is there again, is a change though the status is the same", () => {
  const [none, seen] = [withoutData(1, "A"), aComponent({ id: 1, name: "A", status: "degraded" })].map((each) =>
    projected({ components: [each] }),
  );
  assert.ok(none !== undefined && seen !== undefined);
  const events = (before: Projection, after: Projection) => eventsBetween(before, after).map(({ event, data }) => [event, data]);
  const about = {
    id: 1,
    name: "A",
    status: "degraded",
    previous_status: "degraded",
    since: seen.groups[0]?.components[0]?.since.toISOString(),
  };
  assert.deepEqual(events(none, seen), [["component.changed", { ...about, observed: true }]]);
  assert.deepEqual(events(seen, none), [["component.changed", { ...about, observed: false }]]);
  assert.deepEqual(events(none, none), []);
});

function withoutData(id: number, name: string): Component {
  return aComponent({ id, name, status: "degraded", observed: false, uptime: null });
}
