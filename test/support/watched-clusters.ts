import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import type { ContainerSighting } from "../../src/observations.ts";
import type { KubernetesObjects, KubernetesSighting } from "../../src/observations/kubernetes.ts";
import type { Database } from "../../src/storage/database.ts";
import type { TestDatabases } from "./databases.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { nothing, objects, sighting } from "./kubernetes-topology.ts";
import { sighting as container } from "./sightings.ts";
import { until } from "./until.ts";
import type { MemoryRegistries } from "./updates.ts";
import { openWholeServer, type WholeServer } from "./whole-server.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const REPEATED_EVERY_MS = 15_000;
/** An agent of the server, and another one. */
export const AGENT = "0b9f3c9e-5b0e-4a53-9d5e-5d1d6c3f2a10";
export const OTHER_AGENT = "0b9f3c9e-5b0e-4a53-9d5e-5d1d6c3f2a11";

/** A whole server for each test of a suite, to which clusters are shown. */
export function watchClusters(databases: TestDatabases, { registries }: { registries?: MemoryRegistries } = {}) {
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
    const labels = new Map([
      [AGENT, "harbour"],
      [OTHER_AGENT, "quay"],
    ]);
    const opened = await openWholeServer({ database, clock, labels, isComplete: true, ...(registries && { registries }) });
    opened.alerting.settle();
    return opened;
  }

  async function restart(): Promise<void> {
    await server.stop();
    server = await open();
  }

  const see = (kubernetes: KubernetesSighting, agentId: string | null = null): Promise<void> =>
    server.see(agentId, { kind: "kubernetes.observed", observedAt: clock.now(), kubernetes });
  /** All that there is; what is left out is a workload that is well. */
  const show = (facts: Partial<KubernetesObjects>, agentId: string | null = null): Promise<void> =>
    see(sighting({ objects: objects(facts) }), agentId);
  /** What changed. */
  const change = (
    facts: Partial<KubernetesObjects>,
    { removed = {}, agentId = null }: { removed?: KubernetesSighting["removed"]; agentId?: string | null } = {},
  ): Promise<void> => see(sighting({ isComplete: false, objects: { ...nothing(), ...facts }, removed }), agentId);

  /** The container rows of a host, as its runtime shows them beside its cluster. */
  async function showRows(rows: Partial<ContainerSighting>[], agentId: string | null = null): Promise<void> {
    const containers = rows.map((facts) => container({ runtime: "kubernetes", externalId: "w-web", name: "shop/web", ...facts }));
    await server.see(agentId, { kind: "container.inventory", observedAt: clock.now(), containers });
  }

  /** All of it stays as it is for a while, which is reported repeatedly. */
  async function lasts(ms: number, agentId: string | null = null): Promise<void> {
    for (let passed = 0; passed < ms; passed += REPEATED_EVERY_MS) {
      await clock.advance(Math.min(REPEATED_EVERY_MS, ms - passed));
      await change({}, { agentId });
    }
  }

  const alerts = (): string[] =>
    server.alerting
      .active()
      .filter(({ source }) => source === "kubernetes")
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
  /** How the last alert was over. */
  const lastEnd = (): string => JSON.stringify(server.events.findLast(({ type }) => type === "alert.resolved")?.data ?? null);
  const causeOf = (event: string): string | null | undefined => server.alerting.active().find((alert) => alert.event === event)?.cause;

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
    ...{ restart, see, show, change, showRows, lasts, become, stay, lastEnd, causeOf },
  };
}
