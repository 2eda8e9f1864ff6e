import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditionView } from "../../../../../src/editions/answers.ts";
import { requiredEdition } from "./metrics-gate.ts";

const COMMUNITY: EditionView = {
  edition: "community",
  organisation: null,
  licence: { status: "none", expires_at: null, message: null },
  capabilities: [
    { name: "history_6h", granted: true, required_edition: "community" },
    { name: "history_7d", granted: false, required_edition: "pro" },
  ],
  history_ranges: ["1h", "6h"],
};

test("a range that the edition does not grant names the one that does", () => {
  assert.equal(requiredEdition(COMMUNITY, "6h"), undefined);
  assert.equal(requiredEdition(COMMUNITY, "7d"), "pro");
  assert.equal(requiredEdition({ ...COMMUNITY, history_ranges: ["1h", "6h", "24h", "7d"] }, "7d"), undefined);
});
