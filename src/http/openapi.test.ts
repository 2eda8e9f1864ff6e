import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { ERROR_TABLE } from "../platform/errors.ts";
import { route } from "./route.ts";
import { bodyHead, paging, pathId, queryFlag, timestamp } from "./schemas.ts";

const routes = [
  route({
    method: "GET",
    path: "/api/v1/things/{id}/parts",
    summary: "The parts of a thing",
    tag: "Things",
    access: "admin",
    params: z.object({ id: pathId }),
    query: z.strictObject({ deep: queryFlag.default(false), since: timestamp, ...paging() }),
    responses: { 200: z.object({ parts: z.array(z.object({ name: z.string(), made_at: timestamp.nullable() })) }) },
    handle: () => ({ parts: [] }),
  }),
  route({
    method: "POST",
    path: "/api/v1/things/{id}/parts",
    summary: "Adds a part",
    tag: "Things",
    access: "admin",
    params: z.object({ id: pathId }),
    body: z.strictObject({ name: z.string(), size: z.number().default(1) }),
    responses: { 201: z.object({ id: z.number() }) },
    handle: () => ({ id: 1 }),
  }),
  route({
    method: "POST",
    path: "/notes",
    summary: "Notes whatever comes",
    tag: "Things",
    access: "public",
    body: bodyHead,
    bodyHeadBytes: 10,
    responses: { 200: z.object({ ok: z.literal(true) }) },
    handle: () => ({ ok: true }),
  }),
];

describe("/api/v1/openapi.json", () => {
  const server = createTestServer({ routes });
  const read = async () => (await server.fastify.inject({ url: "/api/v1/openapi.json" })).json();
  let document: Awaited<ReturnType<typeof read>>;
  before(async () => {
    document = await read();
  });

  it("describes every route, itself included", () => {
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1.2.3");
    for (const { method, path } of server.routes) assert.ok(document.paths[path][method.toLowerCase()], `${method} ${path}`);
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
      Object.values(path).map((each) => each.operationId),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it("says of a route that keeps the beginning of any body that it takes any", () => {
    const { requestBody, responses } = document.paths["/notes"].post;
    assert.deepEqual(requestBody, { required: false, content: { "*/*": {} } });
    assert.ok(!("413" in responses || "415" in responses));
  });

  it("takes parameters as they mean, and asks only for those without a default", () => {
    const parameters: { name: string; in: string; required: boolean; schema: { type: string; default?: unknown } }[] =
      document.paths["/api/v1/things/{id}/parts"].get.parameters;
    assert.deepEqual(
      parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema.type, schema.default]),
      [
        ["id", "path", true, "integer", undefined],
        ["deep", "query", false, "boolean", false],
        ["since", "query", true, "string", undefined],
        ["limit", "query", false, "integer", 50],
        ["offset", "query", false, "integer", 0],
      ],
    );
  });

  it("describes bodies as they are sent", () => {
    const { schema } = document.paths["/api/v1/things/{id}/parts"].post.requestBody.content["application/json"];
    assert.deepEqual([schema.required, schema.additionalProperties], [["name"], false]);
  });

  it("lists every error code", () => {
    const responses = JSON.stringify(document.components.responses);
    for (const code of Object.keys(ERROR_TABLE)) assert.ok(responses.includes(`\`${code}\``), code);
    for (const path of Object.values<Record<string, { responses: Record<string, { $ref?: string }> }>>(document.paths)) {
      for (const operation of Object.values(path)) {
        for (const { $ref } of Object.values(operation.responses)) {
          if ($ref !== undefined) assert.ok(document.components.responses[$ref.split("/").at(-1) ?? ""], $ref);
        }
      }
    }
  });
});

it("/metrics counts by route template, and never by address", async () => {
  const server = createTestServer({ routes });
  for (const url of ["/api/v1/things/1/parts?since=x", "/api/v1/things/2/parts", "/wp-login.php", "/api/v1/nothing"])
    await server.fastify.inject({ url });
  const { body, headers, statusCode } = await server.fastify.inject({ url: "/metrics" });
  assert.equal(statusCode, 200);
  assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  assert.match(
    body,
    /binnacle_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/things\/\{id\}\/parts",status="400"\} 2/,
  );
  assert.match(body, /_count\{method="other",route="other",status="404"\} 2/);
  assert.match(body, /^binnacle_http_event_streams 0$/m);
  assert.match(body, /^process_cpu_seconds_total /m);
  assert.doesNotMatch(body, /wp-login/);
});
