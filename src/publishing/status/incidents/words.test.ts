import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { overText, spreadText, titleOf } from "./incident.ts";

describe("what the service posts of an incident", () => {
  const out = (...names: string[]): string => titleOf({ names, isOut: true });

  it("names few components and counts the others", () => {
    assert.equal(out("A"), "A is not available");
    assert.equal(out("A", "B"), "A and B are not available");
    assert.equal(out("A", "B", "C"), "A, B and C are not available");
    assert.equal(out("A", "B", "C", "D"), "A, B and 2 more are not available");
    assert.equal(titleOf({ names: ["A"], isOut: false }), "A has problems");
    assert.equal(titleOf({ names: ["A", "B"], isOut: false }), "A and B have problems");
    assert.equal(spreadText(["A"]), "A is affected as well. We are looking into it.");
    assert.equal(overText([]), "The problem is resolved.");
    assert.equal(overText(["A", "B"]), "A and B are working normally again.");
  });

  it("stays within a title, whatever the components are called", () => {
    const names = ["x".repeat(100), "y".repeat(100), "z".repeat(100)];
    assert.equal([...out(...names)].length, INCIDENT_BOUNDS.titleLength);
  });
});
