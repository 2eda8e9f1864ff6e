import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../api/client.ts";
import { areShownAtFields, faultOf, serverFaults } from "./server-faults.ts";

const details = [
  { path: "name", message: "Is taken" },
  { path: "body.levels.1.delay_seconds", message: "Must be more" },
  { path: "name", message: "Second fault" },
  "nonsense",
];

test("faults stand at their fields, whatever the error is called", () => {
  const faults = serverFaults(new ApiError("duplicate_name", "Taken.", { details }));
  assert.deepEqual(faults, { name: "Is taken", "levels.1.delay_seconds": "Must be more" });
  assert.equal(faultOf(faults, "levels.1"), "Must be more");
  assert.equal(faultOf(faults, "levels.10"), undefined);
  assert.equal(areShownAtFields(faults, ["name", "levels"]), true);
  assert.equal(areShownAtFields(faults, ["name"]), false);
});

test("an answer without fields has no faults, and is shown as a whole", () => {
  for (const error of [null, new Error("lost"), new ApiError("conflict", "Used.", { details: { used_by: [] } })]) {
    assert.deepEqual(serverFaults(error), {});
    assert.equal(areShownAtFields(serverFaults(error), ["name"]), false);
  }
});
