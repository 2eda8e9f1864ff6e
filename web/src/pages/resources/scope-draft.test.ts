import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW_SCOPE, readScopeDraft, scopeDraftOf } from "./scope-draft.ts";

const THRESHOLDS = { cpu_threshold: 80, memory_threshold: null, debounce_seconds: 30 };

test("what is saved is read back as it was, whatever the group is called", () => {
  for (const scope of [
    { entity_type: "group", entity_id: "a:b/c 100 %" },
    { entity_type: "agent", entity_id: "local" },
  ] as const)
    assert.deepEqual(readScopeDraft(scopeDraftOf({ ...scope, ...THRESHOLDS, containers: 3, exceeded: 0 })), {
      body: { scope, thresholds: THRESHOLDS },
    });
});

test("it begins with the defaults, and needs a group or a host", () => {
  assert.deepEqual(readScopeDraft(NEW_SCOPE), { faults: { entity_id: "Choose a group or a host." } });
  assert.deepEqual(readScopeDraft({ ...NEW_SCOPE, scope: ["group:shop"] }), {
    body: {
      scope: { entity_type: "group", entity_id: "shop" },
      thresholds: { cpu_threshold: 90, memory_threshold: 90, debounce_seconds: 60 },
    },
  });
  const read = readScopeDraft({ ...NEW_SCOPE, cpu: { isOn: true, percent: "0" }, debounce: "x" });
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["entity_id", "cpu_threshold", "debounce_seconds"]);
});
