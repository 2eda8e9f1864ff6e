import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { aComponent, anIncident, aWork, NOW, SETTINGS, days } from "../../../../test/support/status-page.ts";
import { type Incident, type PlannedWork, COMPONENT_STATUSES, type ComponentStatus } from "../vocabulary.ts";
import { renderParts, barsHtml } from "./parts.ts";
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

const worst = fc.array(fc.constantFrom<ComponentStatus | null>(...COMPONENT_STATUSES, null), { minLength: 90, maxLength: 90 });

/** Which days the strokes of a strip cover, by status. */
function covered(html: string): Map<string, Set<number>> {
  const paths = [...html.matchAll(/<path class="(\w+)" d="([^"]+)"\/>/g)];
  return new Map(
    paths.map(([, status = "", d = ""]) => [
      status,
      new Set(
        [...d.matchAll(/M(\d+) [\d.]+h(\d+)/g)].flatMap(([, x, width]) =>
          Array.from({ length: (Number(width) + 1) / 4 }, (_, at) => Number(x) / 4 + at),
        ),
      ),
    ]),
  );
}

test("every day has its bar, under its own status alone, in a bounded number of bytes", () => {
  fc.assert(
    fc.property(worst, (statuses) => {
      const strip = barsHtml({ days: days(Object.fromEntries(statuses.map((status, at) => [89 - at, status]))), uptime: 0.9 });
      const expected = Map.groupBy(statuses.keys(), (at) => statuses[at] ?? "unknown");
      assert.deepEqual(
        new Map([...covered(strip)].map(([status, at]) => [status, [...at].sort((a, b) => a - b)])),
        new Map([...expected].map(([status, at]) => [status, [...at]])),
      );
      assert.ok(strip.length < 3500, `${strip.length} bytes`);
    }),
    { numRuns: 100 },
  );
});

test("a strip is described in words, the latest trouble first", () => {
  const strip = barsHtml({ days: days({ 0: "major_outage", 12: "degraded", 89: null }), uptime: 0.998199 });
  assert.match(strip, /role="img" aria-label="Last 90 days: 99\.81 % uptime\. 21 Nov: major outage, 14 minutes out\. 9 Nov: degraded\."/);
  assert.match(barsHtml({ days: days(), uptime: 1 }), /aria-label="Last 90 days: 100 % uptime\. No outages\."/);
  assert.match(
    barsHtml({
      days: days(
        Object.fromEntries(
          days()
            .keys()
            .map((at) => [at, null]),
        ),
      ),
      uptime: null,
    }),
    /uptime unknown/,
  );
});

test("without days there is no strip", () => {
  assert.equal(barsHtml({ days: [], uptime: null }), "");
});
