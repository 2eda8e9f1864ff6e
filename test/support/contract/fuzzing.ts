import { fc } from "../seed.ts";
import type { Operation } from "./document.ts";
import { bodyFits, bodySchema, goodInputs } from "./inputs.ts";
import type { Known } from "./known.ts";
import { type Call, callOf, mediaOf } from "./requests.ts";
import { samples } from "./values.ts";

/** Random inputs: `count` that the document allows, and as many that it does not. */
export function* fuzzCalls(operation: Operation, known: Known, { count, seed }: { count: number; seed: number }): Generator<Call> {
  for (let index = 0; index < count; index += 1) {
    const inputs = goodInputs(operation, known, { seed: seed + index * 7919, all: index % 2 === 1 });
    if (inputs === undefined) return;
    yield callOf(operation, inputs, { phase: "fuzzing", what: "valid", expected: "accepted" });
    const body = badBody(operation, known, seed + index);
    if (body !== undefined) yield callOf(operation, { ...inputs, body }, { phase: "fuzzing", what: "invalid", expected: "refused" });
  }
}

/** A body that does not fit: a good one with a part replaced; undefined when chance finds none. */
function badBody(operation: Operation, known: Known, seed: number): unknown {
  const schema = bodySchema(operation);
  if (schema === undefined || mediaOf(operation) !== "application/json") return undefined;
  const good = samples(schema, known, { count: 1, seed })[0];
  const changes = fc.sample(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { numRuns: 10, seed });
  return changes.map(([place, value]) => replaced(good, place, value)).find((body) => body !== undefined && !bodyFits(operation, body));
}

function replaced(value: unknown, place: number, by: unknown): unknown {
  if (typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[place % (keys.length + 1)];
  if (key === undefined) return by;
  const part = (value as Record<string, unknown>)[key];
  const next = replaced(part, Math.floor(place / (keys.length + 1)), by);
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === key ? next : each));
  return { ...value, [key]: next };
}
