import { QueryClient } from "@tanstack/react-query";
import assert from "node:assert/strict";
import { it } from "node:test";
import type { EventData } from "../../../src/events.ts";
import { heartbeatRecord } from "../entities/heartbeats/record.fixture.ts";
import { heartbeatQuery, heartbeatsQuery } from "./heartbeat-queries.ts";
import { createHeartbeatUpdates, patchInList, withoutRow } from "./live-heartbeats.ts";

const at = "2026-03-01T12:00:00.000Z";
const event = (changes: Partial<EventData["heartbeat.created"]> = {}): EventData["heartbeat.created"] => ({
  id: 1,
  agent_id: null,
  name: "nightly-backup",
  alert_tags: [],
  status: "down",
  previous_status: "up",
  reason: "deadline",
  previous_reason: null,
  failing_since: at,
  last_ping_at: "2026-03-01T11:58:00.000Z",
  next_deadline_at: null,
  current_run_started_at: null,
  last_exit_code: null,
  last_duration_ms: 4200,
  timestamp: at,
  ...changes,
});
const list = { heartbeats: [heartbeatRecord(), heartbeatRecord({ id: 2 })], total: 2, next_cursor: null };

it("puts what an event contains into its row, and leaves the others as they are", () => {
  const patched = patchInList(list, event());
  assert.deepEqual(
    patched.heartbeats.map(({ status, reason, status_changed_at: since }) => [status, reason, since]),
    [
      ["down", "deadline", at],
      ["up", null, "2026-03-01T11:00:00.000Z"],
    ],
  );
  assert.equal(patched.heartbeats[1], list.heartbeats[1]);
  assert.equal(patchInList(list, event({ id: 3 })), list);
  // The same status has not changed now.
  assert.equal(patchInList(list, event({ status: "up" })).heartbeats[0]?.status_changed_at, "2026-03-01T11:00:00.000Z");
});

it("takes a row out", () => {
  assert.deepEqual(withoutRow(list, 1), { heartbeats: [list.heartbeats[1]], total: 1, next_cursor: null });
  assert.deepEqual(withoutRow(list, 3), list);
});

it("reads again the list, and of single heartbeats only the one an event is about", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const queryClient = new QueryClient();
  queryClient.setQueryData(heartbeatsQuery.queryKey, list);
  for (const { id } of list.heartbeats) {
    queryClient.setQueryData(heartbeatQuery(id).queryKey, { heartbeat: heartbeatRecord({ id }), snippets: snippets() });
  }
  const updates = createHeartbeatUpdates(queryClient);
  const isStale = (queryKey: readonly unknown[]): boolean | undefined => queryClient.getQueryState(queryKey)?.isInvalidated;

  updates.events["heartbeat.deadline_missed"]({ ...event(), deadline_at: at });
  assert.equal(queryClient.getQueryData(heartbeatQuery(1).queryKey)?.heartbeat.status, "down");
  assert.equal(queryClient.getQueryData(heartbeatsQuery.queryKey)?.heartbeats[0]?.status, "down");
  assert.equal(isStale(heartbeatsQuery.queryKey), false);
  context.mock.timers.tick(1000);
  assert.equal(isStale(heartbeatsQuery.queryKey), true);
  assert.equal(isStale(heartbeatQuery(1).queryKey), true);
  assert.equal(isStale(heartbeatQuery(2).queryKey), false);

  updates.events["heartbeat.deleted"](event({ id: 2 }));
  assert.equal(queryClient.getQueryData(heartbeatsQuery.queryKey)?.total, 1);
  updates.cancel();
  queryClient.clear();
});

function snippets() {
  const text = "";
  return {
    curl: text,
    wget: text,
    crontab: text,
    systemd: text,
    powershell: text,
    python: text,
    github_actions: text,
    kubernetes_cronjob: text,
  };
}
