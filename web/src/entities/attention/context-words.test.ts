import assert from "node:assert/strict";
import { test } from "node:test";
import type { Preceding } from "../../../../src/publishing/overview/answers.ts";
import { causeBeside, placeInLog, precedingWords, withoutStop, withoutTime } from "./context-words.ts";

test("what changed before an alert is described in words", () => {
  const change = { at: "2026-11-21T04:00:00.000Z", container_id: 1, container_name: "web" };
  const cases: [Pick<Preceding, "kind" | "from" | "to">, string][] = [
    [{ kind: "image_changed", from: "web:1", to: "web:2" }, "Image changed from web:1 to web:2"],
    [{ kind: "image_changed", from: "web:1", to: "web:1" }, "New content of image web:1"],
    [{ kind: "recreated", from: "web:1", to: "web:1" }, "Container re-created"],
    [{ kind: "state_changed", from: "running", to: "exited" }, "Its container web went from running to exited"],
    [{ kind: "state_changed", from: null, to: "running" }, "Its container web appeared, running"],
  ];
  for (const [parts, words] of cases) assert.equal(precedingWords({ ...change, ...parts }), words);
});

test("a changed image is not mentioned twice", () => {
  const image = { at: "", kind: "image_changed", container_id: 1, container_name: "web", from: "web:1", to: "web:2" } as const;
  assert.equal(
    causeBeside("Last exit code 3 at 1 Mar 11:59:20; image changed at 1 Mar 11:59:17.", [image]),
    "Last exit code 3 at 1 Mar 11:59:20.",
  );
  assert.equal(causeBeside("Image changed 2 min ago.", [image]), "");
  assert.equal(causeBeside("Image changed 2 min ago.", []), "Image changed 2 min ago.");
});

test("a line of a log leaves out the time that stands beside it", () => {
  const message = 'level=fatal msg="PSP_SIGNING_KEY is not set"';
  for (const time of ["time=2026-11-29T09:28:28.833Z ", "2026-11-29 09:28:28,833 ", "[2026-11-29T09:28:28+01:00] ", ""])
    assert.equal(withoutTime(`${time}${message}`), message);
  assert.equal(withoutTime("2026-11-29T09:28:28Z "), "2026-11-29T09:28:28Z ");
});

test("a cause loses its last full stop before what follows it", () => {
  const cases = { "4 restarts in 10 min. Last exit code 1.": "4 restarts in 10 min. Last exit code 1", "status 503": "status 503", "": "" };
  for (const [cause, expected] of Object.entries(cases)) assert.equal(withoutStop(cause), expected);
});

test("a line is found in its log by its beginning, without its time, near its end", () => {
  const at = "2026-11-29T09:28:29.000Z";
  assert.deepEqual(placeInLog({ text: "2026-11-29 09:28:28,833 panic: no ledger", at }), { find: "panic: no ledger", log_at: at });
  assert.equal(placeInLog({ text: "cut within …", at }).find, "cut within");
  assert.equal(placeInLog({ text: "x".repeat(300), at }).find, "x".repeat(100));
});
