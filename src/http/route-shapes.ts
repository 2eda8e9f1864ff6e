import { z } from "zod";
import { linksOf } from "./links.ts";
import { type LoadedRoute, loadRoute } from "./loaded-route.ts";
import { operationId, type Route } from "./route.ts";

type Json = Record<string, unknown>;

/** The parts of the OpenAPI document that follow from a route's schemas. Their JSON Schemas take most of a second to make for all routes. */
export interface RouteShapes {
  /** Parameter Objects. */
  parameters: readonly Json[];
  /** A Request Body Object. */
  requestBody?: Json;
  /** Media Type Objects by status and media type; undefined without a body. */
  contents: Readonly<Record<string, Json | undefined>>;
  /** Runtime expressions by parameter, for each operation that the answer links to. */
  links: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** By operation. */
export type ShapesOfRoutes = Readonly<Record<string, RouteShapes>>;

const JSON_TYPE = "application/json";

export async function shapesOfRoutes(declared: readonly Route[]): Promise<ShapesOfRoutes> {
  const routes = await Promise.all(declared.map(loadRoute));
  return Object.fromEntries(routes.map((each) => [operationId(each), shapesOf(each, routes)]));
}

function shapesOf(definition: LoadedRoute, routes: readonly LoadedRoute[]): RouteShapes {
  const links = linksOf(definition, routes).map(({ target, parameters }) => [operationId(target), parameters] as const);
  return {
    parameters: [...pathParameters(definition), ...queryParameters(definition)],
    ...(definition.body === undefined ? {} : { requestBody: requestBody(definition, definition.body) }),
    contents: Object.fromEntries(Object.entries(definition.responses).map(([status, body]) => [status, contentOf(status, body)])),
    links: Object.fromEntries(links),
  };
}

function pathParameters({ path, params }: LoadedRoute): Json[] {
  const { properties } = objectSchema(params);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: properties[name] ?? { type: "string" },
  }));
}

function queryParameters({ query }: LoadedRoute): Json[] {
  const { properties, required } = objectSchema(query);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: required.has(name), schema }));
}

/** Describes parameters by their parsed values; required are those that the input must have. */
function objectSchema(schema: z.ZodType | undefined): { properties: Record<string, unknown>; required: Set<unknown> } {
  if (schema === undefined) return { properties: {}, required: new Set() };
  const { properties } = jsonSchema(schema, "output");
  const { properties: sent, required } = jsonSchema(schema, "input");
  const texts = new Map(Object.entries(sent ?? {}));
  return {
    properties: Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, meant]) => [name, isDescribed(meant) ? meant : (texts.get(name) ?? meant)]),
    ),
    required: new Set(Array.isArray(required) ? required : []),
  };
}

/** The schema of a value that a function made of a text says nothing; then the text is described. */
function isDescribed(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && ["type", "anyOf", "oneOf", "enum", "const"].some((keyword) => keyword in schema);
}

function requestBody({ form, bodyHeadBytes }: LoadedRoute, body: z.ZodType): Json {
  if (bodyHeadBytes !== undefined) return { required: false, content: { "*/*": {} } };
  const schema = jsonSchema(body, "input");
  return {
    required: !body.safeParse(undefined).success,
    content: {
      [JSON_TYPE]: { schema },
      ...(form === true ? { "application/x-www-form-urlencoded": { schema } } : {}),
    },
  };
}

function contentOf(status: string, declared: LoadedRoute["responses"][number]): Json | undefined {
  if (status === "204" || declared === "") return undefined;
  const bodies = [declared].flat();
  return Object.fromEntries(
    bodies.map((body) => (typeof body === "string" ? [body, {}] : [JSON_TYPE, { schema: jsonSchema(body, "output") }])),
  );
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json & { properties?: object; required?: unknown } {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
