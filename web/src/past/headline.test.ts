import assert from "node:assert/strict";
import { it } from "node:test";
import { pastHeadline } from "./headline.ts";

const NONE = { up: 0, degraded: 0, down: 0, stopped: 0, unknown: 0 };

for (const [counts, expected] of [
  [{ up: 12, stopped: 2 }, "12 containers healthy, 2 stopped"],
  [{ up: 12, down: 1 }, "1 container down"],
  [{ down: 3, degraded: 1, unknown: 2 }, "3 containers down, 1 degraded and 2 not watched"],
  [{}, "No containers"],
] as const)
  it(`says: ${expected}`, () => {
    assert.equal(pastHeadline({ counts: { ...NONE, ...counts }, is_known: true }), expected);
  });

it("says that nothing is known", () => {
  assert.equal(pastHeadline({ counts: NONE, is_known: false }), "Nothing is known of this moment");
});
