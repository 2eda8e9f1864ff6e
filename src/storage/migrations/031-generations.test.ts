import assert from "node:assert/strict";
import { it } from "node:test";
import { onEarlierDatabases, type Row } from "../../../test/support/earlier-database.ts";

const container = (id: number, name: string, facts: Row = {}): Row => ({
  ...{ id, agent_id: null, external_id: `x${id}`, name, image: `shop/web:${id}`, state: "exited", exit_code: 143, stop_requested: 1 },
  ...{ oom_killed: 0, group_name: "shop", group_source: "compose", is_ignored: 0, restart_count: 0, restart_threshold: 3, restarts: "[]" },
  ...{ alert_severity: "warning", alert_channels: "[]", alert_tags: "[]", label_errors: "[]", ports: "[]", privileged: 0, labels: "{}" },
  ...{ runtime: "docker", created_at: id * 100, started_at: id * 100, first_seen_at: id * 100, last_observed_at: id * 100 + 90 },
  ...{ last_state_change_at: id * 100 + 80, archived_at: id * 100 + 90 },
  ...facts,
});
const running: Row = { state: "running", exit_code: null, stop_requested: 0, archived_at: null };
const compose = (number: number): Row => ({
  labels: JSON.stringify({
    "com.docker.compose.project": "shop",
    "com.docker.compose.service": "web",
    "com.docker.compose.container-number": String(number),
  }),
});
const endpoint = (id: number, containerId: number, inactiveSince: number | null): Row => ({
  ...{ id, agent_id: null, container_external_id: `x${containerId}`, container_id: containerId, label_key: "service.endpoint.http" },
  ...{ name: "web", checked: "{}", alerts: "{}", paused: 0, inactive_since: inactiveSince, created_at: id, updated_at: id, status: "up" },
  ...{ status_since: id, alerting: 0, consecutive_failures: 0, consecutive_successes: 1, tally: "{}", counted_id: 0, sealed_id: 0 },
});

onEarlierDatabases("containers that were re-created before", (open) => {
  it("become one, with the settings of the newest and the history of all", async () => {
    const { insert, read, migrate } = await open("031-generations");
    for (const row of [
      container(1, "shop-web-1", compose(1)),
      container(2, "0123456789ab_shop-web-1", { ...compose(1), oom_killed: 1 }),
      container(3, "shop-web-1", { ...compose(1), ...running }),
      container(4, "shop-web-2", { ...compose(2), ...running }),
      container(5, "job", {}),
      container(6, "job", { state: "completed", exit_code: 0, stop_requested: 0 }),
      container(7, "twice", running),
      container(8, "twice", running),
    ])
      await insert("containers", row);
    for (const id of [1, 2, 3])
      await insert("transitions", {
        ...{ id, container_id: id, new_state: "running", oom_killed: 0, stop_requested: 0 },
        replayed: 0,
        occurred_at: id * 100,
      });
    for (const [id, cpu] of [
      [1, 10],
      [2, 20],
      [5, 50],
    ] as const)
      await insert("resource_thresholds", { container_id: id, cpu_threshold: cpu, memory_threshold: null, debounce_seconds: 60 });
    for (const row of [endpoint(1, 1, 190), endpoint(2, 2, 290), endpoint(3, 3, null), endpoint(4, 5, 590)]) await insert("endpoints", row);
    for (const [id, day] of [
      [1, 7],
      [2, 7],
      [2, 8],
      [3, 8],
    ] as const)
      await insert("endpoint_days", { endpoint_id: id, day, checks: 10, failures: id, up_ms: 1000, down_ms: 0, incidents: 1 });
    for (const id of [1, 3])
      await insert("endpoint_chunks", { id, endpoint_id: id, start_at: id, end_at: id, checks: 1, bytes: Buffer.from("x") });

    await migrate();
    assert.deepEqual(await read("SELECT id, identity, generation, first_seen_at, removed_at FROM containers ORDER BY id"), [
      [3, "compose:shop/web/1", 3, 100, null],
      [4, "compose:shop/web/2", 1, 400, null],
      [6, "name:job", 2, 500, 690],
      [7, "name:twice#x7", 1, 700, null],
      [8, "name:twice", 1, 800, null],
    ]);
    assert.deepEqual(await read("SELECT container_id, external_id, ended_at, end_reason FROM container_generations ORDER BY external_id"), [
      [3, "x1", 180, "stopped"],
      [3, "x2", 280, "oom_killed"],
      [6, "x5", 580, "stopped"],
    ]);
    assert.deepEqual(await read("SELECT container_id, occurred_at FROM transitions ORDER BY occurred_at"), [
      [3, 100],
      [3, 200],
      [3, 300],
    ]);
    assert.deepEqual(await read("SELECT container_id, cpu_threshold FROM resource_thresholds ORDER BY container_id"), [
      [3, 20],
      [6, 50],
    ]);
    assert.deepEqual(await read("SELECT id, container_id, created_at FROM endpoints ORDER BY id"), [
      [3, 3, 1],
      [4, 6, 4],
    ]);
    assert.deepEqual(await read("SELECT endpoint_id, day, checks, failures FROM endpoint_days ORDER BY day"), [
      [3, 7, 20, 3],
      [3, 8, 20, 5],
    ]);
    assert.deepEqual(await read("SELECT id, endpoint_id FROM endpoint_chunks ORDER BY id"), [
      [1, 3],
      [3, 3],
    ]);
    assert.deepEqual(await read("SELECT container_id, into_id, name FROM container_joins ORDER BY container_id"), [
      [1, 3, "shop-web-1"],
      [2, 3, "0123456789ab_shop-web-1"],
      [5, 6, "job"],
    ]);
  });
});
