import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { ERROR_TABLE } from "../platform/errors.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";
import { errorEnvelope } from "./schemas.ts";

type Json = Record<string, unknown>;

/** The route of the OpenAPI document about `routes` and itself; made when first asked for, then kept. */
export function openApiRoute({ routes, version, hasToken }: { routes: readonly Route[]; version: string; hasToken: boolean }): Route {
  let document: Buffer | undefined;
  const self: Route = route({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This document",
    tag: "Meta",
    access: "admin",
    responses: { 200: z.record(z.string(), z.unknown()) },
    handle() {
      document ??= Buffer.from(JSON.stringify(openApiDocument([...routes, self], { version, hasToken })));
      return new Answer(200, document);
    },
  });
  return self;
}

/** An OpenAPI 3.1 document made of the schemas that validate. */
export function openApiDocument(routes: readonly Route[], { version, hasToken }: { version: string; hasToken: boolean }): Json {
  const paths: Record<string, Json> = {};
  for (const each of routes) {
    const path = (paths[each.path] ??= {});
    path[each.method.toLowerCase()] = operation(each, hasToken);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Binnacle", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      schemas: { Error: jsonSchema(errorEnvelope) },
      responses: errorResponses(),
      ...(hasToken ? { securitySchemes: { adminToken: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

function operation(definition: Route, hasToken: boolean): Json {
  return {
    summary: definition.summary,
    tags: [definition.tag],
    operationId: operationId(definition),
    parameters: [...pathParameters(definition), ...queryParameters(definition)],
    ...(definition.body === undefined ? {} : { requestBody: requestBody(definition, definition.body) }),
    responses: {
      ...Object.fromEntries(Object.entries(definition.responses).map(([status, body]) => [status, response(status, body)])),
      ...Object.fromEntries(errorStatuses(definition).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
    ...(hasToken && definition.access === "admin" ? { security: [{ adminToken: [] }] } : {}),
  };
}

function operationId({ method, path }: Route): string {
  return [method.toLowerCase(), ...path.split(/[^a-zA-Z0-9]+/).filter((part) => part !== "")].join("_");
}

function pathParameters({ path, params }: Route): Json[] {
  const { properties } = objectSchema(params);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: properties[name] ?? { type: "string" },
  }));
}

function queryParameters({ query }: Route): Json[] {
  const { properties, required } = objectSchema(query);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: required.has(name), schema }));
}

/** What a parameter means once parsed, and whether it may be left out before that. */
function objectSchema(schema: z.ZodType | undefined): { properties: Record<string, unknown>; required: Set<unknown> } {
  if (schema === undefined) return { properties: {}, required: new Set() };
  const { properties } = jsonSchema(schema, "output");
  const { required } = jsonSchema(schema, "input");
  return { properties: Object.fromEntries(Object.entries(properties ?? {})), required: new Set(Array.isArray(required) ? required : []) };
}

function requestBody({ form, bodyHeadBytes }: Route, body: z.ZodType): Json {
  if (bodyHeadBytes !== undefined) return { required: false, content: { "*/*": {} } };
  const schema = jsonSchema(body, "input");
  return {
    required: !body.safeParse(undefined).success,
    content: {
      "application/json": { schema },
      ...(form === true ? { "application/x-www-form-urlencoded": { schema } } : {}),
    },
  };
}

function response(status: string, body: z.ZodType | string): Json {
  const description = STATUS_CODES[status] ?? "Answer";
  if (status === "204") return { description };
  return {
    description,
    content: typeof body === "string" ? { [body]: {} } : { "application/json": { schema: jsonSchema(body, "output") } },
  };
}

/** The errors that any route of its kind can answer with; what is special to one it declares itself. */
function errorStatuses({ params, query, body, bodyHeadBytes, capability, access, path, responses }: Route): number[] {
  const statuses = new Set([500, 503]);
  if (access !== "open") statuses.add(429);
  if (params !== undefined || query !== undefined || body !== undefined) statuses.add(400);
  if (path.includes("{")) statuses.add(404);
  if (body !== undefined) [403, ...(bodyHeadBytes === undefined ? [413, 415] : [])].forEach((status) => statuses.add(status));
  if (capability !== undefined) statuses.add(403);
  return [...statuses].filter((status) => !(status in responses)).sort();
}

function errorResponses(): Record<string, Json> {
  const statuses = Map.groupBy(Object.entries(ERROR_TABLE), ([, row]) => row.http);
  return Object.fromEntries(
    [...statuses].map(([status, rows]) => [
      status,
      {
        description: rows.map(([code, { when }]) => `\`${code}\`: ${when}`).join("\n\n"),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
