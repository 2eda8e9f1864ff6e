import type { Operation } from "./document.ts";
import { bodySchema, goodInputs } from "./inputs.ts";
import type { Known } from "./known.ts";
import { type Call, callOf } from "./requests.ts";

/** An operation with as little as it needs, and with what the document gives as examples and defaults. */
export function* exampleCalls(operation: Operation, known: Known, seed: number): Generator<Call> {
  const inputs = goodInputs(operation, known, { seed });
  if (inputs === undefined) return;
  yield callOf(operation, inputs, { phase: "examples", what: "as little as it needs", expected: "accepted" });
  for (const { name, in: place, schema } of operation.parameters)
    for (const value of [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])]) {
      const where = place === "path" ? "path" : "query";
      const given = { ...inputs, [where]: { ...inputs[where], [name]: value } };
      yield callOf(operation, given, { phase: "examples", what: `${name} as in the document`, expected: "accepted" });
    }
  for (const body of bodySchema(operation)?.examples ?? [])
    yield callOf(operation, { ...inputs, body }, { phase: "examples", what: "a body of the document", expected: "accepted" });
}
