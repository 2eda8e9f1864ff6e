import assert from "node:assert/strict";
import { test } from "node:test";
import type { Thresholds } from "../../../../src/monitoring/resources/answers.ts";
import { containerRecord } from "../../entities/containers/record.fixture.ts";
import { thresholdRows } from "./threshold-rows.ts";

const LONG_AGO = { since: "2026-11-21T03:00:00.000Z", peak: 99 };
const JUST_NOW = { since: "2026-11-21T04:00:00.000Z", peak: 95 };

function thresholds(container_id: number, parts: Partial<Thresholds> = {}): Thresholds {
  return {
    ...{
      container_id,
      configured: true,
      source: { entity_type: "container" as const, entity_id: String(container_id) },
      inherits_from: null,
      cpu_threshold: 90,
      memory_threshold: 90,
      debounce_seconds: 60,
      cpu_breach: null,
      memory_breach: null,
    },
    ...parts,
  };
}

test("those that are exceeded come first, the latest on top, then all by name", () => {
  const names = ["zebra", "web", "db", "api"];
  const containers = names.map((name, index) => containerRecord({ id: index + 1, name }));
  const rows = thresholdRows(
    [
      thresholds(1),
      thresholds(2, { cpu_breach: LONG_AGO, memory_breach: JUST_NOW }),
      thresholds(3, { memory_breach: JUST_NOW }),
      thresholds(4),
      thresholds(99),
    ],
    [{ name: "shop", source: "compose", containers }],
  );
  assert.deepEqual(
    rows.map(({ container, exceededSince }) => [container.name, exceededSince]),
    [
      ["db", JUST_NOW.since],
      ["web", LONG_AGO.since],
      ["api", undefined],
      ["zebra", undefined],
    ],
  );
});

test("what was never set is not watched", () => {
  const groups = [{ name: "shop", source: "compose" as const, containers: [containerRecord()] }];
  assert.deepEqual(thresholdRows([thresholds(1, { configured: false })], groups), []);
});
