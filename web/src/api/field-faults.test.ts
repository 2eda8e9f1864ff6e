import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "./client.ts";
import { fieldFaults } from "./field-faults.ts";

describe("fieldFaults", () => {
  it("has the first fault of each field", () => {
    const details = [
      { path: "cron", message: "first" },
      { path: "cron", message: "second" },
      { path: "tags.1", message: "too long" },
      "not a fault",
    ];
    assert.deepEqual(fieldFaults(new ApiError("validation_failed", "no", { details })), { cron: "first", "tags.1": "too long" });
  });

  it("has nothing of other errors", () => {
    assert.deepEqual(fieldFaults(new ApiError("internal", "no", { details: [{ path: "cron", message: "x" }] })), {});
    assert.deepEqual(fieldFaults(new Error("no")), {});
    assert.deepEqual(fieldFaults(null), {});
  });
});
