import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { clusterEvent } from "../../../test/support/kubernetes-topology.ts";
import { callTool } from "../../../test/support/tools.ts";
import { watchClusters } from "../../../test/support/watched-clusters.ts";

const COUNT = 1203;

onBothDatabases((databases) => {
  const w = watchClusters(databases);

  it("shows assistants all events of a cluster, page by page", async () => {
    const events = Array.from({ length: COUNT }, (_, index) =>
      clusterEvent({ name: `web-${index}`, message: `m-${index}`, lastAt: new Date(Date.UTC(2026, 2, 1, 10, 0, index)) }),
    );
    await w.show({ events });
    const tools = await w.server.kubernetes.tools();
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await callTool(tools, "list_kubernetes_events", { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      assert.equal(page["total"], COUNT);
      seen.push(...(page["events"] as { message: string }[]).map(({ message }) => message));
      cursor = page["next_cursor"] ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(seen, events.map(({ message }) => message).toReversed());
    const found = await callTool(tools, "list_kubernetes_events", { search: "M-120", limit: 2 });
    assert.deepEqual([found["total"], (found["events"] as object[]).length, found["next_cursor"] === null], [4, 2, false]);
    await assert.rejects(callTool(tools, "list_kubernetes_events", { cursor: "after-50" }), { code: "unusable_values" });
  });
});
