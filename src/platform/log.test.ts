import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { createLog, type LogOptions } from "./log.ts";

function setUp(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", destination: { write: (line) => void lines.push(line) }, ...options });
  return { log, lines, last: (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? "null") };
}

test("a line has a time, a level, the part of the program, the message and its fields", () => {
  const { log, last } = setUp();
  log.child({ component: "storage" }).warn({ rows: 3 }, "slow");
  const { time, ...rest } = last();
  assert.deepEqual(rest, { level: "warn", component: "storage", rows: 3, msg: "slow" });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("is silent below its level", () => {
  const { log, lines } = setUp({ level: "warn" });
  log.info({}, "no");
  log.error({}, "yes");
  assert.equal(lines.length, 1);
});

for (const format of ["json", "pretty"] as const) {
  for (const name of ["token", "password", "authorization", "secret"]) {
    test(`a ${name} is not written, as a field or inside of one (${format})`, () => {
      const { log, lines } = setUp({ format });
      log.info({ [name]: "hunter2", request: { [name]: "hunter2", path: "/x" } }, "requested");
      log.child({ component: "x" }).error({ err: Object.assign(new Error("no"), { [name]: "hunter2" }) }, "failed");
      assert.equal(lines.length, 2);
      assert.doesNotMatch(lines.join(""), /hunter2/);
      assert.match(lines[0] ?? "", /\*\*\*.*\*\*\*/);
      assert.match(lines[0] ?? "", /\/x/);
    });
  }
}

test("the pretty format is for reading", () => {
  const { log, lines } = setUp({ format: "pretty" });
  log.child({ component: "storage" }).info({ path: "/data/x.db", rows: 3, found: { a: 1 } }, "opened");
  assert.match(lines[0] ?? "", /^\d\d:\d\d:\d\d\.\d{3} INFO {2}storage: opened {2}path=\/data\/x\.db rows=3 found={"a":1}\n$/);
  log.error({ err: new Error("no") }, "failed");
  assert.match(lines[1] ?? "", /ERROR failed\nError: no\n {4}at .*\n/);
});

test("what comes from outside cannot steer the terminal or forge a line", () => {
  const { log, lines } = setUp({ format: "pretty" });
  const evil = "\u001b[2J\n12:00:00.000 INFO all is well\r\u202e\u009b";
  log.warn({ name: evil, deep: { name: evil }, err: new Error(evil) }, evil);
  const [line = ""] = lines;
  assert.doesNotMatch(line.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
  assert.match(line.split("\n")[0] ?? "", /\\u001b\[2J.*name=.*deep=/);
});

test("odd values never make it throw, and every line is one", () => {
  const circle: Record<string, unknown> = { a: 1n };
  circle["itself"] = circle;
  const throwing = {
    toJSON() {
      throw new Error("no");
    },
  };
  for (const format of ["json", "pretty"] as const) {
    const { log, lines } = setUp({ format });
    for (const value of [
      circle,
      throwing,
      { throwing },
      { err: null },
      { err: "text" },
      { err: { stack: 5 } },
      { time: 5, level: {}, msg: [] },
    ])
      log.error(value, "odd");
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withMap: true })), (fields) => {
        const before = lines.length;
        log.error(fields, "odd");
        log.error({ err: fields, fields }, "odd");
        assert.equal(lines.length, before + 2);
        for (const line of lines.slice(before)) assert.ok(line.endsWith("\n"));
      }),
    );
  }
});
