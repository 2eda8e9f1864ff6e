import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { type CheckedEndpoints, failure, labelled, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import type { Observation } from "../../observations.ts";
import { labelEndpointKey } from "../../observations.ts";
import type { Database } from "../../storage/database.ts";
import type { EndpointRecord } from "./answers.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const KEY = labelEndpointKey("a".repeat(64), "service.endpoint.http");

/** Endpoints of a container that does not run. */
onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let checked: CheckedEndpoints;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    checked = await startEndpoints({ database, clock });
  });
  afterEach(() => checked.stop());

  const restart = async (): Promise<void> => {
    await checked.stop();
    checked = await startEndpoints({ database, clock });
  };
  const show = (facts = {}): Promise<void> => checked.show({ endpoints: [labelled()], ...facts });
  const only = (): EndpointRecord => {
    const [first, second] = checked.list();
    assert.ok(first !== undefined && second === undefined);
    return first;
  };
  const keys = (): string[] => [...checked.probes.checks.keys()];
  const types = (): string[] => checked.events.map(({ type }) => type).filter((type) => !type.startsWith("container."));
  /** Checks every 30 seconds, beginning now. */
  async function keepChecking(times: number, result = {}, key = KEY): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await checked.checked(key, result);
      await clock.advance(30_000);
    }
  }
  it("stays down while its container does not run, and is up only by a check", async () => {
    await show();
    await keepChecking(3, failure);
    checked.events.length = 0;
    await checked.see(null, news("exited"));
    assert.deepEqual(keys(), []);
    assert.partialDeepStrictEqual(only(), { status: "down", alerting: true, consecutive_failures: 3 });
    assert.deepEqual(checked.published("endpoint.recovery"), []);
    await restart();
    assert.equal(checked.endpoints.announce().length, 1);
    await checked.see(null, news("running"));
    assert.partialDeepStrictEqual(only(), { status: "down", alerting: true });
    for (let count = 0; count < 2; count += 1) {
      await clock.advance(1000);
      await checked.checked(KEY);
    }
    assert.equal(only().status, "up");
    assert.partialDeepStrictEqual(checked.published("endpoint.recovery"), [{ reason: "recovered", previous_status: "down" }]);
  });

  it("is over when a person pauses it, or its label goes, container or not", async () => {
    await show();
    await keepChecking(3, failure);
    await checked.see(null, news("exited"));
    await show({ state: "exited", exitCode: 1, endpoints: [] });
    assert.partialDeepStrictEqual(checked.published("endpoint.recovery"), [{ reason: "removed", previous_status: "down" }]);
  });
  const news = (state: "exited" | "running"): Observation => ({
    kind: "container.seen",
    observedAt: clock.now(),
    container: sighting({ state, exitCode: state === "exited" ? 1 : null, endpoints: [labelled()] }),
  });

  it("is unknown and not checked while its container does not run, and is checked again when it does", async () => {
    await show();
    await keepChecking(3);
    checked.events.length = 0;
    await checked.see(null, news("exited"));
    assert.partialDeepStrictEqual(only(), {
      status: "unknown",
      status_reason: "container_stopped",
      alerting: false,
      consecutive_failures: 0,
    });
    assert.deepEqual(keys(), []);
    await checked.checked(KEY, failure);
    assert.equal(only().consecutive_failures, 0, "a check that was under way says nothing");
    await clock.advance(5_000);
    await checked.see(null, news("running"));
    assert.deepEqual(keys(), [KEY]);
    assert.equal(only().status_reason, "not_checked_yet");
    await clock.advance(1000);
    await checked.checked(KEY);
    assert.equal(only().status, "up");
    assert.deepEqual(types().slice(-2), ["endpoint.check_result", "endpoint.updated"]);
  });

  it("says nothing of a container that still rests after a restart", async () => {
    await show();
    await keepChecking(1);
    await show({ state: "exited", exitCode: 0 });
    await restart();
    await show({ state: "exited", exitCode: 0 });
    assert.deepEqual([types(), only().status_reason], [[], "container_stopped"]);
  });
});
