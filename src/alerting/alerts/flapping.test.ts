import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { countChange, type Flap, FLAPPING, isSteady } from "./alert.ts";

const START = Date.parse("2026-03-01T12:00:00Z");

function after(changesMs: readonly number[]): Flap | undefined {
  return changesMs.reduce<Flap | undefined>((flap, ms) => countChange(flap, new Date(START + ms)), undefined);
}

describe("flapping", () => {
  it("is the sixth change within ten minutes", () => {
    assert.equal(after([0, 1, 2, 3, 4])?.flapping, false);
    assert.equal(after([0, 1, 2, 3, 4, FLAPPING.windowMs - 1])?.flapping, true);
    assert.equal(after([0, 1, 2, 3, 4, FLAPPING.windowMs])?.flapping, false);
  });

  it("lasts until ten minutes without a change", () => {
    const flap = after([0, 1, 2, 3, 4, 5]);
    assert.ok(flap);
    assert.equal(isSteady(flap, new Date(START + 5 + FLAPPING.windowMs - 1)), false);
    assert.equal(isSteady(flap, new Date(START + 5 + FLAPPING.windowMs)), true);
    assert.equal(countChange(flap, new Date(START + 2 * FLAPPING.windowMs)).flapping, true);
  });

  it("remembers no more than it needs", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60_000), { minLength: 1 }), (gaps) => {
        let at = 0;
        const flap = after(gaps.map((gap) => (at += gap)));
        assert.ok((flap?.changes.length ?? 0) <= FLAPPING.changes + 1);
      }),
    );
  });
});
