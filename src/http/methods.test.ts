import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { createMethodTable } from "./methods.ts";
import { type Method, type Route, route } from "./route.ts";

const declared = (method: Method, path: string): Route =>
  route({
    method,
    path,
    summary: "",
    tag: "",
    access: "open",
    responses: { 200: z.object({ path: z.string() }) },
    handle: () => ({ path }),
  });

const routes = [
  declared("GET", "/things"),
  declared("POST", "/things"),
  declared("GET", "/things/{id}"),
  declared("DELETE", "/things/{id}"),
  declared("POST", "/things/search"),
  declared("GET", "/things/{id}/parts"),
  declared("PUT", "/things/{id}/{part}"),
];

describe("the methods of a path", () => {
  const table = createMethodTable(routes);

  const cases: [path: string, methods: string[]][] = [
    ["/things", ["GET", "HEAD", "POST"]],
    ["/things/7", ["GET", "HEAD", "DELETE"]],
    ["/things/search", ["POST"]],
    ["/things/7/parts", ["GET", "HEAD"]],
    ["/things/7/rest", ["PUT"]],
    ["/things/7/rest/more", []],
    ["/nothing", []],
  ];
  for (const [path, methods] of cases) it(`${path}: ${methods.join(", ") || "none"}`, () => assert.deepEqual(table.of(path), methods));

  it("are not those of a template whose parameter would take a part that is fixed elsewhere", async () => {
    assert.deepEqual(table.refused.map(({ method, path }) => `${method} ${path}`).toSorted(), [
      "DELETE /things/search",
      "GET /things/search",
      "PUT /things/{id}/parts",
    ]);
    const { fastify } = createTestServer({ routes });
    for (const [method, url, allow] of [
      ["GET", "/things/search", "POST"],
      ["HEAD", "/things/search", "POST"],
      ["DELETE", "/things/search?x=1", "POST"],
      ["PUT", "/things/7/parts", "GET, HEAD"],
      ["PATCH", "/things/7", "GET, HEAD, DELETE"],
    ] as const) {
      const answer = await fastify.inject({ method, url });
      assert.deepEqual([answer.statusCode, answer.headers["allow"]], [405, allow], `${method} ${url}`);
    }
    assert.equal((await fastify.inject({ method: "POST", url: "/things/search" })).statusCode, 200);
    assert.equal((await fastify.inject({ method: "DELETE", url: "/things/searches" })).statusCode, 200);
  });
});
