import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData } from "../../../src/events.ts";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import { patchHealth, patchInList, patchRestartLoop, patchState } from "./apply-event.ts";

const BEFORE = "2026-11-21T03:59:59.000Z";
const AFTER = "2026-11-21T04:00:01.000Z";

type StateChange = EventData["container.state_changed"];

function change(parts: Partial<StateChange>): StateChange {
  const { id, agent_id, name, runtime, image, group, labels, alert_severity, alert_channels, alert_tags } = containerRecord();
  return {
    ...{ id, agent_id, name, runtime, image, group, labels, alert_severity, alert_channels, alert_tags },
    state: "exited",
    previous_state: "running",
    health: null,
    exit_code: 137,
    oom_killed: true,
    stop_requested: false,
    error_detail: null,
    timestamp: AFTER,
    ...parts,
  };
}

test("a change of state needs only its event", () => {
  const ended = patchState(change({}))(containerRecord());
  assert.deepEqual(
    [ended.state, ended.exit_code, ended.oom_killed, ended.last_state_change_at, ended.finished_at],
    ["exited", 137, true, AFTER, AFTER],
  );
  assert.equal(patchState(change({ state: "running", previous_state: "exited" }))(ended).started_at, AFTER);
});

test("unpausing is no start", () => {
  const paused = containerRecord({ state: "paused" });
  assert.equal(patchState(change({ state: "running", previous_state: "paused" }))(paused).started_at, paused.started_at);
});

test("an event older than what is known changes nothing", () => {
  const known = containerRecord();
  assert.equal(patchState(change({ timestamp: BEFORE }))(known), known);
  assert.equal(patchHealth({ ...change({ timestamp: BEFORE }), health: "unhealthy", previous_health: null })(known), known);
});

test("a restart loop keeps its beginning while it gets worse, and ends", () => {
  const alert = { ...change({}), severity: "warning", previous_severity: null, restarts: 3, threshold: 3, window_seconds: 600 } as const;
  const begun = patchRestartLoop(alert)(containerRecord());
  assert.deepEqual(begun.restart_loop, { severity: "warning", restarts: 3, since: AFTER });
  const worse = patchRestartLoop({ ...alert, severity: "critical", restarts: 9, timestamp: "2026-11-21T04:05:00.000Z" })(begun);
  assert.deepEqual(worse.restart_loop, { severity: "critical", restarts: 9, since: AFTER });
  assert.equal(patchRestartLoop({ ...alert, severity: null })(worse).restart_loop, null);
});

test("only the changed row and its group become other objects", () => {
  const groups = [
    { name: "a", source: "compose" as const, containers: [containerRecord({ id: 1 }), containerRecord({ id: 2 })] },
    { name: "b", source: "compose" as const, containers: [containerRecord({ id: 3 })] },
  ];
  const list = { groups, total: 3, archived_count: 0, next_cursor: null };
  const patched = patchInList(list, 2, patchState(change({ id: 2 })));
  assert.equal(patched.groups[1], list.groups[1]);
  assert.equal(patched.groups[0]?.containers[0], list.groups[0]?.containers[0]);
  assert.equal(patched.groups[0]?.containers[1]?.state, "exited");
  assert.equal(list.groups[0]?.containers[1]?.state, "running");
  assert.equal(patchInList(list, 99, patchState(change({}))), list);
  assert.equal(patchInList(list, 2, patchState(change({ timestamp: BEFORE }))), list);
});
