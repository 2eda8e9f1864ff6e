import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { createAlertContext, openAlerts, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fc } from "../../../test/support/seed.ts";
import { countChange, type Flap, FLAPPING, isSteady } from "./alert.ts";

function after(changesMs: readonly number[]): Flap | undefined {
  return changesMs.reduce<Flap | undefined>((flap, ms) => countChange(flap, ms), undefined);
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
    assert.equal(isSteady(flap, 5 + FLAPPING.windowMs - 1), false);
    assert.equal(isSteady(flap, 5 + FLAPPING.windowMs), true);
    assert.equal(countChange(flap, 2 * FLAPPING.windowMs).flapping, true);
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
  it("ends after ten minutes, however the clock is set meanwhile", async () => {
    const clock = createFakeClock();
    const around = createAlertContext();
    const { alerts, run } = await openAlerts(await create(), clock, around);
    for (let time = 0; time < 4; time += 1) {
      await alerts.clear(problem(), "over");
      await alerts.raise(problem());
    }
    const sent = around.put.length;
    clock.jump(new Date(clock.now().getTime() - HOUR_MS));
    clock.stall(FLAPPING.windowMs - 1);
    await run("alerts that flapped");
    assert.equal(around.put.length, sent);
    clock.stall(1);
    await run("alerts that flapped");
    assert.equal(around.put.length, sent + 1);
    clock.jump(new Date(clock.now().getTime() + HOUR_MS));
    for (let time = 0; time < 3; time += 1) {
      await alerts.clear(problem(), "over");
      await alerts.raise(problem());
      clock.jump(new Date(clock.now().getTime() + HOUR_MS));
    }
    assert.match(around.put.at(-1)?.notification.alert.message ?? "", /[Ff]lapping/);
  });

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
