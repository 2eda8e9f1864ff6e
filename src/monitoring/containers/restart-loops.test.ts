import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { runtimeChanged, sighting } from "../../../test/support/sightings.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import { MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { type Bus, createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { type Containers, createContainers } from "./index.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
const STEP_MS = 5 * SECOND_MS;

onBothDatabases((databases) => {
  describe("a restart loop", () => {
    let database: Database;
    let clock: FakeClock;
    let bus: Bus<Event>;
    let scheduler: Scheduler | undefined;
    let idle: () => Promise<unknown>;
    let containers: Containers;
    let offsetMs: number;
    let startedAt: Date;
    let restartCount: number;
    /** The severities that were published, and the restarts. */
    let published: [string | null, number][];

    /** The feature as after a start of the program. */
    async function open(): Promise<void> {
      await scheduler?.stop();
      const watched = watchTasks(createScheduler(clock, silentLog));
      ({ scheduler, idle } = watched);
      bus = createBus<Event>(silentLog);
      bus.subscribe("test", ({ type, data }) => {
        if (type === "container.restart_alert") published.push([data.severity, data.restarts]);
      });
      const logSource = { logs: () => assert.fail() };
      containers = createContainers({
        ...{ database, bus, clock, scheduler, log: silentLog, logSource },
        clockOffsetMs: () => offsetMs,
      });
      await containers.start();
    }

    beforeEach(async () => {
      database = await databases.create();
      clock = createFakeClock();
      published = [];
      offsetMs = 0;
      restartCount = 0;
      await open();
    });
    afterEach(() => scheduler?.stop());

    const hostNow = (agentId: string | null): Date => new Date(clock.now().getTime() + (agentId === null ? 0 : offsetMs));
    const shown = (facts: Partial<ContainerSighting> = {}): ContainerSighting => sighting({ startedAt, restartCount, ...facts });
    const see = (agentId: string | null, facts: Partial<ContainerSighting> = {}): Promise<void> =>
      containers.observe(agentId, [{ kind: "container.seen", observedAt: hostNow(agentId), container: shown(facts) }]);

    /** Its runtime is lost; or connected, after a listing. */
    async function runtime(agentId: string | null, connected: boolean): Promise<void> {
      const observedAt = hostNow(agentId);
      const listing: Observation = { kind: "container.inventory", observedAt, containers: [shown()] };
      await containers.observe(agentId, [...(connected ? [listing] : []), runtimeChanged(connected, observedAt)]);
    }

    async function restart(agentId: string | null, times: number): Promise<void> {
      for (let round = 0; round < times; round += 1) {
        await clock.advance(SECOND_MS);
        await see(agentId, { state: "restarting", exitCode: 1 });
        await clock.advance(SECOND_MS);
        restartCount += 1;
        startedAt = hostNow(agentId);
        await see(agentId);
      }
    }

    /** A host with a loop. */
    async function begin(agentId: string | null): Promise<void> {
      startedAt = hostNow(agentId);
      await runtime(agentId, true);
      await restart(agentId, 3);
      assert.deepEqual(published, [["warning", 3]]);
    }

    async function pass(minutes: number, seconds = 0): Promise<void> {
      for (let leftMs = minutes * MINUTE_MS + seconds * SECOND_MS; leftMs > 0; leftMs -= STEP_MS) {
        await clock.advance(STEP_MS);
        await idle();
      }
    }

    /** It is neither published nor shown as over. */
    async function assertLasts(agentId: string | null): Promise<void> {
      assert.deepEqual(published, [["warning", 3]]);
      const id = containers.present.find(agentId, sighting().externalId)?.id ?? 0;
      assert.partialDeepStrictEqual(await containers.service.detail(id), { restart_loop: { severity: "warning", restarts: 3 } });
      assert.deepEqual(
        containers.announce().map(({ type }) => type),
        ["container.restart_alert"],
      );
    }

    function assertOver(): void {
      assert.deepEqual(published, [
        ["warning", 3],
        [null, 0],
      ]);
      assert.deepEqual(containers.announce(), []);
    }

    it("grows worse, and is over after ten quiet minutes", async () => {
      await begin(null);
      await restart(null, 6);
      assert.deepEqual(published, [
        ["warning", 3],
        ["critical", 9],
      ]);
      await pass(9, 50);
      assert.equal(published.length, 2);
      await pass(0, 20);
      assert.deepEqual(published.at(-1), [null, 0]);
    });

    it("is over ten minutes after its last restart, whatever else is seen of it", async () => {
      await begin(null);
      await pass(9, 50);
      await see(null, { health: "healthy" });
      await assertLasts(null);
      await pass(0, 20);
      assertOver();
    });

    it("lasts while its engine is lost, and until it was watched for ten quiet minutes", async () => {
      await begin(null);
      await runtime(null, false);
      await pass(12);
      await assertLasts(null);
      await runtime(null, true);
      await pass(9, 50);
      await assertLasts(null);
      await pass(0, 20);
      assertOver();
    });

    for (const type of ["agent.disconnected", "agent.revoked"] as const)
      it(`lasts after ${type}, until the host was watched for ten quiet minutes again`, async () => {
        await begin(AGENT);
        const about = { id: AGENT, agent_id: AGENT, name: "far", hostname: "far", timestamp: clock.now().toISOString() };
        const agent = { ...about, status: "active", connection_state: "disconnected" } as const;
        const since = clock.now().toISOString();
        bus.publish(
          type === "agent.revoked"
            ? { type, data: { ...agent, status: "revoked", previous_status: "active" } }
            : { type, data: { ...agent, lost: true, since, previous_connection_state: "connected" } },
        );
        await pass(12);
        await assertLasts(AGENT);
        await runtime(AGENT, true);
        await pass(9, 50);
        await assertLasts(AGENT);
        await pass(0, 20);
        assertOver();
      });

    it("lasts over a start of ours, until the host was watched for ten quiet minutes after it", async () => {
      await begin(null);
      await pass(9);
      await scheduler?.stop();
      await clock.advance(12 * MINUTE_MS);
      await open();
      await pass(5);
      await assertLasts(null);
      await runtime(null, true);
      await pass(9, 50);
      await assertLasts(null);
      await pass(0, 20);
      assertOver();
    });

    it("continues with a restart that was not watched", async () => {
      await begin(null);
      await runtime(null, false);
      await pass(30);
      restartCount += 7;
      startedAt = clock.now();
      await runtime(null, true);
      await restart(null, 1);
      assert.deepEqual(published, [["warning", 3]]);
      await pass(9, 50);
      assert.deepEqual(published, [["warning", 3]]);
      await pass(0, 20);
      assertOver();
    });

    for (const offset of [-200, 200])
      it(`is over ten minutes after its last restart when the clock of its host is ${offset} s ahead`, async () => {
        offsetMs = offset * SECOND_MS;
        startedAt = hostNow(AGENT);
        await runtime(AGENT, true);
        await pass(5);
        await begin(AGENT);
        await pass(9, 50);
        await assertLasts(AGENT);
        await pass(0, 20);
        assertOver();
      });
  });
});
