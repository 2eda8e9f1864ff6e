import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** As in the fixture: the little of JSON Schema that the definitions of Kubernetes need. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

const FILE = new URL("kubernetes-schemas.json", import.meta.url);
// The file is our own; its shape is this.
const { kinds, definitions } = JSON.parse(readFileSync(FILE, "utf8")) as {
  kinds: Record<string, string>;
  definitions: Record<string, Schema>;
};

/**
 * What a Kubernetes API server that validates strictly finds wrong with an object, by the published schemas: fields that there are not, fields that are
 * missing, values of another type, format or enumeration. Empty when nothing is. Which schemas, the fixture says.
 */
export function faultsOf(object: unknown): string[] {
  const { apiVersion, kind } = isObject(object) ? object : {};
  const name = kinds[`${String(apiVersion)} ${String(kind)}`];
  if (name === undefined) return [`there is no kind ${String(apiVersion)} ${String(kind)}`];
  return [...faultsIn(object, { $ref: name }, String(kind))];
}

function* faultsIn(value: unknown, schema: Schema, where: string): Generator<string> {
  if (schema.$ref !== undefined) {
    const referred = definitions[schema.$ref];
    if (referred === undefined) throw new Error(`the fixture has no ${schema.$ref}`);
    yield* faultsIn(value, referred.properties === undefined ? referred : { type: "object", ...referred }, where);
    return;
  }
  const types = schema.type === undefined ? [typeOf(value)] : [schema.type].flat();
  if (!types.some((type) => isOfType(value, type))) return yield `${where} is no ${types.join(" or ")}`;
  if (schema.enum?.some((allowed) => isDeepStrictEqual(allowed, value)) === false) yield `${where} is none of ${schema.enum.join(", ")}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value))) yield `${where} does not match ${schema.pattern}`;
  if (!fits(value, schema.format)) yield `${where} is no ${schema.format}`;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* faultsIn(item, schema.items ?? {}, `${where}[${index}]`);
  if (isObject(value)) yield* faultsInFields(value, schema, where);
}

function* faultsInFields(
  value: Record<string, unknown>,
  { properties, additionalProperties, required = [] }: Schema,
  where: string,
): Generator<string> {
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${where}.${name} is missing`;
  for (const [name, part] of Object.entries(value)) {
    const field = properties === undefined ? (additionalProperties ?? {}) : Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined) yield `${where}.${name} is no field`;
    else yield* faultsIn(part, field, `${where}.${name}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  return value !== null && typeOf(value) === type;
}

function fits(value: unknown, format: string | undefined): boolean {
  if (format === "int32") return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
  if (format === "byte") return typeof value === "string" && Buffer.from(value, "base64").toString("base64") === value;
  if (format === "date-time") return !Number.isNaN(Date.parse(String(value)));
  return true;
}
