import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { type CheckedEndpoints, checkedObservation, failure, labelled, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import type { CheckResult, Observation } from "../../observations.ts";
import { labelEndpointKey } from "../../observations.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { createIntake, type Intake } from "../intake.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const ID = "a".repeat(64);
const KEY = labelEndpointKey(ID, "service.endpoint.http");

/** Checks that come by the intake, as they do from the probes of this host. */
onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let checked: CheckedEndpoints;
  let intake: Intake;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    checked = await startEndpoints({ database, clock });
    intake = createIntake({ clock, log: silentLog });
    intake.start({
      observers: [{ observe: (agentId, batch) => checked.see(agentId, ...batch) }],
      canWait: checked.endpoints.canWait,
    });
    await checked.show({ endpoints: [labelled()] });
  });
  afterEach(async () => {
    await intake.stop();
    await checked.stop();
  });

  const saved = async (): Promise<void> => void (await until(() => intake.queued() === 0, { everyMs: 1, what: "all to be saved" }));
  /** A check, once it is saved unless it is held back. */
  async function check(result: Partial<CheckResult> = {}): Promise<void> {
    const observation = checkedObservation(KEY, clock.now(), result);
    const waits = isHeldBack(observation);
    intake.observe(null, observation);
    if (!waits) await saved();
    await clock.advance(10);
  }
  const isHeldBack = (observation: Observation): boolean => checked.endpoints.canWait(null, observation);
  const published = (): number => checked.published("endpoint.check_result").length;
  const rows = async (): Promise<number> =>
    (await database.tables<{ endpoint_journal: { id: number } }>().read.selectFrom("endpoint_journal").select("id").execute()).length;

  it("saves what repeats the state together, and what changes it at once with all that came before", async () => {
    await check();
    assert.deepEqual([published(), await rows()], [1, 1], "the first success");
    for (let count = 0; count < 20; count += 1) await check();
    assert.deepEqual([published(), await rows()], [1, 1], "it repeats");
    await check(failure);
    assert.deepEqual([published(), await rows()], [22, 2], "a failure counts");
    await check(failure);
    await check(failure);
    assert.equal(checked.published("endpoint.alert").length, 1);
    const before = published();
    await check(failure);
    assert.equal(published(), before, "it is down as before");
    await clock.advance(1000);
    await saved();
    assert.equal(published(), before + 1);
  });

  it("holds back no check that saw nothing, of what is unknown, or of what is not checked", async () => {
    await check();
    assert.equal(isHeldBack(checkedObservation(KEY, clock.now())), true);
    assert.equal(isHeldBack(checkedObservation(KEY, clock.now(), { ...failure, observed: false })), false);
    assert.equal(isHeldBack(checkedObservation("other", clock.now())), false);
    assert.equal(isHeldBack({ kind: "container.gone", observedAt: clock.now(), externalId: ID }), false);
    await checked.endpoints.service.setPaused(checked.list()[0]?.id ?? 0, true);
    assert.equal(isHeldBack(checkedObservation(KEY, clock.now())), false);
  });
});
