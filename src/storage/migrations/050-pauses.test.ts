import assert from "node:assert/strict";
import { it } from "node:test";
import { onEarlierDatabases, type Row } from "../../../test/support/earlier-database.ts";

const ENDPOINT: Row = {
  ...{ name: "shop", checked: "{}", alerts: "{}", paused: 0, created_at: 10, updated_at: 70, status: "unknown", status_since: 20 },
  ...{ alerting: 0, consecutive_failures: 0, consecutive_successes: 0, tally: "{}", counted_id: 0, sealed_id: 0 },
};
const HEARTBEAT: Row = {
  ...{ name: "backup", tags: "[]", schedule: "interval", interval_seconds: 60, timezone: "UTC", grace_seconds: 60 },
  ...{ status: "paused", status_changed_at: 50, recent_outcomes: "", day: 0, day_counted_until: 0, day_counted_ms: 0 },
  ...{ day_down_ms: 0, day_checks: 0, day_incidents: 0, created_at: 10, updated_at: 80, deleted_at: null },
};

onEarlierDatabases("pauses of an earlier program", (open) => {
  it("are known of what is paused, from when it surely was", async () => {
    const database = await open("050-pauses");
    await database.insert("endpoints", { ...ENDPOINT, id: 1 });
    await database.insert("endpoints", { ...ENDPOINT, id: 2, paused: 1 });
    await database.insert("heartbeats", { ...HEARTBEAT, id: 1, uuid: "a", status: "up" });
    await database.insert("heartbeats", { ...HEARTBEAT, id: 2, uuid: "b" });
    await database.insert("heartbeats", { ...HEARTBEAT, id: 3, uuid: "c", deleted_at: 60 });
    await database.migrate();
    assert.deepEqual(await database.read("SELECT endpoint_id, paused_at, resumed_at FROM endpoint_pauses"), [[2, 70, null]]);
    assert.deepEqual(await database.read("SELECT heartbeat_id, paused_at, resumed_at FROM heartbeat_pauses"), [[2, 50, null]]);
  });
});
