import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import {
  canFilterBy,
  ESCAPED_LETTER,
  FIELD_OPERATORS,
  type FieldCondition,
  meetsConditions,
  partsOfConditions,
  readFieldFilter,
  writeFieldCondition,
} from "./field-filter.ts";
import { readFields } from "./log-fields.ts";

function read(text: string): readonly FieldCondition[] {
  const conditions = readFieldFilter(text);
  assert.ok(!("fault" in conditions), JSON.stringify(conditions));
  return conditions;
}

describe("a filter by fields", () => {
  const line = '{"level":"Error","status":503,"http":{"path":"/api/Stock"},"at":"2026-03-01T12:00:00Z","took":"12ms"}';
  const cases: [string, boolean][] = [
    ["", true],
    ["level=error", true],
    ["level=err", false],
    ["level!=error", false],
    ["level!=warn  status>=500", true],
    ["status>503", false],
    ["status>=503", true],
    ["status<1000", true],
    ["status<=503 status>60", true],
    ["http.path~api/stock", true],
    ['http.path="/api/Stock"', true],
    ["at>=2026-03-01T00:00:00Z at<2026-03-02", true],
    ["took>5", false],
    ["took<5", false],
    ["status=503 level=warn", false],
    ["missing!=1", false],
  ];
  for (const [filter, expected] of cases)
    test(`${filter || "(empty)"}: ${expected}`, () => assert.equal(meetsConditions(readFields(line) ?? [], read(filter)), expected));

  const faults: [string, RegExp][] = [
    ["level", /^At character 1: expected a condition such as .*, not "level"$/],
    ["level=error  status>>5", /^At character 14: .*"status>>5"$/],
    ["=5", /^At character 1/],
    ["level=", /^At character 1/],
    ['msg~"open', /^At character 1/],
    [Array.from({ length: 11 }, (_, index) => `a${index}=1`).join(" "), /^At most 10 conditions, these are 11$/],
  ];
  for (const [filter, message] of faults)
    test(`refuses ${filter.slice(0, 30)}`, () => {
      const refused = readFieldFilter(filter);
      assert.ok("fault" in refused);
      assert.match(refused.fault, message);
    });

  const condition = fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 20 }).filter(canFilterBy),
      operator: fc.constantFrom(...FIELD_OPERATORS),
      value: fc.string(),
    },
    { noNullPrototype: true },
  );

  test("is read as it was written", () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 10 }), (conditions) => {
        const written = conditions.map(writeFieldCondition).join(" ");
        assert.deepEqual(read(written), conditions);
      }),
    );
  });

  test("names parts that each line which meets it has", () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true }).map(String), fc.integer().map(String));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }).filter(canFilterBy), value, fc.boolean(), (name, text, isNumber) => {
        const given = isNumber && Number.isFinite(Number(text)) && text.trim() !== "" ? Number(text) : text;
        const written = JSON.stringify({ [name]: given });
        const fields = readFields(written) ?? [];
        for (const { name: key, value: found } of fields) {
          for (const operator of ["=", "~"] as const) {
            const parts = partsOfConditions([{ name: key, operator, value: found }]);
            const lowered = written.toLowerCase();
            assert.ok(lowered.includes(ESCAPED_LETTER) || parts.every((part) => lowered.includes(part)), `${written} ${parts.join()}`);
          }
        }
      }),
    );
  });
});
