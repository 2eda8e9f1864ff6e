import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import type { ContainerSighting, UpdateSettings } from "../src/observations.ts";
import type { Database } from "../src/storage/database.ts";
import { onBothDatabases } from "./support/databases.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { defaultSettings, runtimeChanged, sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { until } from "./support/until.ts";
import { labelled, pulled, WEB } from "./support/update-story.ts";
import { createMemoryRegistries, type MemoryRegistries, type Pushed } from "./support/updates.ts";
import { openWholeServer, type WholeServer } from "./support/whole-server.ts";

/** An alert about a newer image ends when that was taken, when somebody wanted it, or with the container, and says which. */
onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let server: WholeServer;
  let registries: MemoryRegistries;
  let old: Pushed;
  let newest: Pushed;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    registries = createMemoryRegistries();
    old = registries.push(`${WEB}:1.25.3`, { content: "old" });
    newest = registries.push(`${WEB}:1.27.1`, { content: "new" });
    await open();
    await show(pulled("web", "web:1.25.3", old));
    await scan();
    await becomes(["web can be updated from 1.25.3 to 1.27.1 (minor)."]);
    server.events.length = 0;
  });
  afterEach(() => server.stop());

  async function open(): Promise<void> {
    server = await openWholeServer({ database, clock, registries, labels: new Map(), watchesLocal: true, isComplete: true });
    await server.see(null, runtimeChanged(true, clock.now()));
  }
  async function show(...shown: Partial<ContainerSighting>[]): Promise<void> {
    await clock.advance(1000);
    await server.see(null, { kind: "container.inventory", observedAt: clock.now(), containers: shown.map(sighting) });
  }
  const relabel = (settings: Partial<UpdateSettings>): Promise<void> => show(pulled("web", "web:1.25.3", old, labelled(settings)));
  const count = (type: string): number => server.events.filter((event) => event.type === type).length;
  async function scan(): Promise<void> {
    await clock.advance(1000);
    const before = count("update.scan_completed");
    const { status } = await server.ask("POST", "/api/v1/updates/scan");
    assert.equal(status, 202);
    await until(() => count("update.scan_completed") > before);
  }
  const ask = async (method: "POST" | "DELETE", path: string, body = {}): Promise<void> => {
    const { status } = await server.ask(method, `/api/v1/updates${path}`, body);
    assert.ok(status < 300, `${path}: ${status}`);
  };
  const active = (): string[] =>
    server.alerting
      .active()
      .filter(({ source }) => source === "update")
      .map(({ message }) => message);
  const becomes = (expected: readonly string[]): Promise<unknown> =>
    turnUntil(clock, () => String(active()) === String(expected), { stepMs: 10_000, mostMs: 600_000, everyMs: 50 });
  const resolutions = () => server.events.flatMap(({ type, data }) => (type === "alert.resolved" ? [data.resolution] : []));
  /** Long enough for everything that is wrong to be announced again. */
  async function passMinutes(minutes: number): Promise<void> {
    for (let step = 0; step < minutes * 6; step += 1) await clock.advance(10_000);
  }

  it("lasts while a re-created container was not compared, also over a start of this program", async () => {
    const between = registries.push(`${WEB}:1.26.0`, { content: "between" });
    await show(pulled("web-2", "web:1.26.0", between, { name: "web" }));
    await passMinutes(3);
    assert.deepEqual(active(), ["web can be updated from 1.25.3 to 1.27.1 (minor)."]);
    const events = server.events;
    await server.stop();
    await open();
    await show(pulled("web-2", "web:1.26.0", between, { name: "web" }));
    await passMinutes(3);
    await scan();
    await becomes(["web can be updated from 1.26.0 to 1.27.1 (minor)."]);
    await passMinutes(3);
    assert.deepEqual(
      [...events, ...server.events].filter(({ type }) => type.startsWith("alert.")),
      [],
    );
  });

  it("lasts while its label changed, and a scan that finds the same version detects nothing", async () => {
    await relabel({ track: "minor" });
    await passMinutes(3);
    await scan();
    await passMinutes(3);
    assert.deepEqual(
      [active(), resolutions(), count("update.detected"), count("alert.fired")],
      [["web can be updated from 1.25.3 to 1.27.1 (minor)."], [], 0, 0],
    );
  });

  it("is over once a scan or the same content shows that the newest runs", async () => {
    await show(pulled("web-2", "web:1.27.1", newest, { name: "web" }));
    await becomes([]);
    assert.deepEqual(resolutions(), [{ by: "observation", reason: "No newer image is available anymore." }]);
  });

  const NOT_ENABLED = "This alert is no longer enabled for the container.";
  const wanted: readonly [what: string, happen: () => Promise<void>, reason: string][] = [
    ["a pin", () => ask("POST", `/pin/${server.containers.present.find(null, "web")?.id}`), "The container was pinned."],
    ["a pin by a label", () => relabel({ pin: "1.25.3" }), "The container was pinned."],
    ["an exclusion", () => ask("POST", "/exclusions", { image: "web*" }), "The container was excluded from updates."],
    ["an exclusion by a label", () => relabel({ enabled: false }), "The container was excluded from updates."],
    ["alerts switched off by a label", () => relabel({ alertOn: "none" }), NOT_ENABLED],
    [
      "a container that is ignored",
      () => show({ ...pulled("web", "web:1.25.3", old), settings: { ...defaultSettings, ignored: true } }),
      NOT_ENABLED,
    ],
  ];
  for (const [what, happen, reason] of wanted)
    it(`is over by a user: ${what}`, async () => {
      await happen();
      await becomes([]);
      assert.deepEqual(resolutions(), [{ by: "user", reason }]);
    });

  it("says that a user switched off the alert about a regression", async () => {
    const bad = pulled("web-2", "web:1.27.1", newest, { name: "web", createdAt: clock.now(), startedAt: clock.now() });
    await show(bad);
    await show({ ...bad, health: "unhealthy" });
    await becomes(["web performs worse since its image changed: health check failing."]);
    server.events.length = 0;
    await show({ ...bad, health: "unhealthy", ...labelled({ alertOn: "none" }) });
    await becomes([]);
    assert.deepEqual(resolutions(), [{ by: "user", reason: NOT_ENABLED }]);
  });

  it("is over with its container", async () => {
    await server.see(null, { kind: "container.gone", observedAt: clock.now(), externalId: "web" });
    await passMinutes(3);
    assert.equal(active().length, 1, "it may be re-created");
    await passMinutes(10);
    await show();
    await becomes([]);
    assert.deepEqual(
      resolutions().map((resolution) => resolution?.by),
      ["removal"],
    );
  });
});
