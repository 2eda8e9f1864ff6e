import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { MINUTE_MS } from "../../src/contract/time.ts";
import type { SwarmSighting, SwarmTopology } from "../../src/observations/swarm.ts";
import type { Database } from "../../src/storage/database.ts";
import type { TestDatabases } from "./databases.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { swarmSighting, swarmTopology } from "./swarm-topology.ts";
import { until } from "./until.ts";
import { openWholeServer, type WholeServer } from "./whole-server.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const REPEATED_EVERY_MS = 30_000;
/** An agent of the server, and another one. */
export const AGENT = "0b9f3c9e-5b0e-4a53-9d5e-5d1d6c3f2a10";
export const OTHER_AGENT = "0b9f3c9e-5b0e-4a53-9d5e-5d1d6c3f2a11";

/** A whole server for each test of a suite, to which swarms are shown. */
export function watchSwarms(databases: TestDatabases) {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    server = await open();
  });
  afterEach(() => server.stop());

  async function open(): Promise<WholeServer> {
    const opened = await openWholeServer({
      database,
      clock,
      labels: new Map([
        [AGENT, "harbour"],
        [OTHER_AGENT, "quay"],
      ]),
      isComplete: true,
    });
    opened.alerting.settle();
    return opened;
  }

  async function restart(): Promise<void> {
    await server.stop();
    server = await open();
  }

  const show = (swarm: Partial<SwarmSighting>, agentId: string | null = null): Promise<void> =>
    server.see(agentId, { kind: "swarm.observed", observedAt: clock.now(), swarm: swarmSighting(swarm) });
  const showTopology = (topology: Partial<SwarmTopology>): Promise<void> => show({ topology: swarmTopology(topology) });

  /** The engine of an agent is a worker. Which swarm it belongs to is known a minute after the start. */
  async function join(nodeId: string, agentId: string | null = AGENT): Promise<void> {
    await show({ standing: "worker", clusterId: null, nodeId, leader: false, topology: null, reason: "This engine is a worker." }, agentId);
    await clock.advance(MINUTE_MS);
  }

  /** What is shown stays so for a while, and is reported again. */
  async function lasts(ms: number, swarm: Partial<SwarmSighting>): Promise<void> {
    for (let passed = 0; passed < ms; passed += REPEATED_EVERY_MS) {
      await clock.advance(REPEATED_EVERY_MS);
      await show(swarm);
    }
  }

  const alerts = (): string[] =>
    server.alerting
      .active()
      .filter(({ source }) => source === "swarm")
      .map(({ event, entityName, severity }) => `${event} ${entityName} ${severity}`)
      .toSorted();
  /** They are saved in the background. */
  async function become(expected: string[]): Promise<void> {
    await until(() => String(alerts()) === String(expected), { withinMs: 5_000, everyMs: 5 }).catch(() => undefined);
    assert.deepEqual(alerts(), expected);
  }
  /** What was to be raised or resolved by now would have been. */
  async function stay(expected: string[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(alerts(), expected);
  }

  return {
    get server() {
      return server;
    },
    get clock() {
      return clock;
    },
    get database() {
      return database;
    },
    restart,
    show,
    showTopology,
    join,
    lasts,
    become,
    stay,
  };
}
