import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LogModel, type NewLogLine } from "./log-model.ts";

function line(text: string, stream: "stdout" | "stderr" = "stdout", time: number | null = null): NewLogLine {
  return { time, stream, text };
}

/** A model whose frames the test draws. */
function createWorld(capacity = 10): { model: LogModel; frame(): void; frames(): number; shown(): string[] } {
  const due: (() => void)[] = [];
  const model = new LogModel({ capacity, schedule: (callback) => due.push(callback) });
  return {
    model,
    frame() {
      for (let callback = due.shift(); callback !== undefined; callback = due.shift()) callback();
    },
    frames: () => due.length,
    shown() {
      return Array.from({ length: model.snapshot().shown }, (_, index) => {
        const entry = model.entryAt(index);
        return entry === undefined ? "(none)" : "note" in entry ? `— ${entry.note} —` : entry.plain;
      });
    },
  };
}

describe("keeping lines", () => {
  test("many appends are one frame and one notification", () => {
    const { model, frame, frames, shown } = createWorld();
    let notified = 0;
    model.subscribe(() => (notified += 1));
    model.append([line("a")]);
    model.append([line("b"), line("c")]);
    assert.deepEqual([frames(), model.snapshot().shown], [1, 0]);
    frame();
    assert.deepEqual([notified, shown()], [1, ["a", "b", "c"]]);
  });

  test("the oldest make room, ids stay, and the dropped are counted", () => {
    const { model, frame, shown } = createWorld(3);
    model.append(["a", "b", "c", "d", "e"].map((text) => line(text)));
    frame();
    assert.deepEqual(shown(), ["c", "d", "e"]);
    assert.equal(model.entryAt(0)?.id, 2);
    assert.equal(model.snapshot().dropped, 2);
    assert.equal(model.indexFrom(3), 1);
    assert.equal(model.indexFrom(0), 0);
  });

  test("a page without frames keeps no more waiting than its bound", () => {
    const { model, frame, shown } = createWorld(4);
    for (let index = 0; index < 30_000; index += 1) model.append([line(String(index))]);
    assert.ok(model.entryAt(0) !== undefined, "nothing was taken in before the frame");
    frame();
    assert.deepEqual(shown(), ["29996", "29997", "29998", "29999"]);
    assert.equal(model.snapshot().dropped, 29_996);
  });

  test("clear forgets lines and count, ids keep rising", () => {
    const { model, frame, shown } = createWorld();
    model.append([line("a")]);
    frame();
    model.clear();
    model.append([line("b")]);
    frame();
    assert.deepEqual(shown(), ["b"]);
    assert.equal(model.entryAt(0)?.id, 1);
  });
});

describe("filtering", () => {
  const lines = [
    line("level=info up"),
    line("level=error down", "stderr"),
    line("    at main (a.js:1)", "stderr"),
    line("level=warn hot"),
    line("level=debug tick"),
    line("plain"),
  ];
  const cases: ["any" | "error" | "warn" | "info", "any" | "stdout" | "stderr", number[]][] = [
    ["any", "any", [0, 1, 2, 3, 4, 5]],
    ["error", "any", [1, 2]],
    ["warn", "any", [1, 2, 3]],
    ["info", "any", [0, 1, 2, 3, 5]],
    ["any", "stderr", [1, 2]],
    ["warn", "stdout", [3]],
  ];
  for (const [level, stream, expected] of cases) {
    test(`${level} on ${stream}, before and after the lines come`, () => {
      const { model, frame, shown } = createWorld(100);
      model.append(lines);
      frame();
      model.setFilter({ level, stream });
      const texts = expected.map((index) => lines[index]?.text);
      assert.deepEqual(shown(), texts);
      model.append(lines);
      frame();
      assert.deepEqual(shown(), [...texts, ...texts]);
    });
  }

  test("notes are always shown", () => {
    const { model, frame, shown } = createWorld();
    model.setFilter({ level: "error", stream: "any" });
    model.append([line("fine"), { note: "ended", tone: "down", time: null }]);
    frame();
    assert.deepEqual(shown(), ["— ended —"]);
  });
});

describe("searching", () => {
  test("finds in plain text across colours, and in lines that come later", () => {
    const { model, frame } = createWorld();
    model.append([line("a\u001b[31mb\u001b[0mc"), line("x")]);
    frame();
    model.setQuery("ABC");
    assert.deepEqual([model.snapshot().found, model.found.at(0)], [1, 0]);
    model.append([line("abc")]);
    frame();
    assert.deepEqual([model.snapshot().found, model.found.at(1)], [2, 2]);
  });

  test("forgets what was found in lines that made room", () => {
    const { model, frame } = createWorld(2);
    model.setQuery("a");
    model.append([line("a1"), line("a2")]);
    frame();
    assert.equal(model.snapshot().found, 2);
    model.append([line("x"), line("y")]);
    frame();
    assert.equal(model.snapshot().found, 0);
  });

  test("forgets what was dropped and what the filter hides", () => {
    const { model, frame } = createWorld(2);
    model.setQuery("a");
    model.append([line("a1"), line("a2"), line("a3", "stderr")]);
    frame();
    assert.equal(model.snapshot().found, 2);
    model.setFilter({ level: "any", stream: "stderr" });
    assert.equal(model.snapshot().found, 1);
    model.setQuery("");
    assert.equal(model.snapshot().found, 0);
  });

  test("a hundred thousand lines are searched to the end, a slice at a time", () => {
    const { model, frame, frames } = createWorld(100_000);
    model.append(Array.from({ length: 100_000 }, (_, index) => line(`request ${index} ${"x".repeat(150)} done`)));
    frame();
    model.setQuery("9 xxx");
    const slices = [model.snapshot().isSearching, frames()];
    frame();
    assert.equal(model.snapshot().found, 10_000);
    assert.equal(model.snapshot().isSearching, false);
    assert.ok(slices[1] === 0 || slices[0] === true);
  });
});

test("notes are not counted as lines, neither kept nor dropped", () => {
  const { model, frame } = createWorld(4);
  model.append([line("a"), { note: "ended", tone: "down", time: null }, line("b")]);
  frame();
  assert.deepEqual([model.snapshot().shown, model.snapshot().lines, model.snapshot().linesShown], [3, 2, 2]);
  model.append([line("c"), line("d"), line("e")]);
  frame();
  assert.deepEqual([model.snapshot().lines, model.snapshot().dropped], [4, 1]);
});
