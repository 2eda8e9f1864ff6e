import { judgeOf } from "./conformity.ts";
import type { Schema } from "./document.ts";
import type { Known } from "./known.ts";
import { ODD_TEXTS, samples } from "./values.ts";

/** A value with what is special about it. */
export interface Edge {
  what: string;
  value: unknown;
}

const LONGEST = 300_000;
const WRONG_TYPES: readonly unknown[] = [null, true, 1, 1.5, "text", [], {}, -1, 1e308];

/** Values at the borders of a schema, on both sides; which side, the validator says. */
export function edgesOf(schema: Schema, known: Known, seed: number): Edge[] {
  const choices = schema.anyOf ?? schema.oneOf;
  const edges = choices === undefined ? ownEdges(schema, known, seed) : choices.flatMap((each) => edgesOf(each, known, seed));
  const wrong = WRONG_TYPES.map((value) => ({ what: `is ${JSON.stringify(value)}`, value }));
  const seen = new Set<string>();
  return [...edges, ...wrong].filter(({ value }) => {
    const text = JSON.stringify(value) ?? "";
    return !seen.has(text) && seen.add(text).size > 0;
  });
}

function ownEdges(schema: Schema, known: Known, seed: number): Edge[] {
  if (schema.enum !== undefined || schema.const !== undefined) return choiceEdges(schema.enum ?? [schema.const]);
  switch ([schema.type].flat()[0]) {
    case "integer":
    case "number":
      return numberEdges(schema);
    case "string":
      return textEdges(schema, known, seed);
    case "array":
      return arrayEdges(schema, known, seed);
    case "object":
      return objectEdges(schema, known, seed);
    default:
      return [];
  }
}

function choiceEdges(choices: readonly unknown[]): Edge[] {
  return [
    ...choices.map((value) => ({ what: `is ${String(value)}`, value })),
    { what: "is none of the choices", value: "no_such_choice" },
    ...choices.slice(0, 1).map((value) => ({ what: "is a choice in capitals", value: String(value).toUpperCase() })),
  ];
}

function numberEdges({ minimum, maximum }: Schema): Edge[] {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  return [
    ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map((value) => ({ what: `is ${value}`, value })),
    ...[0, 2 ** 31, 2 ** 53, -(2 ** 53), 1e20, 0.1].map((value) => ({ what: `is ${value}`, value })),
  ];
}

function textEdges(schema: Schema, known: Known, seed: number): Edge[] {
  const { minLength = 0, maxLength } = schema;
  const lengths = [
    minLength - 1,
    minLength,
    minLength + 1,
    ...(maxLength === undefined ? [10_000] : [maxLength - 1, maxLength, maxLength + 1]),
  ];
  const fit = samples(schema, known, { count: 3, seed }).map((value) => String(value));
  const long = lengths
    .map((length) => Math.min(Math.max(length, 0), LONGEST))
    .flatMap((length) => [
      { what: `has ${length} characters`, value: "a".repeat(length) },
      { what: `has ${length} characters beyond the first plane`, value: "🚀".repeat(length) },
    ]);
  const stretched = fit
    .slice(0, 1)
    .flatMap((text) =>
      lengths
        .filter((length) => length > text.length && length <= LONGEST)
        .map((length) => ({ what: `is stretched to ${length} characters`, value: text.padEnd(length, text.at(-1) ?? "a") })),
    );
  return [
    ...fit.map((value) => ({ what: `is ${JSON.stringify(value).slice(0, 60)}`, value })),
    ...fit.slice(0, 2).flatMap((text) => [
      { what: "has a space before it", value: ` ${text}` },
      { what: "has a line break behind it", value: `${text}\n` },
      { what: "is in capitals", value: text.toUpperCase() },
      { what: "lacks its last character", value: text.slice(0, -1) },
    ]),
    ...long,
    ...stretched,
    ...ODD_TEXTS.map((value) => ({ what: `is ${JSON.stringify(value)}`, value })),
    { what: "is a huge text", value: "x".repeat(LONGEST) },
  ];
}

function arrayEdges(schema: Schema, known: Known, seed: number): Edge[] {
  const { items = {}, minItems = 0, maxItems } = schema;
  const item = samples(items, known, { count: 1, seed })[0];
  const lengths = [minItems - 1, minItems, ...(maxItems === undefined ? [1, 200] : [maxItems, maxItems + 1])];
  const whole = item === undefined ? [] : [item];
  return [
    ...lengths
      .filter((length) => length >= 0)
      .map((length) => ({ what: `has ${length} items`, value: Array.from({ length }, () => item) })),
    ...edgesOf(items, known, seed).map(({ what, value }) => ({ what: `has an item that ${what}`, value: [...whole, value] })),
  ];
}

function objectEdges(schema: Schema, known: Known, seed: number): Edge[] {
  const { properties = {}, additionalProperties } = schema;
  return basesOf(schema, known, seed).flatMap((base, index) => [
    { what: index === 0 ? "has what it must have" : "has all that it can have", value: base },
    ...Object.keys(base).map((key) => ({ what: `lacks ${key}`, value: without(base, key) })),
    { what: "has a key that is not known", value: { ...base, no_such_key: 1 } },
    { what: "has a reserved key", value: { ...base, constructor: { prototype: 1 } } },
    ...Object.entries(properties).flatMap(([key, each]) =>
      edgesOf(each, known, seed).map(({ what, value }) => ({ what: `${key} ${what}`, value: { ...base, [key]: value } })),
    ),
    ...(typeof additionalProperties === "object"
      ? edgesOf(additionalProperties, known, seed).map(({ what, value }) => ({
          what: `another key ${what}`,
          value: { ...base, other: value },
        }))
      : []),
  ]);
}

/** The smallest object that fits, and the largest. */
function basesOf(schema: Schema, known: Known, seed: number): Record<string, unknown>[] {
  const fits = judgeOf(schema);
  const bases = samples(schema, known, { count: 8, seed }).filter(
    (value): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  const bySize = bases.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);
  const [first] = bySize;
  if (first === undefined) return [];
  const least = Object.keys(first).reduce((kept, key) => (fits(without(kept, key)) === undefined ? without(kept, key) : kept), first);
  const most: Record<string, unknown> = Object.assign({}, ...bySize, least);
  if (fits(most) !== undefined) return [least, bySize.at(-1) ?? first];
  return Object.keys(most).length > Object.keys(least).length ? [least, most] : [least];
}

function without(object: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _left, ...rest } = object;
  return rest;
}
