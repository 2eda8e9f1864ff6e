import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromListItem, toListItem } from "../contract/scope.ts";
import { anAlert } from "../../test/support/routing.ts";
import { fc } from "../../test/support/seed.ts";
import { subjectsOf } from "./scope.ts";

const groupOf = (id: number): string | undefined => (id === 42 ? "shop" : undefined);

describe("the groups that an alert is about", () => {
  const groups = (change: Parameters<typeof anAlert>[0]): string[] =>
    subjectsOf(anAlert(change), groupOf).flatMap(({ type, id }) => (type === "group" ? [id] : []));
  const container = { type: "container", id: "42" };
  const workload = { type: "kubernetes_workload", id: "c:w" };

  it("are that of its container, also of an endpoint or certificate of it", () => {
    assert.deepEqual(groups({}), ["shop"]);
    assert.deepEqual(groups({ entity: { type: "endpoint", id: "42" }, parents: [container, { type: "agent", id: "local" }] }), ["shop"]);
  });

  it("are none of what is in no group", () => {
    assert.deepEqual(groups({ entity: { type: "container", id: "43" } }), []);
    assert.deepEqual(groups({ entity: { type: "heartbeat", id: "42" } }), []);
    assert.deepEqual(groups({ entity: { type: "agent", id: "local" } }), []);
  });

  it("are of what a cluster runs its label, else its stack or namespace", () => {
    assert.deepEqual(groups({ entity: workload, details: { namespace: "prod" } }), ["prod"]);
    assert.deepEqual(groups({ entity: { type: "swarm_service", id: "c:s" }, details: { stack: "prod" } }), ["prod"]);
    assert.deepEqual(groups({ entity: workload, details: { namespace: "prod" }, labels: { "service.group": " shop " } }), ["shop"]);
    assert.deepEqual(groups({ entity: workload, details: { namespace: "prod" }, labels: { "service.group": " " } }), ["prod"]);
    assert.deepEqual(groups({ entity: { type: "kubernetes_node", id: "c:n" }, details: { namespace: null } }), []);
  });
});

describe("an entity in a comma list", () => {
  it("is read as it was written, whatever a group is called", () => {
    fc.assert(
      fc.property(fc.constantFrom("group", "container"), fc.string(), (type, id) => {
        assert.equal(fromListItem(toListItem(`${type}:${id}`)), `${type}:${id}`);
        if (type === "group") assert.doesNotMatch(toListItem(`${type}:${id}`), /,/);
      }),
    );
  });
});
