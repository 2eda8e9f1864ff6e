import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchGap } from "../../../../src/monitoring/logs/answers.ts";
import { groupGaps } from "./gap-groups.ts";

const gap = (id: number, message: string): SearchGap => ({
  container_id: id,
  container_name: `web-${id}`,
  agent_id: null,
  reason: "too_many_containers",
  message,
  searched_since: null,
});

test("each reason is listed once, with how many logs it is about", () => {
  const grouped = (gaps: SearchGap[], total = gaps.length): [string, number, number | undefined][] =>
    groupGaps(gaps, total).map(({ message, gaps: each, count }) => [message, each.length, count]);
  assert.deepEqual(grouped([gap(1, "a"), gap(2, "b"), gap(3, "a")]), [
    ["a", 2, 2],
    ["b", 1, 1],
  ]);
  assert.deepEqual(grouped([gap(1, "a"), gap(2, "a")], 500), [["a", 2, 500]]);
  assert.deepEqual(grouped([gap(1, "a"), gap(2, "b")], 500), [
    ["a", 1, undefined],
    ["b", 1, undefined],
  ]);
});
