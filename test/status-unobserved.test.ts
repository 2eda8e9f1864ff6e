import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import type { ContainerSighting, Observation } from "../src/observations.ts";
import { labelEndpointKey } from "../src/observations.ts";
import type { ComponentRecord } from "../src/publishing/status/components/answers.ts";
import type { Database } from "../src/storage/database.ts";
import { onBothDatabases } from "./support/databases.ts";
import { checkedObservation, labelled } from "./support/endpoints.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { insertAgentRows } from "./support/remote-rows.ts";
import { sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { openWholeServer, type WholeServer } from "./support/whole-server.ts";

const AGENT = "0b9c54a0-0000-4000-8000-00000000000a";
const LABEL = "service.endpoint.http";
const WELL = { web: "operational", "web answers": "operational", db: "degraded" };
/** What was well has no data; what was not stays so. */
const UNOBSERVED = { web: "degraded, not observed", "web answers": "degraded, not observed", db: "degraded" };

onBothDatabases(({ create }) => {
  for (const [road, host] of [
    ["this host", null],
    ["an agent", AGENT],
  ] as const) {
    let database: Database;
    let clock: FakeClock;
    let server: WholeServer;

    const open = async (): Promise<void> => {
      server = await openWholeServer({ database, clock, labels: new Map([[AGENT, "alpha"]]) });
    };
    const see = (observation: Observation): Promise<void> => server.see(host, observation);
    const container = (name: string, facts: Partial<ContainerSighting> = {}): ContainerSighting =>
      sighting({ externalId: name, name, health: "healthy", ...facts });
    const list = (): Promise<void> =>
      see({
        kind: "container.inventory",
        observedAt: clock.now(),
        containers: [container("web", { endpoints: [labelled(LABEL)] }), container("db", { health: "unhealthy" })],
      });
    const check = (): Promise<void> => see(checkedObservation(labelEndpointKey("web", LABEL), clock.now()));
    /** Time passes in which the host is watched, or is not. */
    const pass = async (seconds: number, { watched }: { watched: boolean }): Promise<void> => {
      for (let step = 0; step < seconds; step += 10) {
        await clock.advance(10_000);
        if (!watched) continue;
        await see({ kind: "host.watched", since: clock.now(), observedAt: clock.now() });
        await check();
      }
    };
    const shown = async (): Promise<Record<string, string>> => {
      const { body } = await server.ask("GET", "/api/v1/status/components");
      const components = body["components"] as ComponentRecord[];
      return Object.fromEntries(components.map(({ name, status, observed }) => [name, `${status}${observed ? "" : ", not observed"}`]));
    };
    const becomes = (wanted: Record<string, string>): Promise<void> =>
      turnUntil(clock, async () => JSON.stringify(await shown()) === JSON.stringify(wanted), {
        stepMs: 1000,
        mostMs: 60_000,
        what: `the page says ${JSON.stringify(wanted)}`,
      });

    beforeEach(async () => {
      database = await create();
      clock = createFakeClock();
      await insertAgentRows(database, [AGENT], clock.now());
      await open();
      await list();
      await check();
      const show = (name: string, type: string, id: number | undefined) =>
        server.ask("POST", "/api/v1/status/components", { name, monitor_type: type, monitor_id: id ?? 0 });
      const [web, db] = ["web", "db"].map((externalId) => server.containers.present.find(host, externalId)?.id);
      await show("web", "container", web);
      await show("web answers", "endpoint", server.endpoints.present()[0]?.id);
      await show("db", "container", db);
      await becomes(WELL);
    });
    afterEach(() => server.stop());

    it(`what ${road} does not show any more has no data after five minutes, over a restart, until it is shown again`, async () => {
      await pass(400, { watched: true });
      assert.deepEqual(await shown(), WELL);
      await pass(290, { watched: false });
      assert.deepEqual(await shown(), WELL);
      await pass(20, { watched: false });
      await becomes(UNOBSERVED);
      await server.stop();
      await open();
      await pass(60, { watched: false });
      assert.deepEqual(await shown(), UNOBSERVED);
      await list();
      await becomes({ ...UNOBSERVED, web: "operational" });
      await check();
      await becomes(WELL);
    });

    it(`what ${road} does not show after our start has no data five minutes after it was observed last`, async () => {
      await pass(60, { watched: true });
      await server.stop();
      await clock.advance(200_000);
      await open();
      await becomes(WELL);
      await pass(110, { watched: false });
      await becomes(UNOBSERVED);
    });
  }
});
