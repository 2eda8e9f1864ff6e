import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { createAlertActs, pauseOf, UNDO_MS, withActs, type AlertAct, type MonitorDeed } from "./alert-acts.ts";
import { AT_ONCE, SPACING_MS } from "./send-queue.ts";

function setUp() {
  const timers: { run: () => void; delayMs: number }[] = [];
  const sent: { act: AlertAct; answer: (record: ShownAlert) => void; refuse: (error: Error) => void }[] = [];
  const arrived: ShownAlert[] = [];
  const acts = createAlertActs({
    send: (act) => new Promise((answer, refuse) => sent.push({ act, answer, refuse })),
    onSent: (record) => arrived.push(record),
    now: () => Date.parse("2026-11-21T04:10:00.000Z"),
    later(run, delayMs) {
      const timer = { run, delayMs };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  });
  return { timers, sent, arrived, acts };
}

const alert = alertRecord({ id: 7 });
const deed = { kind: "acknowledge", alert, by: "Ada", note: "looking" } as const;

test("a deed shows at once, is sent after the time to undo it, and is forgotten once the server has it", async () => {
  const { timers, sent, arrived, acts } = setUp();
  acts.begin(deed);
  assert.equal(timers[0]?.delayMs, UNDO_MS);
  assert.deepEqual(
    [withActs(alert, acts.list())].map((shown) => [shown.acknowledged_by, shown.acknowledged_at, shown.acknowledged_note, shown.status]),
    [["Ada", "2026-11-21T04:10:00.000Z", "looking", "active"]],
  );
  timers[0]?.run();
  assert.deepEqual([acts.list()[0]?.state, sent.length], ["sending", 1]);
  const answer = { ...alert, acknowledged_by: "Ada" };
  sent[0]?.answer(answer);
  await new Promise(setImmediate);
  assert.deepEqual([acts.list(), arrived], [[], [answer]]);
});

test("what is taken back in time is never sent", () => {
  const { timers, sent, acts } = setUp();
  acts.begin({ ...deed, kind: "resolve" });
  assert.equal(withActs(alert, acts.list()).status, "resolved");
  acts.drop(acts.list()[0]?.id ?? 0);
  assert.deepEqual([timers.length, sent.length, acts.list()], [0, 0, []]);
  assert.equal(withActs(alert, acts.list()), alert);
});

test("what waits is sent at once when the page is left, and the same again changes nothing", () => {
  const { sent, acts } = setUp();
  acts.begin(deed);
  acts.begin(deed);
  acts.flush();
  acts.flush();
  assert.equal(sent.length, 1);
});

test("what is begun together has one batch, and what comes after has another", () => {
  const { acts } = setUp();
  acts.begin(deed, { ...deed, alert: alertRecord({ id: 8 }) });
  acts.begin({ ...deed, alert: alertRecord({ id: 9 }) });
  const [first, second, third] = acts.list().map(({ batch }) => batch);
  assert.deepEqual([first === second, second === third], [true, false]);
});

test("what failed is shown as it was, and can be tried again", async () => {
  const { sent, acts } = setUp();
  acts.begin(deed);
  acts.flush();
  sent[0]?.refuse(new Error("The alert is over."));
  await new Promise(setImmediate);
  const [failed] = acts.list();
  assert.equal(failed?.state, "failed");
  assert.equal(withActs(alert, acts.list()), alert);
  acts.retry(failed?.id ?? 0);
  assert.equal(sent.length, 2);
});

test("a silence of all alerts of a thing shows at each of them", () => {
  const { acts } = setUp();
  const until = "2026-11-21T06:10:00.000Z";
  const worse = alertRecord({ id: 8, event: "degraded_after_update" });
  const other = alertRecord({ id: 9, entity_id: "2" });
  acts.begin({ kind: "silence", alert, by: "", note: undefined, until, covers: "entity" });
  assert.deepEqual(
    [alert, worse, other].map((each) => withActs(each, acts.list()).silenced_until),
    [until, until, null],
  );
  acts.drop(acts.list()[0]?.id ?? 0);
  acts.begin({ kind: "silence", alert, by: "", note: undefined, until });
  assert.equal(withActs(worse, acts.list()), worse, "of this alert alone");
});

test("of two silences of the same within a moment the latest counts, also while the first is on its way", () => {
  const { sent, acts } = setUp();
  const silence = { kind: "silence", alert, by: "", note: undefined } as const;
  const [short, long, longest] = ["2026-11-21T04:40:00.000Z", "2026-11-21T12:10:00.000Z", "2026-11-28T04:10:00.000Z"];
  acts.begin({ ...silence, until: short });
  acts.begin({ ...silence, until: long });
  acts.flush();
  acts.begin({ ...silence, until: longest });
  assert.equal(withActs(alert, acts.list()).silenced_until, longest);
  acts.flush();
  assert.deepEqual(
    sent.map(({ act }) => act.until),
    [long, longest],
  );
});

test("a silence shows until when at once, and neither acknowledges nor resolves", () => {
  const { sent, acts } = setUp();
  acts.begin({ kind: "silence", alert, by: "", note: undefined, until: "2026-11-21T06:10:00.000Z" });
  assert.deepEqual(withActs(alert, acts.list()), { ...alert, silenced_until: "2026-11-21T06:10:00.000Z" });
  acts.flush();
  assert.deepEqual([sent[0]?.act.kind, sent[0]?.act.until], ["silence", "2026-11-21T06:10:00.000Z"]);
});

/** Pauses, resumes or deletes endpoints that answer on request. */
function monitors() {
  const asked: { id: number; answer: () => void; refuse: (error: Error) => void }[] = [];
  const deedOf = (kind: MonitorDeed["kind"], id: number): MonitorDeed => ({
    kind,
    monitor: { type: "endpoint", id, name: `endpoint ${id}` },
    send: () => new Promise((answer, refuse) => asked.push({ id, answer, refuse })),
  });
  return { asked, deedOf };
}

test("only so many are sent at a time, and the next when one is answered", async () => {
  const { timers, acts } = setUp();
  const { asked, deedOf } = monitors();
  const ids = Array.from({ length: AT_ONCE + 2 }, (_, index) => index + 1);
  acts.begin(...ids.map((id) => deedOf("pause", id)));
  for (const { run } of [...timers]) run();
  assert.equal(asked.length, AT_ONCE);
  asked[0]?.answer();
  asked[1]?.refuse(new Error("no"));
  await new Promise(setImmediate);
  assert.equal(asked.length, AT_ONCE, "each place is taken a little longer");
  for (const { run } of timers.filter(({ delayMs }) => delayMs === SPACING_MS)) run();
  assert.deepEqual(
    asked.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    acts.list().map(({ state }) => state),
    ["failed", ...Array.from({ length: AT_ONCE }, () => "sending")],
  );
});

test("all that waits and all that is queued is sent when the page is left", () => {
  const { timers, acts } = setUp();
  const { asked, deedOf } = monitors();
  acts.begin(...Array.from({ length: AT_ONCE + 3 }, (_, index) => deedOf("pause", index)));
  for (const { run } of timers.slice(0, AT_ONCE + 1)) run();
  assert.equal(asked.length, AT_ONCE);
  acts.flush();
  assert.equal(asked.length, AT_ONCE + 3);
});

test("a monitor shows as paused at once, as it was when that is taken back, and the opposite takes it back", () => {
  const { timers, acts } = setUp();
  const { asked, deedOf } = monitors();
  acts.begin(deedOf("pause", 1), deedOf("resume", 2));
  assert.deepEqual([pauseOf(acts.list(), "endpoint", 1), pauseOf(acts.list(), "endpoint", 2)], [true, false]);
  assert.equal(pauseOf(acts.list(), "heartbeat", 1), undefined);
  acts.begin(deedOf("resume", 1));
  assert.equal(pauseOf(acts.list(), "endpoint", 1), undefined);
  assert.deepEqual([timers.length, asked.length, acts.list().length], [1, 0, 1]);
});

test("what is deleted is sent at once", () => {
  const { timers, acts } = setUp();
  const { asked, deedOf } = monitors();
  acts.begin(deedOf("delete", 1));
  assert.deepEqual([asked.length, timers.length, acts.list()[0]?.state], [1, 0, "sending"]);
});
