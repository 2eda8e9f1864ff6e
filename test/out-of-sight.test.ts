import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import type { EventData } from "../src/events.ts";
import type { ContainerSighting } from "../src/observations.ts";
import { labelEndpointKey } from "../src/observations.ts";
import type { Database } from "../src/storage/database.ts";
import { onBothDatabases } from "./support/databases.ts";
import { checkedObservation, failure, labelled } from "./support/endpoints.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { sampled } from "./support/readings.ts";
import { defaultSettings, runtimeChanged, sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { until } from "./support/until.ts";
import { openWholeServer, type WholeServer, type WholeServerParts } from "./support/whole-server.ts";

const WEB = "web";
const LABEL = "service.endpoint.http";
const KEY = labelEndpointKey(WEB, LABEL);
/** What is wrong with the container before it goes out of sight. */
const WRONG = ["container/health_unhealthy", "endpoint/consecutive_failure", "resource/memory_threshold"];

/** Only an observation that shows health ends a problem: that its container ended, or its host is not seen, ends none. */
onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    await open();
    await runtime(true);
    await show({ health: "healthy" });
    const id = server.containers.present.find(null, WEB)?.id ?? 0;
    await server.resources.service.setThresholds(id, { cpu_threshold: null, memory_threshold: 50, debounce_seconds: 0 });
    await show({ health: "unhealthy" });
    await tick(90);
    await checks(false, 3);
    await until(() => wrong().length === WRONG.length, { what: "that all is wrong" });
    assert.deepEqual(wrong(), WRONG);
    server.events.length = 0;
  });

  afterEach(() => server.stop());

  async function open(options: Pick<WholeServerParts, "downAfterMs"> = {}): Promise<void> {
    server = await openWholeServer({ database, clock, labels: new Map(), watchesLocal: true, ...options });
  }

  const container = (facts: Partial<ContainerSighting>): ContainerSighting =>
    sighting({ externalId: WEB, name: WEB, endpoints: [labelled(LABEL)], startedAt: clock.now(), ...facts });
  const show = (...facts: Partial<ContainerSighting>[]): Promise<void> =>
    server.see(null, { kind: "container.inventory", observedAt: clock.now(), containers: facts.map(container) });
  const news = async (facts: Partial<ContainerSighting>): Promise<void> => {
    await clock.advance(1000);
    await server.see(null, { kind: "container.seen", observedAt: clock.now(), container: container(facts) });
  };
  const ended = (facts: Partial<ContainerSighting>): Promise<void> => news({ state: "exited", finishedAt: clock.now(), ...facts });
  async function tick(memoryPercent: number): Promise<void> {
    clock.jump(new Date(Math.ceil((clock.now().getTime() + 1) / 10_000) * 10_000));
    await server.see(null, sampled(clock.now(), { [WEB]: { memoryBytes: memoryPercent, memoryLimitBytes: 100 } }));
  }
  async function checks(success: boolean, count: number): Promise<void> {
    for (let check = 0; check < count; check += 1) {
      await clock.advance(1000);
      await server.see(null, checkedObservation(KEY, clock.now(), success ? {} : failure));
    }
  }
  const runtime = (connected: boolean): Promise<void> => server.see(null, runtimeChanged(connected, clock.now()));
  const wrong = (): string[] =>
    server.alerting
      .active()
      .map(({ source, event }) => `${source}/${event}`)
      .toSorted();
  const resolved = (): Pick<EventData["alert.resolved"], "event" | "resolution">[] =>
    server.events.flatMap(({ type, data }) => (type === "alert.resolved" ? [{ event: data.event, resolution: data.resolution }] : []));
  const pass = async (minutes: number): Promise<void> => {
    for (let step = 0; step < minutes * 6; step += 1) await clock.advance(10_000);
  };
  const becomes = (expected: readonly string[]): Promise<void> =>
    turnUntil(clock, () => String(wrong()) === String(expected), {
      stepMs: 10_000,
      mostMs: 600_000,
      everyMs: 50,
      what: `${String(expected)}, not ${String(wrong())}`,
    });

  const ways: [string, () => Promise<void>, string[]][] = [
    ["a crash", () => ended({ exitCode: 1 }), ["container/down"]],
    ["the end of its memory", () => ended({ exitCode: 137, oomKilled: true }), ["container/down"]],
    ["a stop that was asked for", () => ended({ exitCode: 143, stopRequested: true }), []],
    ["a pause", () => news({ state: "paused", health: "unhealthy" }), []],
    ["the end of its engine", () => runtime(false), ["agent/runtime_lost"]],
  ];
  for (const [way, happen, more] of ways) {
    const expected = [...WRONG, ...more].toSorted();
    it(`${way} ends nothing that was wrong, nor does a start of ours after it`, async () => {
      await happen();
      await pass(4);
      await becomes(expected);
      await server.stop();
      const events = server.events;
      await open();
      await runtime(way !== "the end of its engine");
      await pass(4);
      await becomes(expected);
      assert.deepEqual(
        [...events, ...server.events].filter(({ type }) => type === "alert.resolved"),
        [],
      );
    });
  }

  it("is over once health is seen, and says so", async () => {
    await ended({ exitCode: 1 });
    await pass(3);
    await becomes([...WRONG, "container/down"].toSorted());
    await news({ health: "starting" });
    await becomes(WRONG);
    await news({ health: "healthy" });
    await checks(true, 2);
    await tick(10);
    await becomes([]);
    assert.deepEqual(
      resolved()
        .map(({ event, resolution }) => `${event}: ${resolution?.by}`)
        .toSorted(),
      ["consecutive_failure: observation", "down: observation", "health_unhealthy: observation", "memory_threshold: observation"],
    );
  });

  it("a container that was down is so until it runs, however it waits for its restart, and over a start of ours", async () => {
    await ended({ exitCode: 1 });
    await becomes([...WRONG, "container/down"].toSorted());
    for (const facts of [
      { state: "restarting", exitCode: 1 },
      { state: "exited", exitCode: 1 },
      { state: "created" },
      { state: "restarting" },
    ] as const) {
      await news({ ...facts, finishedAt: clock.now() });
      await pass(2);
    }
    const { events } = server;
    await server.stop();
    await open();
    await runtime(true);
    await show({ state: "restarting", exitCode: 1 });
    await pass(4);
    await becomes([...WRONG, "container/down"].toSorted());
    assert.deepEqual(
      [...events, ...server.events].filter(({ type }) => type === "alert.resolved"),
      [],
    );
    await news({ health: "starting" });
    await becomes(WRONG);
    assert.deepEqual(resolved(), [{ event: "down", resolution: { by: "observation", reason: "The container is running again." } }]);
  });

  it("a container that was down is no longer alerted when it became known that its end was asked for", async () => {
    const startedAt = clock.now();
    await ended({ exitCode: 1, startedAt });
    await becomes([...WRONG, "container/down"].toSorted());
    await ended({ exitCode: 1, startedAt, stopRequested: true });
    await becomes(WRONG);
    assert.deepEqual(resolved(), [{ event: "down", resolution: { by: "user", reason: "The container was stopped by request." } }]);
  });

  it("a crash loop is over after ten minutes without a restart that were seen, and not because its engine or we were away", async () => {
    for (let restartCount = 0; restartCount <= 3; restartCount += 1) {
      await news({ state: "restarting", exitCode: 1, restartCount });
      await news({ health: "unhealthy", restartCount });
    }
    const { startedAt } = server.containers.present.find(null, WEB) ?? { startedAt: null };
    const still: Partial<ContainerSighting> = { health: "unhealthy", startedAt, restartCount: 3 };
    const looping = [...WRONG, "container/restart_loop"].toSorted();
    await becomes(looping);
    await runtime(false);
    await pass(12);
    await show(still);
    await runtime(true);
    await pass(8);
    await becomes(looping);
    const { events } = server;
    await server.stop();
    await clock.advance(12 * 60_000);
    await open();
    await show(still);
    await runtime(true);
    await pass(8);
    assert.deepEqual(wrong(), looping);
    assert.deepEqual(
      [...events, ...server.events].flatMap(({ type, data }) => (type === "alert.resolved" ? [data.event] : [])),
      ["runtime_lost"],
    );
    await becomes(WRONG);
    assert.deepEqual(resolved(), [
      { event: "restart_loop", resolution: { by: "observation", reason: "No restarts in the last 10 minutes." } },
    ]);
  });

  it("is not raised again after a person resolved it, until it is seen again", async () => {
    await ended({ exitCode: 1 });
    const alert = server.alerting.active().find(({ source }) => source === "endpoint");
    const { status } = await server.ask("POST", `/api/v1/alerts/${alert?.id ?? 0}/resolve`, { resolved_by: "Ada" });
    assert.equal(status, 200);
    const others = WRONG.filter((each) => !each.startsWith("endpoint"));
    await pass(10);
    await becomes([...others, "container/down"].toSorted());
    await pass(10);
    assert.deepEqual(wrong(), [...others, "container/down"].toSorted());
    await news({ health: "starting" });
    await checks(false, 1);
    await becomes(WRONG);
  });

  const NOT_ENABLED = { by: "user", reason: "This alert is no longer enabled for the container." };

  it("is over when the container is ignored from now on, and says that a user wanted it", async () => {
    await news({ health: "unhealthy", settings: { ...defaultSettings, ignored: true }, endpoints: [] });
    await tick(90);
    await becomes([]);
    const ofHealth = resolved().find(({ event }) => event === "health_unhealthy");
    assert.deepEqual(ofHealth?.resolution, NOT_ENABLED);
  });

  it("is over when the alert was switched off while this program was stopped, and says so", async () => {
    await ended({ exitCode: 1 });
    await becomes([...WRONG, "container/down"].toSorted());
    await server.stop();
    await open({ downAfterMs: null });
    await runtime(true);
    await becomes(WRONG);
    assert.deepEqual(resolved(), [{ event: "down", resolution: NOT_ENABLED }]);
  });

  it("is over when the container is removed, and says that this is why", async () => {
    await ended({ exitCode: 1 });
    await server.see(null, { kind: "container.gone", observedAt: clock.now(), externalId: WEB });
    await pass(10);
    await show();
    await tick(10);
    await becomes([]);
    assert.deepEqual(new Set(resolved().map(({ resolution }) => resolution?.by)), new Set(["removal"]));
  });
});
