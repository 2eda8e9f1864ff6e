import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestServer } from "../../test/support/http-server.ts";
import { route } from "./route.ts";

const common = { method: "GET", summary: "-", tag: "-", responses: { 200: "text/plain" }, handle: () => "fine" } as const;
const { fastify } = createTestServer({
  routes: [
    route({ ...common, path: "/api/v1/things", access: "admin" }),
    route({ ...common, method: "DELETE", path: "/api/v1/things/{id}", access: "admin" }),
    route({ ...common, path: "/api/v1/well", access: "admin", answersProbes: true }),
    route({ ...common, path: "/ping/{uuid}", access: "public" }),
  ],
});

async function codeFor(method: "GET" | "DELETE", url: string, mark = "1"): Promise<[status: number, code: unknown]> {
  const answer = await fastify.inject({ method, url, headers: { "x-service-probe": mark } });
  return [answer.statusCode, answer.statusCode < 400 ? undefined : answer.json().error.code];
}

describe("checks of endpoints, whatever their path", () => {
  const refused = [
    ["GET", "/api/v1/things"],
    ["DELETE", "/api/v1/things/1"],
    ["GET", "/api/v1/openapi.json"],
    ["GET", "/api/v1/nothing"],
    ["DELETE", "/api/v1/things"],
  ] as const;
  for (const [method, url] of refused) {
    it(`are refused by ${method} ${url}`, async () => {
      assert.deepEqual(await codeFor(method, url), [403, "probe_refused"]);
      assert.deepEqual(await codeFor(method, url, ""), [403, "probe_refused"]);
    });
  }

  for (const url of ["/api/v1/well", "/ping/1", "/metrics"]) {
    it(`are answered by ${url}`, async () => assert.deepEqual((await codeFor("GET", url))[0], 200));
  }
});
