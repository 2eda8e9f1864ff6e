import assert from "node:assert/strict";
import { test } from "node:test";
import { eventBeforeAnswers, noteNewestEvent } from "./first-answers.ts";

test("a stream begins after the oldest event that an answer names, of one start of the server", () => {
  assert.equal(eventBeforeAnswers(), undefined);
  const steps: [noted: string | null, before: string | undefined][] = [
    [null, undefined],
    ["no id", undefined],
    ["0a-12", "0a-12"],
    ["0a-9", "0a-9"],
    ["0a-110", "0a-9"],
    ["0b-1", "0a-9"],
    [null, "0a-9"],
  ];
  for (const [noted, before] of steps) {
    noteNewestEvent(noted);
    assert.equal(eventBeforeAnswers(), before, `after ${noted}`);
  }
});
