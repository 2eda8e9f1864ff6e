import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { built } from "../platform/built.ts";
import { ERROR_TABLE, type ErrorCode } from "../platform/errors.ts";
import { once } from "../platform/queues.ts";
import { Answer, operationId, route, type Route } from "./route.ts";
import type { RouteShapes, ShapesOfRoutes } from "./route-shapes.ts";
import { errorEnvelope } from "./schemas.ts";

type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";
const ERROR_SCHEMA: Json = { $ref: "#/components/schemas/Error" };

/** The route of the OpenAPI document, which describes `routes` and itself; made on first use, then kept. */
export function openApiRoute({ routes, version, hasToken }: { routes: readonly Route[]; version: string; hasToken: boolean }): Route {
  const document = once(async () => {
    const described = [...routes, self];
    return Buffer.from(JSON.stringify(openApiDocument(described, await readShapes(described), { version, hasToken })));
  });
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

/** Loads the schemas only when the build did not make the shapes. */
function readShapes(routes: readonly Route[]): Promise<ShapesOfRoutes> {
  return built("route-shapes", async () => (await import("./route-shapes.ts")).shapesOfRoutes(routes));
}

/** Builds an OpenAPI 3.1 document from what routes declare and from the shapes of their schemas. */
function openApiDocument(
  routes: readonly Route[],
  shapes: ShapesOfRoutes,
  { version, hasToken }: { version: string; hasToken: boolean },
): Json {
  const byOperation = new Map(routes.map((each) => [operationId(each), each]));
  const paths: Record<string, Json> = {};
  for (const [id, each] of byOperation) {
    const own = shapes[id];
    if (own === undefined) throw new Error(`no shapes of ${id}`);
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each, { hasToken, shapes: own, byOperation });
  }
  const { $schema: _dialect, ...error } = z.toJSONSchema(errorEnvelope);
  return {
    openapi: "3.1.0",
    info: { title: "Binnacle", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      schemas: { Error: error },
      responses: errorResponses(),
      ...(hasToken ? { securitySchemes: { adminToken: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

interface Context {
  hasToken: boolean;
  shapes: RouteShapes;
  byOperation: ReadonlyMap<string, Route>;
}

function operation(definition: Route, { hasToken, shapes, byOperation }: Context): Json {
  const { parameters, requestBody } = shapes;
  const isGuarded = hasToken && definition.access === "admin";
  const shared = errorStatuses(definition, isGuarded);
  const own = Map.groupBy(definition.errors ?? [], (code) => ERROR_TABLE[code].http);
  const links = linkObjects(shapes.links, byOperation);
  return {
    summary: definition.summary,
    tags: [definition.tag],
    operationId: operationId(definition),
    parameters,
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...Object.fromEntries([...shared.keys()].map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      ...Object.fromEntries(
        [...own].map(([status, codes]) => [status, errorResponse([...new Set([...(shared.get(status) ?? []), ...codes])])]),
      ),
      ...Object.fromEntries(Object.keys(definition.responses).map((status) => [status, response(status, shapes.contents[status], links)])),
    },
    ...(isGuarded ? { security: [{ adminToken: [] }] } : {}),
  };
}

function response(status: string, content: Json | undefined, links: Json): Json {
  const description = STATUS_CODES[status] ?? "Answer";
  if (content === undefined) return { description };
  const isError = Number(status) >= 400;
  return {
    description,
    // A route may declare a page for an error; where no page is shown, the error is JSON.
    content: isError ? { [JSON_TYPE]: { schema: ERROR_SCHEMA }, ...content } : content,
    ...(isError || Object.keys(links).length === 0 ? {} : { links }),
  };
}

/** Only to operations that exist. */
function linkObjects(links: RouteShapes["links"], byOperation: ReadonlyMap<string, Route>): Json {
  return Object.fromEntries(
    Object.entries(links).flatMap(([id, parameters]) => {
      const target = byOperation.get(id);
      return target === undefined ? [] : [[id, { operationId: id, parameters, description: target.summary }]];
    }),
  );
}

/** The errors that any route of its kind can answer, by status. A route declares its special ones itself. */
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
