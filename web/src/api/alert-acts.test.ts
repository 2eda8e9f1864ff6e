import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { createAlertActs, UNDO_MS, withActs, type Act } from "./alert-acts.ts";

function setUp() {
  const timers: { run: () => void; delayMs: number }[] = [];
  const sent: { act: Act; answer: (record: ShownAlert) => void; refuse: (error: Error) => void }[] = [];
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

test("a silence shows until when at once, and neither acknowledges nor resolves", () => {
  const { sent, acts } = setUp();
  acts.begin({ kind: "silence", alert, by: "", note: undefined, until: "2026-11-21T06:10:00.000Z" });
  assert.deepEqual(withActs(alert, acts.list()), { ...alert, silenced_until: "2026-11-21T06:10:00.000Z" });
  acts.flush();
  assert.deepEqual([sent[0]?.act.kind, sent[0]?.act.until], ["silence", "2026-11-21T06:10:00.000Z"]);
});
