import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findLevel, isContinuation } from "./log-level.ts";

describe("findLevel", () => {
  /** The word that says it stands between the guillemets. */
  const lines: [string, string | null][] = [
    ['{"time":"2026-01-01T00:00:00Z","level":"«error»","msg":"no"}', "error"],
    ['{"level":«30»,"time":1767225600000,"msg":"listening"}', "info"],
    ['{"level": «50»,"msg":"x"}', "error"],
    ['{"level":«20»}', "debug"],
    ['{"severity":"«WARNING»","message":"x"}', "warn"],
    ['{"level":«3»}', "error"],
    ['{"level":300}', null],
    ["time=2026-01-01T00:00:00Z level=«warn» msg=x", "warn"],
    ['ts=1 lvl="«eror»" msg=x', "error"],
    ["[«WARN»] disk nearly full", "warn"],
    ["2026/01/01 00:00:00 [«error» ] no", null],
    ["2026/01/01 00:00:00 [«error»] 31#31: *1 connect() failed", "error"],
    ["[12:00:00 «INF»] Now listening", "info"],
    ["[main/«ERROR»]: no", "error"],
    ["«E»0312 07:12:31.440312       1 main.go:120] failed", "error"],
    ["«I»0312 07:12:31.440312       1 main.go:120] fine", "info"],
    ["2026-01-01 00:00:00,123 «INFO» org.example.Main - up", "info"],
    ["2026-01-01 00:00:00.000 UTC [1] «LOG»:  database system is ready", "info"],
    ["2026-01-01 00:00:00.000 UTC [7] «FATAL»:  role does not exist", "error"],
    ["«warn»  heap at 212 MB of 256 MB", "warn"],
    ["12:00:01.000 «fatal» allocation failed", "error"],
    ["1:M 01 Jan 2026 00:00:00.000 * Ready to accept connections", null],
    ["GET /error/404 200 12 ms", null],
    ["the error was expected", null],
    ["information is power", null],
    ["errors=0 took 3 ms", null],
    ["path=/INFO/x", null],
    ["", null],
  ];
  for (const [marked, level] of lines) {
    const text = marked.replaceAll(/[«»]/g, "");
    test(text === "" ? "an empty line" : text, () => {
      const found = findLevel(text);
      assert.equal(found?.level ?? null, level);
      if (found !== null) assert.equal(text.slice(found.start, found.end), /«(.*)»/.exec(marked)?.[1]);
    });
  }

  test("is quick on long and repetitive lines", () => {
    const start = performance.now();
    for (const piece of ["[", "level=", '"level":', "1 ", "<aaaa", " "]) findLevel(piece.repeat(100_000));
    assert.ok(performance.now() - start < 2000);
  });
});

describe("isContinuation", () => {
  for (const text of ["    at main (index.js:1:1)", "\tat org.example", "Caused by: x", "}", "Traceback (most recent call last):"]) {
    test(text, () => assert.ok(isContinuation(text)));
  }
  for (const text of ["", "   ", "GET / 200", "attached"]) test(JSON.stringify(text), () => assert.ok(!isContinuation(text)));
});
