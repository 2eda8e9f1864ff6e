import assert from "node:assert/strict";
import { test } from "node:test";
import { listItems, nextRow } from "./items.ts";
import { containerRecord } from "../../entities/containers/record.fixture.ts";

const AGENT = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";
const items = listItems([
  {
    name: "shop",
    source: "compose",
    containers: [
      containerRecord({ id: 1 }),
      containerRecord({ id: 2, agent_id: AGENT, health: "unhealthy" }),
      containerRecord({ id: 3, state: "exited", exit_code: 1 }),
    ],
  },
]);

test("a group that spans hosts is told once for each, with what needs attention there", () => {
  assert.deepEqual(
    items.map((item) => (item.kind === "group" ? [item.host, item.count, item.attention, item.worst] : item.container.id)),
    [["local", 2, 1, "down"], 1, 3, [AGENT, 1, 1, "degraded"], 2],
  );
  assert.equal(new Set(items.map(({ key }) => key)).size, items.length);
});

test("rows are walked past the heads of groups, and no further than the list goes", () => {
  assert.equal(nextRow(items, 0, 1), 1);
  assert.equal(nextRow(items, 2, 1), 4);
  assert.equal(nextRow(items, 4, -1), 2);
  assert.equal(nextRow(items, 4, 1), 4);
  assert.equal(nextRow(items, 1, -1), 1);
  assert.equal(nextRow(items, items.length, -1), 4);
});
