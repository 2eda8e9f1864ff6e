import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { refuseFaults, type ServiceError } from "../platform/errors.ts";
import { BULK_BODY_BYTES, bulkBody, callerKey, createItemFaults, MOST_ITEMS } from "./bulk.ts";
import { route } from "./route.ts";

const PATH = "/api/v1/things:bulk";
const server = createTestServer({
  routes: [
    route({
      method: "PUT",
      path: PATH,
      summary: "",
      tag: "",
      access: "admin",
      bulk: { list: "things" },
      body: bulkBody("things", z.strictObject({ key: callerKey, size: z.number().max(9).optional(), note: z.string().optional() })),
      responses: { 200: z.unknown() },
      handle: ({ body }) => ({ count: body.things.length }),
    }),
    route({
      method: "PUT",
      path: "/api/v1/things/{id}",
      summary: "",
      tag: "",
      access: "admin",
      params: z.strictObject({ id: z.string() }),
      body: z.strictObject({ note: z.string() }),
      responses: { 200: z.unknown() },
      handle: () => ({}),
    }),
  ],
});
const put = (payload: object, url = PATH) => server.fastify.inject({ method: "PUT", url, payload });
const things = (count: number, facts: object = {}) => Array.from({ length: count }, (_, index) => ({ key: `t${index}`, ...facts }));

describe("a bulk operation", () => {
  it("has a colon in its path", async () => {
    assert.deepEqual((await put({ things: things(3) })).json(), { count: 3 });
    const { statusCode, headers } = await server.fastify.inject({ method: "GET", url: PATH });
    assert.deepEqual([statusCode, headers["allow"]], [405, "PUT"]);
    assert.equal((await put({ things: things(1) }, "/api/v1/thingsbulk")).statusCode, 404);
    assert.equal((await put({ things: things(1) }, "/api/v1/things:other")).statusCode, 404);
  });

  it("takes as many items as it may, and not one more", async () => {
    assert.deepEqual((await put({ things: things(MOST_ITEMS) })).json(), { count: MOST_ITEMS });
    const more = await put({ things: things(MOST_ITEMS + 1) });
    assert.deepEqual([more.statusCode, more.json().error.code], [400, "validation_failed"]);
    assert.equal((await put({ things: [] })).statusCode, 400);
  });

  it("may be larger than other requests, and no larger than its own limit", async () => {
    const note = "a".repeat(2 * 1024 ** 2);
    assert.equal((await put({ things: [{ key: "a", note }] })).statusCode, 200);
    assert.equal((await put({ note }, "/api/v1/things/7")).statusCode, 413);
    const larger = await put({ things: [{ key: "a", note: "a".repeat(BULK_BODY_BYTES) }] });
    assert.deepEqual(larger.json().error, {
      code: "payload_too_large",
      message: "The body is larger than 8 MiB. Send fewer items at once.",
    });
  });

  it("may be as large as all requests where that is more, and says how large", async () => {
    const bulk = route({
      method: "PUT",
      path: PATH,
      summary: "",
      tag: "",
      access: "admin",
      bulk: { list: "things" },
      body: z.unknown(),
      responses: { 200: z.unknown() },
      handle: () => ({}),
    });
    const { fastify } = createTestServer({ routes: [bulk], config: { maxBodyBytes: 10.5 * 1024 ** 2 } });
    const { statusCode, body } = await fastify.inject({ method: "PUT", url: PATH, payload: { note: "a".repeat(11 * 1024 ** 2) } });
    assert.equal(statusCode, 413);
    assert.match(body, /larger than 10\.5 MiB\. Send fewer items/);
  });

  it("names every mistake with its item's key, also where items mean the same record", async () => {
    const answer = await put({ things: [...things(4000, { size: 10 }), { key: "t7" }, { key: "ä" }, { size: 1 }] });
    const { details } = answer.json().error;
    assert.equal(details.length, 4003);
    assert.partialDeepStrictEqual(details[3999], { path: "things.3999.size", key: "t3999" });
    assert.deepEqual(details.slice(4000), [
      { path: "things.4001.key", message: "Must have 1 to 200 visible ASCII characters, and no space", key: "ä" },
      { path: "things.4002.key", message: details[4001].message },
      { path: "things.4000.key", message: "Is the same as that of item 7", key: "t7" },
    ]);
    const faults = createItemFaults("things");
    for (let index = 0; index < MOST_ITEMS; index += 1)
      faults.attempt(index, `t${index}`, () => refuseFaults([1, 2, 3].map((path) => ({ path: String(path), message: "Wrong" }))));
    assert.throws(faults.refuse, (error: ServiceError) => Array.isArray(error.details) && error.details.length === MOST_ITEMS);
    const twice = await put({ things: [{ key: "a" }, { key: "b" }, { key: "a" }] });
    assert.deepEqual([twice.statusCode, twice.json().error.code], [409, "unusable_values"]);
  });
});
