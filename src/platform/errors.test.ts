import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { codeOf, ERROR_TABLE, isServiceError, messageOf, ServiceError, StartError } from "./errors.ts";

test("anything thrown has a message", () => {
  assert.equal(messageOf(new Error("no")), "no");
  assert.equal(messageOf(new TypeError("")), "TypeError");
  assert.equal(messageOf("no"), "no");
  assert.equal(messageOf(undefined), "undefined");
  assert.equal(messageOf({ code: 7 }), "{ code: 7 }");
  assert.equal(messageOf(Symbol("no")), "Symbol(no)");
  assert.equal(messageOf(new AggregateError([new Error("a"), "b"])), "a; b");
  assert.equal(messageOf(new AggregateError([new Error("a")], "both")), "both");
  assert.equal(messageOf(Object.create(null)), "[Object: null prototype] {}");
  fc.assert(fc.property(fc.anything({ withNullPrototype: true }), (thrown) => assert.equal(typeof messageOf(thrown), "string")));
});

test("the code of an error is that of Node, and the first one's of several", () => {
  const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  assert.equal(codeOf(refused), "ECONNREFUSED");
  assert.equal(codeOf(new AggregateError([refused, new Error("no")])), "ECONNREFUSED");
  assert.equal(codeOf(Object.assign(new AggregateError([refused]), { code: "EHOSTUNREACH" })), "EHOSTUNREACH");
  for (const other of [new Error("no"), Object.assign(new Error("no"), { code: 7 }), "ENOENT", undefined]) assert.equal(codeOf(other), "");
});

test("a service error is recognised by its code, and nothing that only looks like one is", () => {
  const error: unknown = new ServiceError("not_found", "No such container.", { id: 1 });
  assert.equal(isServiceError(error), true);
  assert.equal(isServiceError(error, "not_found"), true);
  assert.equal(isServiceError(error, "conflict"), false);
  assert.ok(!isServiceError({ code: "not_found", message: "" }));
  assert.ok(!isServiceError(new StartError("no")));
  assert.ok(isServiceError(error));
  assert.deepEqual([error.name, error.details], ["ServiceError", { id: 1 }]);
});

test("every code has a status of failure and is spelled alike", () => {
  for (const [code, { http, grpc }] of Object.entries(ERROR_TABLE)) {
    assert.ok(http >= 400 && http < 600, code);
    assert.match(grpc, /^[A-Z_]+$/);
    assert.match(code, /^([a-z]+(_[a-z]+)*|EDITION_REQUIRED)$/);
  }
});
