import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { days } from "../../../../test/support/status-page.ts";
import { COMPONENT_STATUSES, type ComponentStatus } from "../vocabulary.ts";
import { barsHtml } from "./bars.ts";

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

test("a strip is told in words, the latest trouble first", () => {
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
