import { judgeOf, judgeText } from "./conformity.ts";
import type { Operation, Parameter, Schema } from "./document.ts";
import { idOf, type Known } from "./known.ts";
import { type Inputs, mediaOf, textOf } from "./requests.ts";
import { samples } from "./values.ts";

/** Inputs that an operation allows, of records that exist where some are known. `all`: every parameter, not only what is needed. */
export function goodInputs(operation: Operation, known: Known, { seed, all = false }: { seed: number; all?: boolean }): Inputs | undefined {
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  for (const [index, parameter] of operation.parameters.entries()) {
    if (parameter.in === "query" && !parameter.required && !all) continue;
    const value = goodValue(operation, parameter, known, seed + index);
    if (value === undefined) {
      if (parameter.required) return undefined;
    } else (parameter.in === "path" ? path : query)[parameter.name] = value;
  }
  const schema = bodySchema(operation);
  if (schema === undefined) return { path, query };
  const body = samples(schema, known, { count: 1, seed })[0];
  return body === undefined ? undefined : { path, query, body };
}

function goodValue(operation: Operation, parameter: Parameter, known: Known, seed: number): unknown {
  const { schema } = parameter;
  const existing = parameter.in === "path" ? knownIds(operation, parameter.name, known) : known.of(parameter.name);
  const candidates = [...rotated(existing, seed), ...samples(schema, known, { count: 4, seed })];
  return candidates.find((value) => textOf(value) !== "" && judgeText(schema, textOf(value)) === "fits");
}

/** The ids that may stand in a path: of `/channels/{id}` those of channels. */
function knownIds({ path }: Operation, name: string, known: Known): unknown[] {
  const segments = path.split("/");
  const collection = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  return name === "id" ? known.of(idOf(collection)) : [...known.of(name), ...known.of(idOf(collection))];
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : Math.abs(by) % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** What describes the body that is sent; an operation that takes any has a text. */
export function bodySchema(operation: Operation): Schema | undefined {
  const media = mediaOf(operation);
  if (operation.body === undefined || media === undefined) return undefined;
  return operation.body.content[media] ?? (media === "application/json" ? {} : { type: "string", maxLength: 100 });
}

/** Whether a body, as it arrives, fits. */
export function bodyFits(operation: Operation, body: unknown): boolean {
  const schema = bodySchema(operation);
  if (schema === undefined || mediaOf(operation) !== "application/json") return true;
  return judgeOf(schema)(JSON.parse(JSON.stringify(body))) === undefined;
}
