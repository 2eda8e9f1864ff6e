import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { linksOf, type LoadedRoute } from "./route-shapes.ts";
import { type Method, type RouteDefinition, route } from "./route.ts";

const thing = z.object({ id: z.number(), uuid: z.uuid(), parts: z.array(z.object({ id: z.number() })) });

function declared(method: Method, path: string, parts: Partial<RouteDefinition<undefined, undefined, undefined>> = {}): LoadedRoute {
  // Each has its schemas at hand.
  return route({
    method,
    path,
    summary: "",
    tag: "",
    access: "open",
    responses: { 204: "" },
    handle: () => undefined,
    ...parts,
  }) as LoadedRoute;
}

const create = declared("POST", "/things", { responses: { 201: thing }, leadsTo: { "/ping/{uuid}": "uuid" } });
const list = declared("GET", "/things", {
  responses: { 200: z.object({ groups: z.array(z.object({ name: z.string(), things: z.array(thing) })), total: z.number() }) },
});
const addPart = declared("POST", "/things/{id}/parts", { responses: { 201: thing } });
const wrapped = declared("POST", "/boxes", { responses: { 201: z.object({ box: thing, latest: thing.nullable() }) } });
const begin = declared("POST", "/scan", { responses: { 202: z.object({ scan_id: z.uuid() }) } });
const routes = [
  ...[create, list, addPart, wrapped, begin],
  declared("GET", "/things/{id}"),
  declared("DELETE", "/things/{id}/parts/{part_id}"),
  declared("GET", "/boxes/{id}"),
  declared("GET", "/scan/{scan_id}"),
  declared("GET", "/ping/{uuid}"),
  declared("GET", "/others/{id}"),
];

/** Each link in one line. */
const described = (from: LoadedRoute): string[] =>
  linksOf(from, routes).map(({ target, parameters }) => `${target.method} ${target.path} ${JSON.stringify(parameters)}`);

describe("links of what a route answers", () => {
  it("lead from what is created to all that can be done with it", () => {
    assert.deepEqual(described(create), [
      'POST /things/{id}/parts {"id":"$response.body#/id"}',
      'GET /things/{id} {"id":"$response.body#/id"}',
      'GET /ping/{uuid} {"uuid":"$response.body#/uuid"}',
    ]);
    assert.deepEqual(described(wrapped), ['GET /boxes/{id} {"id":"$response.body#/box/id"}']);
    assert.deepEqual(described(begin), ['GET /scan/{scan_id} {"scan_id":"$response.body#/scan_id"}']);
  });

  it("lead from a list to its first record, also within groups", () => {
    assert.deepEqual(described(list), [
      'POST /things/{id}/parts {"id":"$response.body#/groups/0/things/0/id"}',
      'GET /things/{id} {"id":"$response.body#/groups/0/things/0/id"}',
    ]);
  });

  it("take from the request what it had already", () => {
    assert.deepEqual(described(addPart), [
      'DELETE /things/{id}/parts/{part_id} {"id":"$request.path.id","part_id":"$response.body#/parts/0/id"}',
    ]);
  });
});
