import assert from "node:assert/strict";
import { test } from "node:test";
import { listItems } from "./items.ts";
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

test("a group that spans hosts is listed once for each, with what needs attention there", () => {
  assert.deepEqual(
    items.map((item) => (item.kind === "group" ? [item.host, item.count, item.attention, item.worst] : item.container.id)),
    [["local", 2, 1, "down"], 1, 3, [AGENT, 1, 1, "degraded"], 2],
  );
  assert.equal(new Set(items.map(({ key }) => key)).size, items.length);
});
