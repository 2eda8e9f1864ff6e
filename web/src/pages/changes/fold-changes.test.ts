import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, countStarts, foldChanges } from "./fold-changes.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 29, 9, 0, second)).toISOString();

function change(second: number, what: string, parts: Partial<Change> = {}): Change {
  return {
    ...{ at: at(second), kind: "container_changed", what, entity: { type: "container", id: 7, name: "payments" } },
    ...{ from: null, to: null, record: { kind: "transition", id: second }, agent_id: null },
    ...parts,
  };
}

const STARTED = "It went from restarting to running.";
const EXITED = "It went from running to restarting with exit code 1.";

test("what a container repeats is one row at its latest, all else stays", () => {
  const loop = [1, 2, 3].flatMap((run) => [change(run * 60, STARTED), change(run * 60 + 4, EXITED)]);
  const image = change(50, "Another image runs.", { kind: "image_changed", from: "payments:1", to: "payments:2" });
  const stopped = change(40, "It went from running to exited with exit code 0.");
  const other = change(130, STARTED, { entity: { type: "container", id: 8, name: "search" } });
  const list = [...loop, image, stopped, other].toSorted((a, b) => b.at.localeCompare(a.at));
  const folded = foldChanges(list);
  assert.deepEqual(
    folded.map((row) => [row.change.at, row.repeated?.length]),
    [
      [at(184), 6],
      [at(130), undefined],
      [at(50), undefined],
      [at(40), undefined],
    ],
  );
  assert.deepEqual(countStarts(folded[0]?.repeated ?? []), { starts: 3, lengthMs: 124_000, end: "exit code 1" });
});

test("twice is no loop", () => {
  const list = [change(4, STARTED), change(3, EXITED), change(2, STARTED), change(1, EXITED)];
  assert.equal(foldChanges(list).length, 4);
});
