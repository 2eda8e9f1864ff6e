import assert from "node:assert/strict";
import { test } from "node:test";
import { functionLengths } from "./function-lengths.ts";

const lengths = (...lines: string[]): string[] =>
  functionLengths("some.ts", lines.join("\n")).map(({ name, line, lines: all, ownLines }) => `${name} at ${line}: ${ownLines} of ${all}`);

test("counts the lines of a function", () => {
  assert.deepEqual(lengths("", "function sum(a, b) {", "  return a + b;", "}"), ["sum at 2: 3 of 3"]);
  assert.deepEqual(lengths("const one = () => 1;"), ["a function at 1: 1 of 1"]);
});

test("a function in another counts for itself", () => {
  assert.deepEqual(
    lengths("function outer() {", "  const first = 1;", "  function inner() {", "    first();", "    first();", "  }", "}"),
    ["inner at 3: 4 of 4", "outer at 1: 4 of 7"],
  );
  assert.deepEqual(lengths("function outer() {", "  each(() => {", "    one();", "    two();", "  });", "}"), [
    "a function at 2: 4 of 4",
    "outer at 1: 3 of 6",
  ]);
});

test("a literal that is answered is data, and one that is used in between is not", () => {
  assert.deepEqual(lengths("function table() {", "  return [", "    1,", "    2,", "  ];", "}"), ["table at 1: 3 of 6"]);
  assert.deepEqual(lengths("function table() {", "  return make({", "    a: [", "      1,", "    ],", "  });", "}"), [
    "table at 1: 3 of 7",
  ]);
  assert.deepEqual(lengths("const table = () => ({", "  a: 1,", "  b: 2,", "});"), ["a function at 1: 1 of 4"]);
  assert.deepEqual(lengths("function work() {", "  const list = [", "    1,", "    2,", "  ];", "  list.pop();", "}"), [
    "work at 1: 7 of 7",
  ]);
});

test("what a method of an answered object makes in between is no answer", () => {
  assert.deepEqual(
    lengths(
      "function create() {",
      "  return {",
      "    start() {",
      "      const list = [",
      "        1,",
      "      ];",
      "      list.pop();",
      "    },",
      "  };",
      "}",
    ),
    ["a function at 3: 6 of 6", "create at 1: 3 of 10"],
  );
});

test("refuses what it cannot read", () => {
  assert.throws(() => functionLengths("some.ts", "function {"), /some.ts/);
});

test("variables of the body that change are counted, those of loops and of functions in it are not", () => {
  const text = [
    "function create() {",
    "  let first, second = 1;",
    "  const third = 2;",
    "  for (let index = 0; index < 3; index += 1) first = index;",
    "  function inner() {",
    "    let own = 1;",
    "  }",
    "}",
  ];
  assert.deepEqual(
    functionLengths("some.ts", text.join("\n")).map(({ name, mutableLocals }) => `${name}: ${mutableLocals}`),
    ["inner: 1", "create: 2"],
  );
});
