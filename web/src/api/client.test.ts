import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ApiError, request, urlOf } from "./client.ts";

test("a route's address has what is given in the place of its names, escaped, and what is asked for behind", () => {
  assert.equal(urlOf("GET /api/v1/containers"), "/api/v1/containers");
  assert.equal(urlOf("GET /api/v1/kubernetes/workloads/{id}", { params: { id: "a b/c?" } }), "/api/v1/kubernetes/workloads/a%20b%2Fc%3F");
  assert.equal(urlOf("GET /api/v1/containers/{id}/logs", { params: { id: 7 }, query: { lines: 5 } }), "/api/v1/containers/7/logs?lines=5");
  assert.equal(urlOf("GET /api/v1/containers", { query: { archived: true, cursor: undefined } }), "/api/v1/containers?archived=true");
});

test("a refusal says after what time to ask again, where the server does", async (t) => {
  const body = JSON.stringify({ error: { code: "rate_limited", message: "Too many requests" } });
  const answers = [{ "retry-after": "2" }, {}, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }].map(
    (headers) => new Response(body, { status: 429, headers: Object.entries(headers) }),
  );
  mock.method(globalThis, "fetch", () => Promise.resolve(answers.shift()));
  t.after(() => mock.restoreAll());
  for (const retryAfterMs of [2000, undefined, undefined])
    await assert.rejects(
      request("GET /api/v1/containers"),
      (error) => error instanceof ApiError && error.code === "rate_limited" && error.retryAfterMs === retryAfterMs,
    );
});

/** Never run: what is no route, or not of its shape, is a mistake that `npm run check` finds. */
export const refused = [
  // @ts-expect-error There is no such route.
  () => request("GET /api/v1/contianers"),
  // @ts-expect-error It needs an id.
  () => request("GET /api/v1/containers/{id}"),
  // @ts-expect-error It is narrowed by other things.
  () => request("GET /api/v1/containers", { query: { colour: "red" } }),
  // @ts-expect-error A heartbeat has a name.
  () => request("POST /api/v1/heartbeats", { body: { interval_seconds: 60 } }),
  // @ts-expect-error It takes no body.
  () => request("POST /api/v1/heartbeats/{id}/pause", { params: { id: 1 }, body: { paused: true } }),
  // @ts-expect-error The answer is a list of heartbeats.
  async () => (await request("GET /api/v1/heartbeats")).endpoints,
];
