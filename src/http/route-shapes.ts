import { z } from "zod";
import { isObject } from "../platform/object.ts";
import { loadTaken, type TakenSchemas } from "./input.ts";
import { type AnswerShape, loadSchema } from "./later-schemas.ts";
import { operationId, type Route } from "./route.ts";

type Json = Record<string, unknown>;
type JsonSchema = z.core.JSONSchema.BaseSchema;

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

/** A route whose schemas are all loaded. */
export interface LoadedRoute extends Omit<Route, keyof TakenSchemas>, TakenSchemas {
  responses: Readonly<Record<number, z.ZodType | string | readonly (z.ZodType | string)[]>>;
}

export async function loadRoute(route: Route): Promise<LoadedRoute> {
  const { params: _params, query: _query, body: _body, ...rest } = route;
  const loaded = Object.entries(route.responses).map(async ([status, declared]) => {
    if (!Array.isArray(declared)) return [status, await loadShape(declared as AnswerShape)] as const;
    return [status, await Promise.all((declared as readonly AnswerShape[]).map(loadShape))] as const;
  });
  return { ...rest, ...(await loadTaken(route)), responses: Object.fromEntries(await Promise.all(loaded)) };
}

async function loadShape(shape: AnswerShape): Promise<z.ZodType | string> {
  return typeof shape === "string" ? shape : loadSchema(shape);
}

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
  return namesIn(path).map((name) => ({
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
  return isObject(schema) && ["type", "anyOf", "oneOf", "enum", "const"].some((keyword) => keyword in schema);
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

/** Where an answer of a route has a value that the path of another route takes. Source: OpenAPI 3.1, Link Object. */
export interface RouteLink {
  target: Route;
  /** Runtime expressions, by parameter. */
  parameters: Record<string, string>;
}

/** How deep in an answer a list of records may be: containers are within groups. */
const DEEPEST = 2;

/**
 * The links of a route's successful answer: from a collection to its records, and from a created record to all that can be done with it. They follow
 * from the paths: `/things` is the collection of `/things/{id}/parts`. A route declares links that do not follow from paths.
 */
export function linksOf(definition: LoadedRoute, routes: readonly Route[]): RouteLink[] {
  const answer = definition.responses[definition.method === "POST" ? 201 : 200] ?? definition.responses[202];
  if (answer === undefined || typeof answer === "string" || !("_zod" in answer) || !isCollection(definition)) return [];
  const schema: JsonSchema = z.toJSONSchema(answer, { io: "output", unrepresentable: "any" });
  const own = namesIn(definition.path);
  return routes.flatMap((target) => {
    const source = target.path.startsWith(`${definition.path}/{`)
      ? parameterAfter(definition.path, target.path)
      : definition.leadsTo?.[target.path];
    const name = namesIn(target.path).find((each) => !own.includes(each));
    if (source === undefined || name === undefined || namesIn(target.path).length !== own.length + 1) return [];
    const pointer = pointerTo(schema, source);
    if (pointer === undefined) return [];
    const parameters = { ...Object.fromEntries(own.map((each) => [each, `$request.path.${each}`])), [name]: `$response.body#${pointer}` };
    return [{ target, parameters }];
  });
}

/** Whether a route creates or lists records, and does not act on one of them. */
function isCollection({ method }: Route): boolean {
  return method === "GET" || method === "POST";
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function parameterAfter(collection: string, path: string): string | undefined {
  return /^\{(\w+)\}(?:\/|$)/.exec(path.slice(collection.length + 1))?.[1];
}

/**
 * Where the value of a parameter is: under its own name, in a list of such records, or as the id of the answer, of the one record in it, or of the
 * first one.
 */
function pointerTo(schema: JsonSchema, name: string, depth = 0): string | undefined {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const list = name.endsWith("_id") ? `${name.slice(0, -"_id".length)}s` : "";
  if (properties.some(([key]) => key === list)) return `/${list}/0/id`;
  const field = properties.find(([key]) => key === name) ?? properties.find(([key]) => key === "id");
  if (field !== undefined) return `/${field[0]}`;
  if (depth > DEEPEST) return undefined;
  for (const [key, each] of properties) {
    const isList = each.type === "array" && each.items !== undefined;
    if (!isList && each.type !== "object") continue;
    const rest = pointerTo(isList ? (each.items as JsonSchema) : each, name, depth + 1);
    if (rest !== undefined) return `/${key}${isList ? "/0" : ""}${rest}`;
  }
  return undefined;
}
