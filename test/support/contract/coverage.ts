import { type Edge, edgesOf } from "./boundaries.ts";
import { judgeText } from "./conformity.ts";
import type { Operation, Parameter } from "./document.ts";
import { bodyFits, bodySchema, goodInputs } from "./inputs.ts";
import type { Known } from "./known.ts";
import { type Call, callOf, type Inputs, mediaOf, targetOf, textOf } from "./requests.ts";
import { ODD_TEXTS } from "./values.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] as const;
/** Below what the server reads of an address. */
const LONGEST_TARGET = 8000;

/** An operation at each border of what the document says of it. */
export function* coverageCalls(operation: Operation, known: Known, seed: number): Generator<Call> {
  const inputs = goodInputs(operation, known, { seed });
  if (inputs === undefined) return;
  for (const parameter of operation.parameters) {
    const edges = [
      ...edgesOf(parameter.schema, known, seed),
      ...ODD_TEXTS.map((value) => ({ what: `is ${JSON.stringify(value)}`, value })),
    ];
    yield* parameterCalls(operation, parameter, inputs, edges);
  }
  yield* bodyCalls(operation, inputs, known, seed);
  yield* transportCalls(operation, inputs);
  yield* unknownRecordCalls(operation, inputs);
}

function* parameterCalls(operation: Operation, parameter: Parameter, inputs: Inputs, edges: readonly Edge[]): Generator<Call> {
  const { name, in: place, required, schema } = parameter;
  const where = place === "path" ? "path" : "query";
  const about = (what: string, expected: Call["expected"]): Pick<Call, "phase" | "what" | "expected"> => ({
    phase: "coverage",
    what: `${name} ${what}`,
    expected,
  });
  for (const { what, value } of edges) {
    const text = textOf(value);
    if ((typeof value === "object" && value !== null) || (where === "path" && text === "")) continue;
    const given = { ...inputs, [where]: { ...inputs[where], [name]: value } };
    if (targetOf(operation, given).length > LONGEST_TARGET) continue;
    const fit = judgeText(schema, text);
    yield callOf(operation, given, about(what, fit === "fits" ? "accepted" : fit === "bad" ? "refused" : "any"));
  }
  if (where === "path") return;
  const { [name]: _left, ...others } = inputs.query;
  yield callOf(operation, { ...inputs, query: others }, about("is left out", required ? "refused" : "accepted"));
  yield callOf(operation, { ...inputs, query: { ...others, [name]: ["1", "2"] } }, about("stands there twice", "any"));
}

function* bodyCalls(operation: Operation, inputs: Inputs, known: Known, seed: number): Generator<Call> {
  const schema = bodySchema(operation);
  if (schema === undefined) return;
  for (const { what, value } of edgesOf(schema, known, seed)) {
    if (value === undefined) continue;
    const expected = bodyFits(operation, value) ? "accepted" : "refused";
    yield callOf(operation, { ...inputs, body: value }, { phase: "coverage", what: `the body: ${what}`, expected });
  }
}

/** What is wrong before anything is read by a schema. */
function* transportCalls(operation: Operation, inputs: Inputs): Generator<Call> {
  const call = callOf(operation, inputs, { phase: "coverage", what: "", expected: "any" });
  const media = mediaOf(operation);
  const isJson = media === "application/json";
  if (isJson) {
    const json = { "content-type": "application/json" };
    for (const body of ["{", "\0", "nul", '{"a":', "[".repeat(100), '{"__proto__":{}}'])
      yield { ...call, what: `the body is ${body.slice(0, 20)}`, expected: "refused", headers: json, body };
    yield { ...call, what: "the body is empty", expected: operation.body?.required === true ? "refused" : "any", headers: json, body: "" };
    for (const type of ["text/plain", "application/xml", "application/octet-stream"])
      yield { ...call, what: `the body is ${type}`, expected: 415, headers: { "content-type": type }, body: call.body ?? "{}" };
    yield { ...call, what: "no type of the body is given", expected: "any", headers: {}, body: call.body ?? "{}" };
  } else if (operation.body === undefined && operation.method !== "GET") {
    const headers = { "content-type": "application/json" };
    yield { ...call, what: "a body where none belongs", expected: "refused", headers, body: '{"no_such_key":1}' };
    yield { ...call, what: "a text where no body belongs", expected: "any", headers: { "content-type": "text/plain" }, body: "text" };
  }
  if (operation.method === "GET") {
    yield { ...call, what: "by HEAD", method: "HEAD" };
    yield { ...call, what: "of which any copy is there", headers: { ...call.headers, "if-none-match": "*" } };
  }
  yield { ...call, what: "from another host name", headers: { ...call.headers, host: "elsewhere.example" } };
  yield {
    ...call,
    what: "from another site",
    headers: { ...call.headers, origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
  };
  yield { ...call, what: "with no such parameter", target: `${call.target}${call.target.includes("?") ? "&" : "?"}no_such_parameter=1` };
  yield { ...call, what: "without credentials", headers: { ...call.headers, authorization: "" } };
}

function* unknownRecordCalls(operation: Operation, inputs: Inputs): Generator<Call> {
  const ids = operation.parameters.filter(({ in: place }) => place === "path");
  if (ids.length === 0) return;
  const path = Object.fromEntries(ids.map((parameter) => [parameter.name, unknownId(parameter)]));
  if (ids.some((parameter) => judgeText(parameter.schema, textOf(path[parameter.name])) !== "fits")) return;
  yield callOf(
    operation,
    { ...inputs, path },
    { phase: "coverage", what: "there is no such record", expected: operation.body === undefined ? 404 : "accepted" },
  );
}

function unknownId({ schema }: Parameter): unknown {
  if (schema.type === "integer") return schema.maximum ?? 999_999_999;
  if (schema.format === "uuid") return "00000000-0000-4000-8000-00000000dead";
  return schema.pattern?.includes("16") === true ? "0123456789abcdef" : "no-such-record";
}

/** The path of an operation by each method that it does not take. */
export function* methodCalls(operation: Operation, methods: readonly string[], known: Known, seed: number): Generator<Call> {
  const inputs = goodInputs(operation, known, { seed });
  if (inputs === undefined) return;
  const call = callOf(operation, { path: inputs.path, query: {} }, { phase: "coverage", what: "", expected: 405 });
  for (const method of METHODS) if (!methods.includes(method)) yield { ...call, what: `by ${method}`, method };
}
