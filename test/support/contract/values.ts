import { DAY_MS } from "../../../src/contract/time.ts";
import { fc } from "../seed.ts";
import { judgeOf } from "./conformity.ts";
import type { Schema } from "./document.ts";
import type { Known } from "./known.ts";

/** Texts that programs stumble over. */
export const ODD_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\u200b",
  "\u001b[31m",
  "\u202etxt.exe",
  "\ud800",
  "🚀",
  "İ",
  "e\u0301",
  "%00",
  "../..",
  "'\"; --",
  "<script>",
  "null",
  "constructor",
  "__proto__",
  "１２",
  "\ufeff",
  "\u{e0041}",
  "\u{f0000}",
] as const;

/** Values that a schema describes; `known` gives ids of records that exist, by the name of the field. */
export function valuesOf(schema: Schema, known: Known, name = ""): fc.Arbitrary<unknown> {
  const fits = judgeOf(schema);
  const given = [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default]), ...known.of(name)];
  const fitting = given.filter((value) => fits(value) === undefined);
  const drawn = drawnBy(schema, known, name);
  return fitting.length === 0 ? drawn : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: drawn });
}

function drawnBy(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((each) => valuesOf(each, known, name)));
  if (schema.allOf !== undefined) return drawnBy(merged(schema), known, name);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => drawnBy({ ...schema, type }, known, name)));
  switch (types[0]) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case "string":
      return textsOf(schema);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 4),
      });
    case "object":
      return objectsOf(schema, known);
    default:
      // Keys that could reach a prototype are refused before any schema is asked.
      return fc.jsonValue({ maxDepth: 2 }).filter((value) => JSON.stringify(value)?.includes("__proto__") !== true);
  }
}

function merged(schema: Schema): Schema {
  const { allOf = [], ...rest } = schema;
  return Object.assign({}, ...allOf, rest) as Schema;
}

function objectsOf({ properties = {}, required = [], additionalProperties, propertyNames }: Schema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, valuesOf(each, known, key)]));
  const record = fc.record(fields, { requiredKeys: required.filter((key) => Object.hasOwn(fields, key)) });
  if (typeof additionalProperties !== "object") return record;
  const key = propertyNames?.type === undefined ? fc.string({ minLength: 1, maxLength: 20 }) : valuesOf(propertyNames, known);
  const others = fc.dictionary(key as fc.Arbitrary<string>, valuesOf(additionalProperties, known), { maxKeys: 3 });
  return fc.tuple(record, others).map(([declared, rest]) => ({ ...rest, ...declared }));
}

function textsOf(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = minLength + 40, pattern, format } = schema;
  const fits = judgeOf(schema);
  const texts: fc.Arbitrary<string>[] = [];
  const formatted = format === undefined ? undefined : FORMATS[format];
  if (formatted !== undefined) texts.push(formatted());
  const matching = pattern === undefined || format === "date-time" ? undefined : textsMatching(pattern);
  if (matching !== undefined) texts.push(matching);
  const lengths = { minLength, maxLength: Math.min(maxLength, minLength + 60) };
  // Of a pattern that may stand anywhere in a text, many texts have a part.
  if (texts.length === 0 || pattern?.startsWith("^") === false)
    texts.push(fc.string({ unit: "grapheme", ...lengths }), fc.string({ unit: "binary", ...lengths }), fc.string(lengths));
  const odd = ODD_TEXTS.filter((text) => fits(text) === undefined);
  if (odd.length > 0) texts.push(fc.constantFrom(...odd));
  return fc.oneof(...texts);
}

const FORMATS: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  // Half of them soon, since what is planned begins and ends within months.
  "date-time": () =>
    fc
      .oneof(
        fc.date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true }),
        fc.date({ min: new Date(), max: new Date(Date.now() + 200 * DAY_MS), noInvalidDate: true }),
      )
      .map((date) => date.toISOString()),
  date: () => fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  uuid: () => fc.uuid(),
  email: () =>
    fc.tuple(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[a-z]{1,10}$/)).map(([who, where]) => `${who}@${where}.example`),
  uri: () => fc.webUrl(),
};

/** Undefined where the pattern is one that cannot be turned round. */
function textsMatching(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    return undefined;
  }
}

/** Some of what a schema describes, by the validator; none when chance finds none. */
export function samples(schema: Schema, known: Known, { count, seed }: { count: number; seed: number }): unknown[] {
  const fits = judgeOf(schema);
  const values = valuesOf(schema, known);
  const draw = (numRuns: number): unknown[] => fc.sample(values, { numRuns, seed }).filter((value) => fits(value) === undefined);
  const drawn = draw(count * 3);
  return (drawn.length > 0 ? drawn : draw(100)).slice(0, count);
}
