import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAlertContext, openAlerts, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
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

onBothDatabases(({ create }) => {
  it("a higher severity is sent once while a problem flaps", async () => {
    const around = createAlertContext();
    const { alerts } = await openAlerts(await create(), createFakeClock(), around);
    const mild = problem({ severity: "warning" });
    for (let time = 0; time < 4; time += 1) {
      await alerts.raise(mild);
      await alerts.clear(mild, "over");
    }
    around.put.length = 0;
    for (let time = 0; time < 3; time += 1) {
      await alerts.raise(mild);
      assert.equal(around.put.length, time === 0 ? 0 : 1);
      await alerts.raise(problem({ severity: "critical" }));
      await alerts.clear(mild, "over");
    }
    assert.deepEqual(
      around.put.map(({ notification }) => [notification.event, notification.alert.severity]),
      [["alert.fired", "critical"]],
    );
  });
});
