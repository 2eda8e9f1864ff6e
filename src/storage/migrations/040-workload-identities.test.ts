import assert from "node:assert/strict";
import { it } from "node:test";
import { onEarlierDatabases, type Row } from "../../../test/support/earlier-database.ts";

const container = (id: number, name: string, facts: Row = {}): Row => ({
  ...{
    id,
    agent_id: null,
    external_id: `x${id}`,
    name,
    image: "shop/web:1",
    state: "running",
    stop_requested: 0,
    identity: `name:${name}`,
  },
  ...{
    oom_killed: 0,
    group_name: "shop",
    group_source: "namespace",
    is_ignored: 0,
    restart_count: 0,
    restart_threshold: 3,
    restarts: "[]",
  },
  ...{ alert_severity: "warning", alert_channels: "[]", alert_tags: "[]", label_errors: "[]", ports: "[]", privileged: 0, labels: "{}" },
  ...{ runtime: "kubernetes", first_seen_at: 1, last_observed_at: 2, last_state_change_at: 1 },
  ...facts,
});
const beside = (id: number, name: string, unit: string): Row => container(id, name, { unit, identity: `name:${name}#x${id}` });

onEarlierDatabases("workloads of one name and several kinds", (open) => {
  it("each have a separate identity, and those of one kind stay beside each other", async () => {
    const { insert, read, migrate } = await open("040-workload-identities");
    for (const row of [
      container(1, "shop/web", { unit: "Deployment/web" }),
      beside(2, "shop/web", "StatefulSet/web"),
      beside(3, "shop/web", "Deployment/web"),
      beside(4, "shop/api", "Job/api"),
      beside(5, "shop/api", "Job/api"),
      container(6, "web", { unit: "web", runtime: "docker" }),
      container(7, "shop/web", { unit: "Deployment/web", agent_id: "a" }),
      container(8, "shop/old", { unit: null }),
    ])
      await insert("containers", row);
    await migrate();
    assert.deepEqual(await read("SELECT id, identity FROM containers ORDER BY id"), [
      [1, "kubernetes:shop/web/Deployment/web"],
      [2, "kubernetes:shop/web/StatefulSet/web"],
      [3, "kubernetes:shop/web/Deployment/web#x3"],
      [4, "kubernetes:shop/api/Job/api#x4"],
      [5, "kubernetes:shop/api/Job/api"],
      [6, "name:web"],
      [7, "kubernetes:shop/web/Deployment/web"],
      [8, "name:shop/old"],
    ]);
  });
});
