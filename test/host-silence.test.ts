import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import type { Event, EventData } from "../src/events.ts";
import type { ContainerSighting } from "../src/observations.ts";
import type { Database } from "../src/storage/database.ts";
import { onBothDatabases } from "./support/databases.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { until } from "./support/until.ts";
import { openWholeServer, type WholeServer } from "./support/whole-server.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const B = "0b9c54a0-0000-4000-8000-00000000000b";
const LABELS = new Map([
  [A, "alpha"],
  [B, "beta"],
]);
const AGENT: EventData["agent.deleted"] = {
  ...{ id: A, agent_id: A, name: "alpha", hostname: "ark" },
  ...{ status: "active", connection_state: "disconnected", timestamp: "2026-03-01T12:00:00.000Z" },
};
const CONTACT = { since: AGENT.timestamp, previous_connection_state: "connected" } as const;
const LOST: Event = { type: "agent.disconnected", data: { ...AGENT, ...CONTACT, lost: true } };
const BACK: Event = { type: "agent.connected", data: { ...AGENT, ...CONTACT, lost: false } };

onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;
  let announced: Event[] = [];

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    announced = [];
    server = await openWholeServer({ database, clock, labels: LABELS, announceAgents: () => announced });
  });

  afterEach(() => server.stop());

  const see = async (agentId: string, ...shown: Partial<ContainerSighting>[]): Promise<void> =>
    server.observe(agentId, { kind: "container.inventory", observedAt: clock.now(), containers: shown.map(sighting) });
  const wrong = (agentId: string): string[] =>
    server.alerting
      .active()
      .filter((alert) => alert.agentId === agentId)
      .map(({ source, event, entityName }) => `${source}/${event} ${entityName}`)
      .toSorted();

  async function pass(minutes: number): Promise<void> {
    for (let step = 0; step < minutes * 6; step += 1) await clock.advance(10_000);
  }

  /** A database takes its time, in which regular work may miss a turn. */
  const passUntil = (condition: () => boolean): Promise<unknown> =>
    turnUntil(clock, condition, { stepMs: 10_000, mostMs: 600_000, everyMs: 50 });

  /** One that fails and is started again four times, one that falls ill, and one that ends for good. */
  /** Its engine is reached, as an agent says when it connects. */
  function answers(agentId: string): void {
    const status = { runtime: "docker", connected: true, version: null, apiVersion: null, error: null, since: clock.now() } as const;
    server.observe(agentId, { kind: "runtime.changed", observedAt: clock.now(), status });
  }

  async function breakSome(agentId: string): Promise<void> {
    answers(agentId);
    for (let step = 0; step < 9; step += 1) {
      await clock.advance(1000);
      const ended = { state: "exited", exitCode: 1, finishedAt: clock.now() } as const;
      const restartCount = Math.ceil(step / 2);
      await see(
        agentId,
        { externalId: "loop", name: "loop", restartCount, ...(step % 2 === 0 ? { startedAt: clock.now() } : ended) },
        { externalId: "sick", name: "sick", health: step === 0 ? "healthy" : "unhealthy" },
        { externalId: "ends", name: "ends", ...(step === 8 && ended) },
      );
      await until(() => server.containers.present.find(agentId, "loop")?.lastObservedAt.getTime() === clock.now().getTime());
    }
  }

  it("nothing begins and nothing ends on a host that nothing comes from, whatever time passes", async () => {
    for (const agentId of [A, B]) await breakSome(agentId);
    const first = ["container/health_unhealthy sick", "container/restart_loop loop"];
    await until(() => wrong(A).length === 2 && wrong(B).length === 2);
    assert.deepEqual([wrong(A), wrong(B)], [first, first]);
    announced = [LOST];
    server.bus.publish(LOST);
    // A container that ended is an alert after two minutes, a loop is over after ten quiet ones.
    await pass(13);
    const isCurrent = (agentId: string): boolean =>
      wrong(agentId).includes("container/down ends") && !wrong(agentId).includes("container/restart_loop loop");
    await passUntil(() => isCurrent(B));
    assert.deepEqual(wrong(A), ["agent/disconnected alpha", ...first]);

    announced = [];
    server.bus.publish(BACK);
    answers(A);
    await pass(2);
    await passUntil(() => isCurrent(A));
    assert.deepEqual(wrong(A), ["container/down ends", "container/health_unhealthy sick"]);
  });
});
