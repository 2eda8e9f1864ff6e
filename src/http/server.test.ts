import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog, createTestServer } from "../../test/support/http-server.ts";
import { ServiceError } from "../platform/errors.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";
import { openEventStream } from "./sse.ts";
import { pathId } from "./schemas.ts";

const about = { summary: "a thing", tag: "Things", access: "admin" } as const;
const anything = { 200: z.unknown() };
const cached = Buffer.from('{"cached":true}');

const routes: Route[] = [
  route({
    ...about,
    method: "GET",
    path: "/api/v1/things",
    responses: anything,
    query: z.strictObject({ limit: z.coerce.number().max(10).default(5), sort: z.enum(["name"]).optional() }),
    handle: ({ query }) => ({ query }),
  }),
  route({
    ...about,
    method: "POST",
    path: "/api/v1/things",
    responses: { 201: z.unknown() },
    body: z.strictObject({ name: z.string().min(1), parts: z.array(z.strictObject({ size: z.number() })).optional() }),
    handle: ({ body }) => new Answer(201, body, { location: "/api/v1/things/1" }),
  }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/things/{id}",
    responses: anything,
    params: z.object({ id: pathId }),
    handle: ({ params }) => ({ id: params.id }),
  }),
  route({
    ...about,
    method: "DELETE",
    path: "/api/v1/things/{id}",
    responses: { 204: z.unknown() },
    params: z.object({ id: pathId }),
    handle: () => undefined,
  }),
  route({
    ...about,
    method: "POST",
    path: "/api/v1/things/{id}/poke",
    responses: anything,
    params: z.object({ id: pathId }),
    handle: () => ({ poked: true }),
  }),
  route({ ...about, method: "GET", path: "/api/v1/cached", responses: anything, handle: () => cached }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/missing",
    responses: anything,
    handle: () => {
      throw new ServiceError("not_found", "There is no container 7.");
    },
  }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/bug",
    responses: anything,
    handle: async () => {
      throw new Error("secret path /etc/x");
    },
  }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/sync-bug",
    responses: anything,
    handle: () => {
      throw new TypeError("secret");
    },
  }),
  route({ ...about, method: "GET", path: "/api/v1/paid", responses: anything, capability: "posture", handle: () => ({}) }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/stream",
    stream: true,
    responses: { 200: "text/event-stream" },
    handle: () => openEventStream(async () => undefined),
  }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/no-stream",
    stream: true,
    responses: { 200: "text/event-stream" },
    handle() {
      throw new ServiceError("not_found", "There is nothing to follow.");
    },
  }),
  route({ ...about, method: "GET", path: "/status/", access: "public", responses: { 200: "text/html" }, handle: () => "<!doctype html>" }),
  route({
    ...about,
    method: "POST",
    path: "/status/subscribe",
    access: "public",
    limit: { count: 2, windowSeconds: 3600 },
    responses: anything,
    handle: () => ({}),
  }),
];

const json = { "content-type": "application/json" };

describe("every response", () => {
  const server = createTestServer({ routes });
  const requests = [
    { method: "GET", url: "/api/v1/cached" },
    { method: "HEAD", url: "/api/v1/cached" },
    { method: "GET", url: "/api/v1/nothing" },
    { method: "DELETE", url: "/api/v1/cached" },
    { method: "OPTIONS", url: "/api/v1/cached" },
    { method: "GET", url: "/api/v1/bug" },
    { method: "GET", url: "/api/v1/things/x" },
    { method: "POST", url: "/api/v1/things", payload: "{", headers: json },
    { method: "GET", url: "/%zz" },
    { method: "GET", url: `/api/v1/things/${"9".repeat(300)}` },
    { method: "GET", url: "/api/v1/cached", headers: { host: "evil.example" } },
    { method: "GET", url: "/" },
    { method: "GET", url: "/api/v1/stream" },
    { method: "GET", url: "/metrics" },
    { method: "GET", url: "/status/" },
    { method: "GET", url: "/status/nothing" },
    { method: "GET", url: "/status" },
    { method: "GET", url: "/statuses" },
  ] as const;

  for (const request of requests) {
    it(`carries the security headers: ${request.method} ${request.url.slice(0, 40)}`, async () => {
      const { headers, statusCode } = await server.fastify.inject(request);
      const isStatus = /^\/status(\/|$)/.test(request.url);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["referrer-policy"], "strict-origin-when-cross-origin");
      assert.equal(headers["x-frame-options"], isStatus ? undefined : "DENY");
      assert.equal(
        headers["content-security-policy"],
        "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; script-src 'self'; " +
          `style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors ${isStatus ? "*" : "'none'"}`,
      );
      assert.match(String(headers["x-request-id"]), /^[0-9a-f-]{36}$/);
      for (const absent of ["server", "x-powered-by", "strict-transport-security", "access-control-allow-origin"])
        assert.equal(headers[absent], undefined);
      assert.notEqual(statusCode, 0);
    });
  }

  it("has our own request id, whatever came in", async () => {
    const { headers } = await server.fastify.inject({ url: "/api/v1/cached", headers: { "x-request-id": "mine" } });
    assert.notEqual(headers["x-request-id"], "mine");
  });
});

describe("errors", () => {
  const log = createMemoryLog();
  const server = createTestServer({ routes, log });
  const ask = async (
    method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS",
    url: string,
    payload?: string,
    headers: Record<string, string> = json,
  ) => {
    const response = await server.fastify.inject({ method, url, ...(payload === undefined ? {} : { payload, headers }) });
    return { status: response.statusCode, headers: response.headers, body: response.body === "" ? undefined : response.json() };
  };

  it("are the envelope", async () => {
    const { status, body, headers } = await ask("GET", "/api/v1/missing");
    assert.equal(status, 404);
    assert.deepEqual(body, { error: { code: "not_found", message: "There is no container 7." } });
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
  });

  it("hide a defect and log it with the request id", async () => {
    for (const path of ["/api/v1/bug", "/api/v1/sync-bug"]) {
      const { status, body, headers } = await ask("GET", path);
      assert.equal(status, 500);
      assert.equal(body.error.code, "internal");
      assert.doesNotMatch(JSON.stringify(body), /secret/);
      const line = log.lines.at(-1);
      assert.equal(line?.level, "error");
      assert.equal(line?.fields["request_id"], headers["x-request-id"]);
      assert.match(String(line?.fields["err"] instanceof Error && line.fields["err"].stack), /secret/);
    }
  });

  it("name every fault at once", async () => {
    const { status, body } = await ask("POST", "/api/v1/things", JSON.stringify({ name: "", parts: [{ size: "1", extra: 1 }], naem: 1 }));
    assert.equal(status, 400);
    assert.equal(body.error.code, "validation_failed");
    assert.deepEqual(body.error.details.map((fault: { path: string }) => fault.path).sort(), [
      "naem",
      "name",
      "parts.0.extra",
      "parts.0.size",
    ]);
  });

  it("bound what they repeat of a body that is wrong everywhere", async () => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${"k".repeat(20)}${index}`, 1]));
    const { body } = await ask("POST", "/api/v1/things", JSON.stringify({ ...keys, ["x".repeat(100_000)]: 1 }));
    assert.equal(body.error.details.length, 100);
    assert.ok(JSON.stringify(body).length < 20_000);
  });

  const refused: [what: string, status: number, code: string, ...Parameters<typeof ask>][] = [
    ["a path id that is a word", 400, "invalid_request", "GET", "/api/v1/things/seven"],
    ["a path id in another notation", 400, "invalid_request", "GET", "/api/v1/things/0x10"],
    ["a path id too great for a number", 400, "invalid_request", "GET", "/api/v1/things/9999999999999999"],
    ["a path id with dots", 400, "invalid_request", "GET", "/api/v1/things/..%2f..%2fetc"],
    ["a bad query", 400, "invalid_request", "GET", "/api/v1/things?limit=11"],
    ["an unknown query key", 400, "invalid_request", "GET", "/api/v1/things?limits=1"],
    ["a query value given twice", 400, "invalid_request", "GET", "/api/v1/things?sort=name&sort=name"],
    ["not JSON", 400, "invalid_request", "POST", "/api/v1/things", "{name}"],
    ["no body", 400, "validation_failed", "POST", "/api/v1/things", ""],
    ["JSON null", 400, "validation_failed", "POST", "/api/v1/things", "null"],
    ["a key that is a prototype's", 400, "invalid_request", "POST", "/api/v1/things", '{"name":"a","__proto__":{"admin":true}}'],
    ["the same, escaped", 400, "invalid_request", "POST", "/api/v1/things", '{"name":"a","\\u005f_proto__":{"admin":true}}'],
    ["JSON nested too deep", 400, "invalid_request", "POST", "/api/v1/things", "[".repeat(500_000)],
    ["a body where none belongs", 400, "validation_failed", "POST", "/api/v1/things/1/poke", '{"hard":true}'],
    ["text", 415, "unsupported_media_type", "POST", "/api/v1/things", "name=a", { "content-type": "text/plain" }],
    ["a form", 415, "unsupported_media_type", "POST", "/api/v1/things", "name=a", { "content-type": "application/x-www-form-urlencoded" }],
    ["no content type", 415, "unsupported_media_type", "POST", "/api/v1/things", "name=a", {}],
    ["a body of 10 MB", 413, "payload_too_large", "POST", "/api/v1/things", `{"name":"${"a".repeat(10_000_000)}"}`],
    ["an unknown path", 404, "not_found", "GET", "/api/v1/nothing"],
    ["/ping", 404, "not_found", "GET", "/ping"],
    ["/ping/", 404, "not_found", "GET", "/ping/"],
    ["broken JSON for an unknown path", 404, "not_found", "POST", "/api/v1/nothing", "{"],
    ["another method", 405, "method_not_allowed", "PATCH", "/api/v1/things/1"],
    ["a long address", 400, "invalid_request", "GET", `/api/v1/things?sort=${"a".repeat(9000)}`],
  ];
  for (const [what, status, code, ...request] of refused) {
    it(`${what}: ${status} ${code}`, async () => {
      const answer = await ask(...request);
      assert.equal(answer.status, status);
      assert.equal(answer.body.error.code, code);
    });
  }

  it("a bracket inside a string is not nesting", async () => {
    assert.equal((await ask("POST", "/api/v1/things", JSON.stringify({ name: '["{\\'.repeat(100) }))).status, 201);
  });

  it("405 says what is allowed, and so does OPTIONS", async () => {
    assert.equal((await ask("PUT", "/api/v1/things/1")).headers["allow"], "GET, HEAD, DELETE");
    const options = await ask("OPTIONS", "/api/v1/things/1");
    assert.deepEqual([options.status, options.headers["allow"]], [204, "GET, HEAD, DELETE"]);
  });

  it("a capability that is not granted", async () => {
    const gated = createTestServer({
      routes,
      config: { adminToken: "a-token-of-the-admin" },
      gate(capability) {
        throw new ServiceError("EDITION_REQUIRED", `${capability} needs the Personal edition.`, { capability });
      },
    });
    const response = await gated.fastify.inject({ url: "/api/v1/paid" });
    assert.deepEqual([response.statusCode, response.json().error.code], [403, "EDITION_REQUIRED"]);
  });
});

describe("answers", () => {
  const server = createTestServer({ routes });

  it("are JSON, a Buffer as it stands, or nothing", async () => {
    assert.deepEqual((await server.fastify.inject({ url: "/api/v1/things" })).json(), { query: { limit: 5 } });
    const buffer = await server.fastify.inject({ url: "/api/v1/cached" });
    assert.equal(buffer.headers["content-type"], "application/json; charset=utf-8");
    assert.deepEqual(buffer.json(), { cached: true });
    const created = await server.fastify.inject({ method: "POST", url: "/api/v1/things", payload: { name: "a" } });
    assert.deepEqual([created.statusCode, created.headers["location"], created.json()], [201, "/api/v1/things/1", { name: "a" }]);
    const deleted = await server.fastify.inject({ method: "DELETE", url: "/api/v1/things/1" });
    assert.deepEqual([deleted.statusCode, deleted.body], [204, ""]);
    assert.equal((await server.fastify.inject({ method: "POST", url: "/api/v1/things/1/poke" })).statusCode, 200);
  });

  it("to HEAD are those to GET without the body", async () => {
    const head = await server.fastify.inject({ method: "HEAD", url: "/api/v1/cached" });
    assert.deepEqual([head.statusCode, head.headers["content-length"], head.body], [200, String(cached.length), ""]);
    const stream = await server.fastify.inject({ method: "HEAD", url: "/api/v1/stream" });
    assert.deepEqual([stream.statusCode, stream.headers["content-type"]], [200, "text/event-stream"]);
    const missing = await server.fastify.inject({ method: "HEAD", url: "/api/v1/no-stream" });
    assert.deepEqual([missing.statusCode, missing.body], [404, ""]);
  });

  it("that take more than 10 seconds are given up", async () => {
    const clock = createFakeClock();
    const log = createMemoryLog();
    const begun = Promise.withResolvers<void>();
    const endless = route({
      ...about,
      method: "GET",
      path: "/api/v1/slow",
      responses: anything,
      handle({ signal }) {
        begun.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("given up"))));
      },
    });
    const slow = createTestServer({ routes: [endless], clock, log });
    let answered = false;
    const asked = slow.fastify.inject({ url: "/api/v1/slow" }).then((response) => {
      answered = true;
      return response;
    });
    await begun.promise;
    await clock.advance(9_999);
    assert.equal(answered, false);
    await clock.advance(1);
    const response = await asked;
    assert.deepEqual([response.statusCode, response.json().error.code], [503, "request_timeout"]);
    await clock.advance(0);
    assert.deepEqual(
      log.lines.map(({ level, fields }) => [level, fields["reason"]]),
      [["debug", "given up"]],
      "its signal was aborted, and the outcome goes to the log alone",
    );
  });
});

describe("limits", () => {
  const statuses = async (server: ReturnType<typeof createTestServer>, count: number, url: string, method: "GET" | "POST" = "GET") => {
    const responses = await Promise.all(Array.from({ length: count }, () => server.fastify.inject({ method, url })));
    return { responses, passed: responses.filter(({ statusCode }) => statusCode !== 429).length };
  };

  it("hold 20 public and 200 admin requests of one address at once, each for itself", async () => {
    const server = createTestServer({ routes, clock: createFakeClock() });
    const { responses, passed } = await statuses(server, 30, "/status/");
    assert.equal(passed, 20);
    const refusal = responses.at(-1);
    assert.equal(refusal?.headers["retry-after"], "1");
    assert.deepEqual(refusal?.json(), { error: { code: "rate_limited", message: "Too many requests" } });
    assert.equal((await statuses(server, 210, "/api/v1/cached")).passed, 200);
    assert.equal((await statuses(server, 1, "/ping/nothing")).passed, 0, "an unknown public path counts as public");
    assert.equal((await statuses(server, 300, "/manifest.webmanifest")).passed, 300);
  });

  it("of a route come on top", async () => {
    const server = createTestServer({ routes, clock: createFakeClock() });
    assert.equal((await statuses(server, 5, "/status/subscribe", "POST")).passed, 2);
  });

  it("of a route are not used up by what another site makes a browser send", async () => {
    const server = createTestServer({ routes, clock: createFakeClock() });
    const post = async (headers: Record<string, string>) =>
      (await server.fastify.inject({ method: "POST", url: "/status/subscribe", headers })).statusCode;
    for (let time = 0; time < 5; time += 1) assert.equal(await post({ origin: "https://evil.example" }), 403);
    assert.deepEqual([await post({}), await post({}), await post({})], [200, 200, 429]);
  });

  it("count the address that a trusted proxy names", async () => {
    const server = createTestServer({
      routes,
      clock: createFakeClock(),
      config: { trustedProxies: { includes: (address) => address === "127.0.0.1" } },
    });
    const from = async (address: string) =>
      (await server.fastify.inject({ url: "/status/", headers: { "x-forwarded-for": address } })).statusCode;
    for (let count = 0; count < 20; count += 1) assert.equal(await from("192.0.2.1"), 200);
    assert.deepEqual([await from("192.0.2.1"), await from("192.0.2.2")], [429, 200]);
  });
});
