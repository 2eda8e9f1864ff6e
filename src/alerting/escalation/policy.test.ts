import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, overlapsOf, type Policy, restore, suspend } from "./policy.ts";

const noon = new Date("2026-03-01T12:00:00Z");

function policyOf(fields: Partial<Policy> = {}): Policy {
  return {
    id: 1,
    name: "Nights",
    active: true,
    activeBefore: null,
    filters: { severities: [], tags: [] },
    levels: [{ delaySeconds: 0, channelIds: [1, 2] }],
    createdAt: noon,
    updatedAt: noon,
    ...fields,
  };
}

const cases: [severities: Policy["filters"]["severities"], tags: string[], alertTags: string[], matched: boolean][] = [
  [[], [], [], true],
  [["critical"], [], [], true],
  [["warning", "info"], [], [], false],
  [[], ["db"], ["web", "db"], true],
  [[], ["db"], ["DB"], true],
  [[], ["Db"], ["db"], true],
  [[], ["db"], [], false],
  [["critical"], ["a", "b"], ["b"], true],
  [["warning"], ["b"], ["b"], false],
];
for (const [severities, tags, alertTags, matched] of cases) {
  test(`severities ${severities.join()} and tags ${tags.join()} ${matched ? "match" : "do not match"} a critical alert with ${alertTags.join()}`, () => {
    assert.equal(matches({ severities, tags }, { severity: "critical", tags: alertTags }), matched);
  });
}

test("policies overlap where one alert may start both", () => {
  const plan = {
    filters: { severities: ["critical" as const, "info" as const], tags: ["db", "web"] },
    levels: [{ delaySeconds: 5, channelIds: [2, 9] }],
  };
  const others = [
    policyOf({ id: 1 }),
    policyOf({ id: 2, active: false }),
    policyOf({ id: 3, filters: { severities: ["warning"], tags: [] } }),
    policyOf({ id: 4, filters: { severities: ["info"], tags: ["WEB"] }, levels: [{ delaySeconds: 1, channelIds: [7] }] }),
    policyOf({ id: 5, filters: { severities: [], tags: ["cache"] } }),
  ];
  assert.deepEqual(
    overlapsOf(plan, others).map(({ policy, ...shared }) => [policy.id, shared]),
    [
      [1, { sharedSeverities: ["critical", "info"], sharedTags: ["db", "web"], sharedChannels: [2] }],
      [4, { sharedSeverities: ["info"], sharedTags: ["web"], sharedChannels: [] }],
    ],
  );
});

test("a suspended policy is restored to what it was, however often it is suspended", () => {
  for (const active of [true, false]) {
    const before = policyOf({ active });
    const suspended = suspend(suspend(before));
    assert.equal(suspended.active, false);
    assert.deepEqual(restore(suspended), before);
    assert.deepEqual(restore(before), before);
  }
});
