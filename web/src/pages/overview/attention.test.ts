import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../containers/record.fixture.ts";
import { attentionList, tellState } from "./attention.ts";

const loop = { severity: "warning", restarts: 4, since: "2026-11-21T03:50:00.000Z" } as const;

test("what needs attention is told in two sentences", () => {
  const cases: [Parameters<typeof containerRecord>[0], string, string][] = [
    [{ state: "exited", exit_code: 137, oom_killed: true }, "exited with code 137", "Killed for memory."],
    [{ state: "exited", exit_code: 127 }, "exited with code 127", "Its command was not found."],
    [{ state: "exited", exit_code: 1, restart_count: 5 }, "exited with code 1", "Restarted 5 times since it was created."],
    [{ state: "exited", exit_code: 1 }, "exited with code 1", ""],
    [{ health: "unhealthy" }, "is unhealthy", "Its health check fails."],
    [{ state: "restarting", exit_code: 3 }, "is restarting", "Exit 3."],
    [
      { state: "restarting", exit_code: 1, restart_loop: loop },
      "restarts again and again",
      "Restarted 4 times within 10 minutes. Last exit code 1.",
    ],
    [
      { state: "running", oom_killed: true, restart_loop: loop },
      "restarts again and again",
      "Killed for memory. Restarted 4 times within 10 minutes.",
    ],
    [{ state: "created", error_detail: "port is already allocated" }, "could not start", "Port is already allocated."],
  ];
  for (const [parts, what, why] of cases) {
    const [told] = attentionList([containerRecord(parts)]);
    assert.deepEqual([told?.what, told?.why], [what, why]);
  }
});

test("the worst come first, then the latest", () => {
  const list = attentionList([
    containerRecord({ name: "a", health: "unhealthy", last_state_change_at: "2026-11-21T04:09:00.000Z" }),
    containerRecord({ name: "b", state: "exited", exit_code: 1, last_state_change_at: "2026-11-21T04:01:00.000Z" }),
    containerRecord({ name: "c", state: "exited", exit_code: 1, last_state_change_at: "2026-11-21T04:02:00.000Z" }),
    containerRecord({ name: "d" }),
  ]);
  assert.deepEqual(
    list.map(({ container }) => container.name),
    ["c", "b", "a"],
  );
});

test("the state of everything is one sentence", () => {
  const well = containerRecord();
  const done = containerRecord({ state: "completed", exit_code: 0 });
  const down = containerRecord({ state: "exited", exit_code: 1 });
  assert.deepEqual(tellState([well, well, done]), { headline: "Everything is well: 2 containers run", rest: "Besides: 1 completed." });
  assert.deepEqual(tellState([well]), { headline: "Everything is well: 1 container runs", rest: "" });
  assert.deepEqual(tellState([well, down, done]), {
    headline: "1 container needs attention",
    rest: "Everything else is well: 1 container runs, 1 completed.",
  });
  assert.deepEqual(tellState([down, down]), { headline: "2 containers need attention", rest: "" });
});
