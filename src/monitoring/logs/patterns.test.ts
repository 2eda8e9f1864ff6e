import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chanceOf, fc } from "../../../test/support/seed.ts";
import { createPatternTable, patternOf } from "./patterns.ts";

const AT = Date.parse("2026-03-01T12:00:00Z");

describe("the pattern of a line", () => {
  const cases: [string, string][] = [
    ["GET /api/stock/4711 200 12ms", "GET /api/stock/<number> <number> <number>ms"],
    ["2026-03-01T12:00:00.123Z ready", "<time> ready"],
    ["2026-03-01 12:00:00,5+01:00 x 12:00:01 y", "<time> x <time> y"],
    ["job 550e8400-e29b-41d4-a716-446655440000 done", "job <id> done"],
    ["commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit <id>"],
    ["at 0x7ffe1234abcd", "at <id>"],
    ["deadbeef and acceded are words, 12345678 is none", "deadbeef and acceded are words, <number> is none"],
    ["dial tcp 10.0.0.7:5432: refused", "dial tcp <address>: refused"],
    ["wrote 2,646.5 buffers (2.7%)", "wrote <number> buffers (<number>%)"],
    ["worker12 of v1.2.3", "worker<number> of v<number>"],
    ['{"level":"info","took":12,"id":"a1"}', '{"level":"info","took":<number>,"id":"a<number>"}'],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "<id>"],
    ["open /usr/share/nginx/html/assets/images/products/kitchen", "open /usr/share/nginx/html/assets/images/products/kitchen"],
    ["no numbers at all", "no numbers at all"],
    ["", ""],
  ];
  for (const [line, pattern] of cases) it(line || "(empty)", () => assert.equal(patternOf(line), pattern));

  it("is the same whatever the numbers are", () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), fc.ipV4(), (number, uuid, address) => {
        assert.equal(patternOf(`order ${number} of ${uuid} from ${address}`), "order <number> of <id> from <address>");
      }),
    );
  });

  it("is short and soon there, also of a hostile line", () => {
    const before = performance.now();
    for (const line of ["1".repeat(65_000), "a1".repeat(30_000), "1.".repeat(30_000), "0x".repeat(30_000), "1:".repeat(30_000)]) {
      assert.ok(patternOf(line).length <= 4_000);
    }
    assert.ok(performance.now() - before < 1_000);
  });
});

describe("the table of patterns", () => {
  const line = (second: number, text: string, containerId = 1) => ({ containerId, atMs: AT + second * 1000, level: null, text });

  it("counts each, with its first and last line", () => {
    const table = createPatternTable(10);
    for (const each of [line(5, "took 5 ms"), line(1, "took 1 ms"), line(9, "\u001b[31mtook\u001b[0m 9 ms"), line(2, "took 2 ms", 2)])
      table.add(each);
    assert.deepEqual(table.read(), {
      otherLines: 0,
      patterns: [
        { containerId: 1, pattern: "took <number> ms", level: null, lines: 3, firstMs: AT + 1000, lastMs: AT + 9000, example: "took 9 ms" },
        { containerId: 2, pattern: "took <number> ms", level: null, lines: 1, firstMs: AT + 2000, lastMs: AT + 2000, example: "took 2 ms" },
      ],
    });
  });

  it("keeps those with most lines when there are too many, and counts the others", (context) => {
    const chance = chanceOf(context);
    const table = createPatternTable(20);
    let added = 0;
    for (let index = 0; index < 2000; index += 1) {
      for (const text of [`often ${index}`, `once ${wordOf(index)}`, ...(chance.below(2) === 0 ? ["half of the time"] : [])]) {
        table.add(line(index, text));
        added += 1;
      }
    }
    const { patterns, otherLines } = table.read();
    assert.equal(patterns.length, 20);
    assert.equal(
      patterns.reduce((sum, { lines }) => sum + lines, otherLines),
      added,
    );
    assert.equal(patterns.find(({ pattern }) => pattern === "often <number>")?.lines, 2000);
    assert.ok((patterns.find(({ pattern }) => pattern === "half of the time")?.lines ?? 0) > 800);
  });
});

/** A distinct word for each number. */
function wordOf(index: number): string {
  return [...index.toString(8)].map((digit) => "ghijklmn"[Number(digit)]).join("");
}
