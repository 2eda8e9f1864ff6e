import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { isServiceError } from "../../platform/errors.ts";
import { enginePath } from "./routes.ts";

const ID = "0123456789abcdef".repeat(4);

describe("engine routes", () => {
  it("names the version, the id and the query", () => {
    assert.equal(
      enginePath({ route: "logs", id: ID, query: { tail: "5", since: "1.2" } }, "1.41"),
      `/v1.41/containers/${ID}/logs?tail=5&since=1.2`,
    );
    assert.equal(enginePath({ route: "ping" }, "1.41"), "/_ping");
    assert.equal(enginePath({ route: "image", id: `sha256:${ID}` }, "1.41"), `/v1.41/images/sha256%3A${ID}/json`);
    assert.equal(enginePath({ route: "container", id: "my_app.1-web" }, undefined), "/containers/my_app.1-web/json");
  });

  for (const id of ["../info", "..", ".", "a/b", "a%2fb", "a?x=1", "a#b", "a\nb", "", "-rf", "é", "a".repeat(300)]) {
    it(`refuses the id ${JSON.stringify(id).slice(0, 30)}`, () => {
      assert.throws(
        () => enginePath({ route: "container", id }, "1.41"),
        (error) => isServiceError(error, "invalid_request"),
      );
    });
  }

  it("never lets an id change the route", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (id) => {
        try {
          assert.equal(enginePath({ route: "container", id }, "1.41"), `/v1.41/containers/${id}/json`);
          assert.match(id, /^[a-zA-Z0-9_.-]+$/);
        } catch (error) {
          assert.ok(isServiceError(error, "invalid_request"));
        }
      }),
    );
  });
});
