import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { readFields } from "./log-fields.ts";

const pairs = (line: string): [string, string][] | null => readFields(line)?.map(({ name, value }) => [name, value]) ?? null;

describe("the fields of a line", () => {
  const lines: [string, [string, string][] | null][] = [
    [
      '{"level":"warn","status":500,"ok":false,"user":null}',
      [
        ["level", "warn"],
        ["status", "500"],
        ["ok", "false"],
        ["user", "null"],
      ],
    ],
    [
      ' {"http":{"status":200,"headers":{"a b":"c"}},"tags":["x",1]} ',
      [
        ["http.status", "200"],
        ["http.headers.a b", "c"],
        ["tags", '["x",1]'],
      ],
    ],
    ['{"a":{"b":{"c":{"d":{"e":1}}}}}', [["a.b.c.d", '{"e":1}']]],
    ['{"msg":"\\u001b[31mred\\nline"}', [["msg", "\u001b[31mred\nline"]]],
    [
      '{"__proto__":{"x":1},"constructor":"y"}',
      [
        ["__proto__.x", "1"],
        ["constructor", "y"],
      ],
    ],
    [
      '{"id":12345678901234567890,"took":1.50,"size":2e3,"small":0.0000001}',
      [
        ["id", "12345678901234567890"],
        ["took", "1.50"],
        ["size", "2e3"],
        ["small", "0.0000001"],
      ],
    ],
    [
      'time=2026-03-01T12:00:00Z level=info msg="say \\"hi\\"\\tto C:\\\\x" took=12ms empty=',
      [
        ["time", "2026-03-01T12:00:00Z"],
        ["level", "info"],
        ["msg", 'say "hi"\tto C:\\x'],
        ["took", "12ms"],
        ["empty", ""],
      ],
    ],
    ["level=info", null],
    ["GET /search?q=lamp&page=2 took=3ms", null],
    ["ready", null],
    ["", null],
    ['{"level":"error","msg":"cut in the mid', null],
    ['{"level":"error"} and more', null],
    ["{}", null],
    ["{not json}", null],
    ['[{"a":1}]', null],
    ['a=1 b="open', null],
    ['a="1"b=2 c=3', null],
  ];
  for (const [line, expected] of lines) test(line, () => assert.deepEqual(pairs(line), expected));

  test("are bounded, whatever a line has", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]));
    assert.equal(readFields(JSON.stringify(many))?.length, 64);
    assert.equal(readFields(Array.from({ length: 5000 }, (_, index) => `f${index}=1`).join(" "))?.length, 64);
    assert.equal(readFields(`{"${"n".repeat(101)}":1}`), null);
    assert.equal(readFields(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`)?.length ?? 0, 0);
  });

  test("are read quickly from hostile lines", () => {
    const before = performance.now();
    for (const line of [`a="${"\\".repeat(60_000)}`, "a=1 ".repeat(16_000) + "x", "=".repeat(60_000), `${"x".repeat(60_000)}=1 b=2`])
      readFields(line);
    assert.ok(performance.now() - before < 2_000);
  });

  test("of an object are its own", () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((each) => !/^\d+$/.test(each));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string(), { minKeys: 1, maxKeys: 20 }), (object) => {
        assert.deepEqual(pairs(JSON.stringify(object)), Object.entries(object));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readFields(text)));
  });
});
