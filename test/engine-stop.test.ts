import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import type { ContainerSighting } from "../src/observations.ts";
import type { Database } from "../src/storage/database.ts";
import { scanOf, unreachable } from "./support/certificates.ts";
import { onBothDatabases } from "./support/databases.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { until } from "./support/until.ts";
import { openWholeServer, type WholeServer } from "./support/whole-server.ts";

/** An engine that stops takes its containers with it: one alert reports it, and those of its containers are recorded and not sent. */
onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;
  let since: Date;
  let shown = scanOf();

  beforeEach(async () => {
    shown = scanOf();
    database = await create();
    clock = createFakeClock();
    await open();
    since = clock.now();
    await show({}, {});
    await runtime(true);
    await clock.advance(60_000);
  });
  afterEach(() => server.stop());

  async function open(): Promise<void> {
    server = await openWholeServer({ database, clock, labels: new Map(), watchesLocal: true, scan: async () => shown });
  }
  async function runtime(connected: boolean): Promise<void> {
    const error = connected ? null : "the engine does not answer";
    const status = { runtime: "docker", connected, version: null, apiVersion: null, error, since: clock.now() } as const;
    await server.see(null, { kind: "runtime.changed", observedAt: clock.now(), status });
  }
  const show = (...facts: Partial<ContainerSighting>[]): Promise<void> =>
    server.see(null, {
      kind: "container.inventory",
      observedAt: clock.now(),
      containers: facts.map((each, index) => sighting({ externalId: `c${index}`, name: `c${index}`, startedAt: since, ...each })),
    });
  const alerts = (): string[] =>
    server.alerting
      .active()
      .map(({ source, event, entityName, suppressedBy }) => `${source}/${event} ${entityName} ${suppressedBy ?? "sent"}`)
      .toSorted();
  const become = (expected: readonly string[]): Promise<void> =>
    turnUntil(clock, () => String(alerts()) === String(expected), {
      ...{ stepMs: 1_000, mostMs: 120_000, everyMs: 20 },
      what: `${String(expected)}, not ${String(alerts())}`,
    });
  const sent = (): string[] => server.events.flatMap(({ type, data }) => (type === "alert.fired" ? [`${data.source}/${data.event}`] : []));

  const CAUSE = ["agent/runtime_lost Local sent", "container/down c0 dependency", "container/down c1 dependency"];

  async function stopAndReturn(): Promise<void> {
    await runtime(false);
    await clock.advance(2_000);
    const ended = { state: "exited", exitCode: 137, finishedAt: clock.now() } as const;
    await clock.advance(10_000);
    await show(ended, ended);
    await runtime(true);
  }

  it("with its containers still away", async () => {
    await stopAndReturn();
    await become(CAUSE);
    const cause = server.alerting.active().find(({ source }) => source === "agent");
    assert.equal(
      cause?.message,
      "The container engine is back after an outage. 2 containers that stopped with it are not running: c0, c1.",
    );
    for (let minute = 0; minute < 5; minute += 1) await clock.advance(60_000);
    await until(() => String(alerts()) === String(CAUSE));
    await server.stop();
    const before = sent();
    await open();
    const ended = { state: "exited", exitCode: 137, finishedAt: new Date(since.getTime() + 62_000) } as const;
    await show(ended, ended);
    await runtime(true);
    for (let minute = 0; minute < 5; minute += 1) await clock.advance(60_000);
    await become(CAUSE);
    assert.deepEqual([before, sent()], [["agent/runtime_lost"], []]);
    since = clock.now();
    await show({}, {});
    await become([]);
  });

  it("with the server of a certificate that a label asked for", async () => {
    await show({ certificates: [{ domain: "web.test", port: 443, serverName: "web.test" }] });
    await turnUntil(clock, () => server.certificates.service.list({}).counts.valid === 1, { stepMs: 1_000, mostMs: 120_000 });
    shown = unreachable;
    await runtime(false);
    const held = ["agent/runtime_lost Local sent", "certificate/unreachable web.test dependency"];
    await turnUntil(clock, () => String(alerts()) === String(held), { stepMs: 10_000, mostMs: 1_800_000, what: String(held) });
    assert.deepEqual(sent(), ["agent/runtime_lost"]);
  });

  it("says nothing when they are back in time", async () => {
    await stopAndReturn();
    since = clock.now();
    await show({}, {});
    for (let minute = 0; minute < 5; minute += 1) await clock.advance(60_000);
    assert.deepEqual([alerts(), sent()], [[], []]);
  });
});
