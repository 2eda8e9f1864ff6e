import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { type Containers, createContainers } from "./index.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

/** How often a container restarted by itself, from its history. */
onBothDatabases(({ create }) => {
  let containers: Containers;

  beforeEach(async () => {
    const clock = createFakeClock(NOON);
    const parts = { bus: createBus<Event>(silentLog), clock, scheduler: createScheduler(clock, silentLog), log: silentLog };
    containers = createContainers({ database: await create(), ...parts, logSource: { async *logs() {} } });
    await containers.start();
    await see({ kind: "container.inventory", observedAt: NOON, containers: [sighting({ startedAt: NOON })] });
  });

  const see = (...observations: Observation[]): Promise<void> => containers.observe(null, observations);
  const seen = (seconds: number, facts: Partial<ContainerSighting>): Promise<void> =>
    see({ kind: "container.seen", observedAt: after(seconds), container: sighting(facts) });
  const ends = (seconds: number, facts: Partial<ContainerSighting> = {}): Promise<void> =>
    seen(seconds, { state: "exited", exitCode: 1, startedAt: NOON, finishedAt: after(seconds), ...facts });
  const runs = (seconds: number, facts: Partial<ContainerSighting> = {}): Promise<void> =>
    seen(seconds, { startedAt: after(seconds), ...facts });
  const restarts = (from = 0, to = 1_000): Promise<number> =>
    containers.service.countRestarts([1, 2], { from: after(from).getTime(), to: after(to).getTime() });

  it("counts those after a failure and those by its policy, within the time that is asked for", async () => {
    await ends(100);
    await runs(110);
    await ends(200, { state: "restarting" });
    await runs(210, { health: "starting" });
    await runs(220, { health: "healthy" });
    assert.deepEqual([await restarts(), await restarts(105, 110), await restarts(111, 209)], [2, 1, 0]);
  });

  it("counts them for each container that did", async () => {
    const ofEach = (from: number): Promise<Map<number, number>> =>
      containers.service.restartsByContainer({ from: after(from).getTime(), to: after(1_000).getTime() });
    assert.deepEqual(await ofEach(0), new Map());
    await ends(100);
    await runs(110);
    await ends(200);
    await runs(210);
    assert.deepEqual(await ofEach(0), new Map([[1, 2]]));
    assert.deepEqual(await ofEach(111), new Map([[1, 1]]));
  });

  it("does not count one after an end that was asked for, also where that was before the time", async () => {
    await ends(100, { exitCode: 143, stopRequested: true });
    await runs(110);
    assert.deepEqual([await restarts(), await restarts(105)], [0, 0]);
  });

  it("does not count the start of a container that was made in the place of one that failed", async () => {
    const next = { externalId: "b".repeat(64), createdAt: after(200) };
    await ends(100);
    await see({ kind: "container.gone", observedAt: after(150), externalId: sighting().externalId });
    await runs(200, next);
    assert.equal(await restarts(), 0);
    await seen(300, { ...next, state: "exited", exitCode: 1, startedAt: after(200), finishedAt: after(300) });
    await runs(310, next);
    assert.equal(await restarts(), 1);
  });
});
