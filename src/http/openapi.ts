import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { ERROR_TABLE, type ErrorCode } from "../platform/errors.ts";
import { once } from "../platform/once.ts";
import { nextTurnWhenDue } from "../platform/time-slice.ts";
import { linksOf, type RouteLink } from "./links.ts";
import { loadAnswers, type LoadedRoute } from "./loaded-route.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";
import { errorEnvelope } from "./schemas.ts";

type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";
const ERROR_SCHEMA: Json = { $ref: "#/components/schemas/Error" };

/** The route of the OpenAPI document about `routes` and itself; made when first asked for, then kept. */
export function openApiRoute({ routes, version, hasToken }: { routes: readonly Route[]; version: string; hasToken: boolean }): Route {
  const document = once(async () => Buffer.from(JSON.stringify(await openApiDocument([...routes, self], { version, hasToken }))));
  const self: Route = route({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This document",
    tag: "Meta",
    access: "admin",
    responses: { 200: z.record(z.string(), z.unknown()) },
    handle: async () => new Answer(200, await document()),
  });
  return self;
}

/** An OpenAPI 3.1 document made of the schemas that validate. */
export async function openApiDocument(
  declared: readonly Route[],
  { version, hasToken }: { version: string; hasToken: boolean },
): Promise<Json> {
  const routes = await Promise.all(declared.map(loadAnswers));
  const paths: Record<string, Json> = {};
  for (const each of routes) {
    const path = (paths[each.path] ??= {});
    path[each.method.toLowerCase()] = operation(each, { hasToken, links: linksOf(each, routes) });
    const turn = nextTurnWhenDue();
    if (turn !== undefined) await turn;
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

function operation(definition: LoadedRoute, { hasToken, links }: { hasToken: boolean; links: readonly RouteLink[] }): Json {
  const isGuarded = hasToken && definition.access === "admin";
  const shared = errorStatuses(definition, isGuarded);
  const own = Map.groupBy(definition.errors ?? [], (code) => ERROR_TABLE[code].http);
  return {
    summary: definition.summary,
    tags: [definition.tag],
    operationId: operationId(definition),
    parameters: [...pathParameters(definition), ...queryParameters(definition)],
    ...(definition.body === undefined ? {} : { requestBody: requestBody(definition, definition.body) }),
    responses: {
      ...Object.fromEntries([...shared.keys()].map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      ...Object.fromEntries(
        [...own].map(([status, codes]) => [status, errorResponse([...new Set([...(shared.get(status) ?? []), ...codes])])]),
      ),
      ...Object.fromEntries(Object.entries(definition.responses).map(([status, body]) => [status, response(status, body, links)])),
    },
    ...(isGuarded ? { security: [{ adminToken: [] }] } : {}),
  };
}

/** How the OpenAPI document calls a route. */
export function operationId({ method, path }: Route): string {
  const parts = path.replace(/\/$/, "/index").split(/[^a-zA-Z0-9]+/);
  return [method.toLowerCase(), ...parts.filter((part) => part !== "")].join("_");
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
  const { properties: sent, required } = jsonSchema(schema, "input");
  const texts = new Map(Object.entries(sent ?? {}));
  return {
    properties: Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, meant]) => [name, isDescribed(meant) ? meant : (texts.get(name) ?? meant)]),
    ),
    required: new Set(Array.isArray(required) ? required : []),
  };
}

/** What a function makes of a text has no schema; then the text itself is described. */
function isDescribed(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && ["type", "anyOf", "oneOf", "enum", "const"].some((keyword) => keyword in schema);
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

function response(status: string, declared: LoadedRoute["responses"][number], links: readonly RouteLink[]): Json {
  const description = STATUS_CODES[status] ?? "Answer";
  if (status === "204" || declared === "") return { description };
  const isError = Number(status) >= 400;
  const bodies = [declared].flat();
  return {
    description,
    content: {
      // A page refuses in the same words as everything else where there is no page of its own for it.
      ...(isError && typeof declared === "string" ? { [JSON_TYPE]: { schema: ERROR_SCHEMA } } : {}),
      ...Object.fromEntries(
        bodies.map((body) => (typeof body === "string" ? [body, {}] : [JSON_TYPE, { schema: jsonSchema(body, "output") }])),
      ),
    },
    ...(isError || links.length === 0 ? {} : { links: Object.fromEntries(links.map(linkObject)) }),
  };
}

function linkObject({ target, parameters }: RouteLink): [name: string, link: Json] {
  return [operationId(target), { operationId: operationId(target), parameters, description: target.summary }];
}

/** The errors that any route of its kind can answer with, by status; what is special to one it declares itself. */
function errorStatuses(
  { method, body, bodyHeadBytes, capability, access, path, limit, answersProbes }: Route,
  isGuarded: boolean,
): ReadonlyMap<number, readonly ErrorCode[]> {
  const readsJson = method !== "GET" && bodyHeadBytes === undefined;
  const codes: ErrorCode[] = [
    ...(["invalid_request", "cross_origin_refused", "misdirected_request", "internal", "storage_unavailable", "request_timeout"] as const),
    ...(access === "admin" && answersProbes !== true ? (["probe_refused"] as const) : []),
    ...(isGuarded ? (["unauthorized"] as const) : []),
    ...(access !== "open" || limit !== undefined ? (["rate_limited"] as const) : []),
    ...(path.includes("{") ? (["not_found"] as const) : []),
    ...(capability === undefined ? [] : (["EDITION_REQUIRED"] as const)),
    ...(readsJson ? (["validation_failed", "payload_too_large", "unsupported_media_type"] as const) : []),
    ...(readsJson && body !== undefined ? (["unusable_values"] as const) : []),
  ];
  return Map.groupBy(codes, (code) => ERROR_TABLE[code].http);
}

function errorResponses(): Record<string, Json> {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  return Object.fromEntries([...Map.groupBy(codes, (code) => ERROR_TABLE[code].http)].map(([status, all]) => [status, errorResponse(all)]));
}

function errorResponse(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].when}`).join("\n\n"),
    content: { [JSON_TYPE]: { schema: ERROR_SCHEMA } },
  };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): Json & { properties?: object; required?: unknown } {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
