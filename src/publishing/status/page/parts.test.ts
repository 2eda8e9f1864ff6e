import assert from "node:assert/strict";
import { test } from "node:test";
import { aComponent, anIncident, aWork, NOW, SETTINGS } from "../../../../test/support/status-page.ts";
import type { Incident, PlannedWork } from "../vocabulary.ts";
import { renderParts } from "./parts.ts";
import { project } from "./projection.ts";

function section(name: string, { incidents = [], works = [] }: { incidents?: Incident[]; works?: PlannedWork[] }): string {
  const board = { groups: [], components: [aComponent({ id: 1 })] };
  const html = renderParts(project({ settings: SETTINGS, board, incidents, works, now: NOW }), NOW).sections.get(name);
  assert.ok(html !== undefined);
  return html;
}

const many = <Each>(count: number, make: (id: number) => Each): Each[] => Array.from({ length: count }, (_, index) => make(index + 1));
const items = (html: string): number => [...html.matchAll(/class="item"><h[34]>/g)].length;
const open = (id: number): Incident => anIncident({ id, components: [1] });
const over = (id: number): Incident => anIncident({ id, components: [1], status: "resolved", resolvedAt: NOW });
const planned = (id: number): PlannedWork => aWork({ id, components: [1] });

test("ten open incidents are on the page, and a link to the others", () => {
  const ten = section("incidents", { incidents: many(10, open) });
  assert.equal(items(ten), 10);
  assert.doesNotMatch(ten, /more open/);
  const eleven = section("incidents", { incidents: many(11, open) });
  assert.equal(items(eleven), 10);
  assert.match(eleven, /href="\/status\/history">1 more open incident</);
  assert.match(section("incidents", { incidents: many(12, open) }), />2 more open incidents</);
});

test("twenty past incidents are on the page, and a link to all of the month", () => {
  const twenty = section("past", { incidents: many(20, over) });
  assert.equal(items(twenty), 20);
  assert.doesNotMatch(twenty, /All incidents/);
  const more = section("past", { incidents: many(21, over) });
  assert.equal(items(more), 20);
  assert.match(more, /href="\/status\/history">All incidents of this month</);
});

test("ten works to come are on the page", () => {
  assert.equal(items(section("work", { works: many(10, planned) })), 10);
  assert.equal(items(section("work", { works: many(11, planned) })), 10);
});
