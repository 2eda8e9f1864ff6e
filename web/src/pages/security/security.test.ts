import assert from "node:assert/strict";
import { it } from "node:test";
import { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "../../../../src/contract/security.ts";
import { readDraft } from "../../entities/security/draft.ts";
import { askedFor, isNarrowed, pagesOf, securityFilter } from "./filter.ts";
import type { Grouping } from "../../entities/security/grouping.ts";
import { groupFindings } from "../../entities/security/groups.ts";
import { insightRecord } from "../../entities/security/record.fixture.ts";
import { dayBars } from "./day-bars.ts";
import {
  countWords,
  FINDING_SEVERITY_WORDS,
  gainWords,
  noStepsWords,
  summaryWords,
  TYPE_WORDS,
  type FindingType,
} from "../../entities/security/words.ts";

it("reads of an address what it knows", () => {
  assert.deepEqual(securityFilter({ severity: "high", type: "privileged_container", acknowledged: "no" }), {
    severity: "high",
    type: "privileged_container",
    acknowledged: "no",
    sort: undefined,
    order: undefined,
    group: undefined,
  });
  const sorted = securityFilter({ sort: "name", order: "desc", group: "type" });
  assert.deepEqual([sorted.sort, sorted.order, sorted.group, isNarrowed(sorted)], ["name", "desc", "type", false]);
  const nothing = securityFilter({ severity: "low", type: "x", acknowledged: "maybe", sort: "risk", order: "up", group: "host" });
  assert.deepEqual(new Set(Object.values(nothing)), new Set([undefined]));
  assert.equal(isNarrowed(nothing), false);
  const asked = { severity: undefined, type: undefined, acknowledged: false, agent_id: "local" };
  assert.deepEqual(askedFor({ acknowledged: "no" }, "local"), { ...asked, sort: undefined, order: undefined });
  assert.deepEqual(askedFor({ acknowledged: "no", sort: "since" }, "local"), { ...asked, sort: "since", order: "desc" });
  assert.deepEqual([pagesOf({}), pagesOf({ group: "image" })], ["some", "all"]);
});

it("filters by everything that has a word", () => {
  assert.deepEqual(INSIGHT_TYPES, Object.keys(TYPE_WORDS));
  assert.deepEqual(INSIGHT_SEVERITIES, Object.keys(FINDING_SEVERITY_WORDS));
});

it("describes gains and counts in words", () => {
  assert.deepEqual([12.4, 9.96, 3.44, 0.05, 0].map(gainWords), ["+12", "+10", "+3.4", "+0.1", "under +0.1"]);
  assert.deepEqual(
    [
      { total: 0, acknowledged: 0 },
      { total: 1, acknowledged: 0 },
      { total: 5, acknowledged: 2 },
      { total: 2, acknowledged: 2 },
    ].map(summaryWords),
    ["no findings", "1 finding", "5 findings, 2 acknowledged", "2 findings, all acknowledged"],
  );
});

it("names what counts, and why there is nothing to do", () => {
  const category = (name: "network" | "updates", findings: number) => ({ name, findings, score: 100, weight: 25 });
  assert.deepEqual([category("network", 0), category("network", 1), category("updates", 1), category("updates", 3)].map(countWords), [
    "no findings",
    "1 finding",
    "1 problem",
    "3 problems",
  ]);
  assert.match(noStepsWords([category("network", 0), category("updates", 0)]), /^Nothing to do: every/);
  assert.match(noStepsWords([category("network", 0), category("updates", 2)]), /without a newer version/);
});

it("asks for a name and a reason", () => {
  const finding = { container_id: 3, type: "privileged_container", finding_key: "" } as const;
  assert.deepEqual(Object.keys((readDraft([finding])({ by: " ", reason: "" }) as { faults: object }).faults), [
    "acknowledged_by",
    "reason",
  ]);
  const second = { ...finding, container_id: 4 };
  assert.deepEqual(readDraft([finding, second])({ by: " Ada ", reason: "VPN" }), {
    body: {
      findings: [3, 4].map((id) => ({ container_id: id, finding_type: "privileged_container", finding_key: "" })),
      acknowledged_by: "Ada",
      reason: "VPN",
    },
  });
});

it("puts days in their places, and leaves those out of which nothing is known", () => {
  const day = (date: string, score: number) => ({ date, score, containers: 1, critical: 0, high: 0, medium: 0, acknowledged: 0 });
  const bars = dayBars([day("2026-03-01", 40), day("2026-03-04", 90)], 5);
  assert.deepEqual(
    bars.map((bar) => bar?.score ?? null),
    [null, 40, null, null, 90],
  );
  assert.deepEqual(dayBars([], 5), []);
});

it("puts findings into groups, in the order of the first of each", () => {
  const of = (container_id: number, type: FindingType, image: string) =>
    insightRecord({ container_id, type, image, container_name: `web-${container_id}` });
  const insights = [
    of(2, "privileged_container", "web:1"),
    of(1, "latest_tag", "cache"),
    of(2, "latest_tag", "web:1"),
    of(3, "latest_tag", "web:1"),
  ];
  const grouped = (by: Grouping) => groupFindings(insights, by).map(({ name, insights: { length } }) => `${name} ${length}`);
  assert.deepEqual(grouped("container"), ["web-2 2", "web-1 1", "web-3 1"]);
  assert.deepEqual(grouped("type"), ["Privileged 1", "Latest tag 3"]);
  assert.deepEqual(grouped("image"), ["web:1 3", "cache 1"]);
});
