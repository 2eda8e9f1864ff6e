import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, HealthFailure, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { type Containers, createContainers } from "./index.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

const failure = (seconds: number, output: string): HealthFailure => ({ exitCode: 3, output, endedAt: after(seconds) });
const shown = (seconds: number, output: string) => ({ exit_code: 3, output, ended_at: after(seconds).toISOString() });
const seen = (seconds: number, facts: Partial<ContainerSighting>): Observation => ({
  kind: "container.seen",
  observedAt: after(seconds),
  container: sighting(facts),
});
const inventory = (seconds: number, facts: Partial<ContainerSighting>): Observation => ({
  kind: "container.inventory",
  observedAt: after(seconds),
  containers: [sighting(facts)],
});

onBothDatabases((databases) => {
  let containers: Containers;

  beforeEach(async () => {
    const clock = createFakeClock(NOON);
    const bus = createBus<Event>(silentLog);
    const scheduler = createScheduler(clock, silentLog);
    const database = await databases.create();
    containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource: { async *logs() {} } });
    await containers.start();
  });

  const idOf = (agentId: string | null): number => containers.present.find(agentId, "a".repeat(64))?.id ?? 0;
  const now = async (agentId: string | null = null) => (await containers.service.detail(idOf(agentId))).health_failure;
  const past = async (agentId: string | null = null): Promise<(string | null)[]> => {
    const page = { since: after(-86_400).toISOString(), until: after(86_400).toISOString(), limit: 100, offset: 0 };
    const { transitions } = await containers.service.transitions(idOf(agentId), page);
    return transitions.map(({ health_failure: failed }) => failed?.output ?? null);
  };

  it("keeps the failed run of a health check beside the change to unhealthy, by news and by a listing", async () => {
    const see = (observation: Observation): Promise<void> => containers.observe(null, [observation]);
    await see(inventory(0, { health: "healthy" }));
    await see(seen(5, { health: "unhealthy", healthFailure: failure(4, "no answer") }));
    assert.deepEqual(await now(), shown(4, "no answer"));
    await see(seen(6, { state: "paused", health: "unhealthy", healthFailure: failure(4, "no answer") }));
    assert.deepEqual(await now(), shown(4, "no answer"));
    await see(seen(7, { health: "healthy", healthFailure: failure(4, "no answer") }));
    assert.equal(await now(), null);
    await see(inventory(9, { health: "unhealthy", healthFailure: failure(8, "refused\nagain") }));
    await see(inventory(20, { health: "unhealthy", healthFailure: failure(18, "a later run") }));
    assert.deepEqual(await now(), shown(8, "refused\nagain"));
    assert.deepEqual(await past(), ["refused\nagain", null, null, "no answer", null]);
  });

  it("does not show the run of an earlier time when nobody knows that of this one", async () => {
    await containers.observe(null, [seen(5, { health: "unhealthy", healthFailure: failure(4, "no answer") })]);
    await containers.observe(null, [seen(6, { health: "healthy" }), seen(7, { health: "unhealthy" })]);
    assert.equal(await now(), null);
  });

  it("keeps what an agent saw while it was cut off", async () => {
    await containers.observe(AGENT, [inventory(0, { health: "healthy" })]);
    await containers.record(AGENT, [
      seen(5, { health: "unhealthy", healthFailure: failure(4, "no answer") }),
      seen(6, { health: "healthy", healthFailure: failure(4, "no answer") }),
    ]);
    assert.deepEqual(await past(AGENT), [null, "no answer", null]);
  });
});
