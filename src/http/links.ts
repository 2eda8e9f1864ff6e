import { z } from "zod";
import type { LoadedRoute } from "./loaded-route.ts";
import type { Route } from "./route.ts";

/** Where an answer of a route has a value that the path of another route takes. Source: OpenAPI 3.1, Link Object. */
export interface RouteLink {
  target: Route;
  /** Runtime expressions, by parameter. */
  parameters: Record<string, string>;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** How deep in an answer a list of records may be: containers are within groups. */
const DEEPEST = 2;

/**
 * The links of a route's successful answer: from a collection to its records, and from a created record to all that can be done with it. They follow
 * from the paths: `/things` is the collection of `/things/{id}/parts`. A route declares links that do not follow from paths.
 */
export function linksOf(definition: LoadedRoute, routes: readonly Route[]): RouteLink[] {
  const answer = definition.responses[definition.method === "POST" ? 201 : 200] ?? definition.responses[202];
  if (answer === undefined || typeof answer === "string" || !("_zod" in answer) || !isCollection(definition)) return [];
  const schema: Schema = z.toJSONSchema(answer, { io: "output", unrepresentable: "any" });
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
function pointerTo(schema: Schema, name: string, depth = 0): string | undefined {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const list = name.endsWith("_id") ? `${name.slice(0, -"_id".length)}s` : "";
  if (properties.some(([key]) => key === list)) return `/${list}/0/id`;
  const field = properties.find(([key]) => key === name) ?? properties.find(([key]) => key === "id");
  if (field !== undefined) return `/${field[0]}`;
  if (depth > DEEPEST) return undefined;
  for (const [key, each] of properties) {
    const isList = each.type === "array" && each.items !== undefined;
    if (!isList && each.type !== "object") continue;
    const rest = pointerTo(isList ? (each.items as Schema) : each, name, depth + 1);
    if (rest !== undefined) return `/${key}${isList ? "/0" : ""}${rest}`;
  }
  return undefined;
}
