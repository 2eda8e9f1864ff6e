import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { type Containers, createContainers, type SavedContainer } from "./index.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
const OTHER = "0b9c54a0-0000-4000-8000-000000000002";
const MINUTE = 60;
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

const seen = (seconds: number, facts: Partial<ContainerSighting> = {}): Observation => ({
  kind: "container.seen",
  observedAt: after(seconds),
  container: sighting({ externalId: "web", ...facts }),
});
const died = (seconds: number, facts: Partial<ContainerSighting> = {}): Observation =>
  seen(seconds, { state: "exited", exitCode: 1, finishedAt: after(seconds), ...facts });
const gone = (seconds: number, externalId = "web"): Observation => ({ kind: "container.gone", observedAt: after(seconds), externalId });
const words = (seconds: number, snippet = "panic"): Observation => ({
  kind: "container.last_words",
  observedAt: after(seconds),
  externalId: "web",
  endedAt: after(seconds),
  snippet,
});
const inventory = (seconds: number, ...shown: Partial<ContainerSighting>[]): Observation => ({
  kind: "container.inventory",
  observedAt: after(seconds),
  containers: shown.map((facts) => sighting({ externalId: "web", ...facts })),
});
/** The reports of a watch that began at noon, one every ten seconds. */
const watched = (from: number, to: number): Observation[] =>
  Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, index) => ({
    kind: "host.watched",
    since: NOON,
    observedAt: after(from + index * 10),
  }));

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let events: Event[];
  let containers: Containers;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    events = [];
    const bus = createBus<Event>(silentLog);
    bus.subscribe("test", (event) => events.push(event));
    const scheduler = createScheduler(clock, silentLog);
    containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource: { async *logs() {} } });
    await containers.start();
  });

  const live = (...observations: Observation[]): Promise<void> => containers.observe(AGENT, observations);
  const replay = (...observations: Observation[]): Promise<void> => containers.record(AGENT, observations);
  const find = async (externalId = "web", agentId: string | null = AGENT): Promise<SavedContainer> => {
    const present = containers.present.find(agentId, externalId);
    if (present?.archivedAt === null) return present;
    const id = (await containers.idsOf(agentId, [externalId])).get(externalId);
    assert.ok(id !== undefined, `${externalId} is not known`);
    return containers.service.find(id);
  };
  const timeline = async (externalId = "web") => {
    const { id } = await find(externalId);
    const { transitions } = await containers.service.transitions(id, {
      since: after(-86_400).toISOString(),
      until: after(86_400).toISOString(),
      limit: 100,
      offset: 0,
    });
    return transitions
      .toReversed()
      .map((step) => [(Date.parse(step.timestamp) - NOON.getTime()) / 1000, step.previous_state, step.new_state, step.replayed] as const);
  };
  const uptime = async (): Promise<number | null> => (await containers.service.detail((await find()).id)).uptime["24h"];

  /** Ten minutes on, then half an hour cut off in which the container dies at minute 15 and comes back at minute 25, then ten minutes on. */
  const spooled = [
    ...watched(610, 40 * MINUTE - 10),
    died(15 * MINUTE),
    words(15 * MINUTE),
    seen(25 * MINUTE, { startedAt: after(25 * MINUTE) }),
  ];
  async function outage(): Promise<void> {
    const born = { createdAt: NOON, startedAt: NOON };
    await live(inventory(0, born), ...watched(0, 600));
    clock.jump(after(40 * MINUTE));
    await live(inventory(40 * MINUTE, { ...born, startedAt: after(25 * MINUTE), finishedAt: after(15 * MINUTE), exitCode: 1 }));
    await live(...watched(40 * MINUTE, 50 * MINUTE));
    clock.jump(after(50 * MINUTE));
  }

  it("makes an outage whole: timeline and uptime are those of a host that was never cut off, in whatever order it comes and however often", async () => {
    await outage();
    events.length = 0;
    const before = await find();
    await replay(...spooled);
    await replay(...spooled.toReversed());
    for (const each of spooled) await replay(each);
    assert.deepEqual(await timeline(), [
      [0, null, "running", false],
      [15 * MINUTE, "running", "exited", false],
      [25 * MINUTE, "exited", "running", false],
    ]);
    assert.equal(await uptime(), 80);
    assert.deepEqual(events, []);
    assert.deepEqual(await find(), before);
  });

  for (const exitCode of [0, 137])
    it(`records an end with ${exitCode} that was asked for as the live door would have, though it was started again`, async () => {
      const born = { createdAt: NOON, startedAt: NOON };
      const again = { ...born, startedAt: after(25 * MINUTE) };
      await live(inventory(0, born));
      await live(inventory(40 * MINUTE, { ...again, finishedAt: after(15 * MINUTE), exitCode }));
      await replay(died(15 * MINUTE, { exitCode, stopRequested: true }), seen(25 * MINUTE, again));
      const { transitions } = await containers.service.transitions((await find()).id, { limit: 100, offset: 0 });
      assert.deepEqual(
        transitions.map(({ new_state: state, exit_code: code, stop_requested: asked }) => [state, code, asked]),
        [
          ["running", null, false],
          ["exited", exitCode, true],
          ["running", null, false],
        ],
      );
    });

  it("learns from the replay how a container ended that an inventory found running again, and makes no second end of its restart", async () => {
    const born = { createdAt: NOON, startedAt: NOON };
    await live(inventory(0, born));
    // An engine forgets the exit code of a container that runs again.
    await live(inventory(40 * MINUTE, { ...born, startedAt: after(25 * MINUTE), finishedAt: after(15 * MINUTE), exitCode: null }));
    const end = { finishedAt: after(15 * MINUTE), exitCode: 137, oomKilled: true };
    const steps = [died(15 * MINUTE + 0.2, end), seen(15 * MINUTE + 0.3, { ...end, state: "restarting" })];
    await replay(...steps);
    await replay(...steps);
    const { id } = await find();
    const { transitions } = await containers.service.transitions(id, {
      since: after(-86_400).toISOString(),
      until: after(86_400).toISOString(),
      limit: 100,
      offset: 0,
    });
    assert.deepEqual(
      transitions.toReversed().map(({ new_state: state, exit_code: code, oom_killed: oom }) => [state, code, oom]),
      [
        ["running", null, false],
        ["exited", 137, true],
        ["running", null, false],
      ],
    );
  });

  it("leaves what was not observed out of the uptime when there is no replay", async () => {
    await outage();
    // Ten minutes and ten, and half a minute that the first report speaks for: all of it up.
    assert.equal(await uptime(), 100);
    const rows = await database
      .tables<{ watched_spans: { agent_id: string; started_at: number; ended_at: number } }>()
      .read.selectFrom("watched_spans")
      .selectAll()
      .orderBy("started_at")
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.agent_id, (row.started_at - NOON.getTime()) / 1000, (row.ended_at - NOON.getTime()) / 1000]),
      [
        [AGENT, 0, 600],
        [AGENT, 40 * MINUTE - 30, 50 * MINUTE],
      ],
    );
  });

  it("counts as observed only what of a replay came in: what the spool had to drop stays unknown", async () => {
    await outage();
    await replay(...watched(30 * MINUTE, 40 * MINUTE - 10));
    await replay(died(15 * MINUTE), seen(25 * MINUTE, { startedAt: after(25 * MINUTE) }));
    // 10 min up, unknown until minute 29.5, up since.
    assert.equal(await uptime(), 100);
    await replay(...watched(20 * MINUTE, 24 * MINUTE));
    assert.equal(await uptime(), Math.floor(((10 + 20.5) / (10 + 20.5 + 4.5)) * 10_000) / 100);
  });

  it("records restarts that no inventory could show, each once", async () => {
    await live(inventory(0, { createdAt: NOON, startedAt: NOON }));
    const crashes = [60, 120, 180].flatMap((second) => [
      died(second),
      words(second, `crash ${second}`),
      seen(second + 1, { startedAt: after(second + 1) }),
    ]);
    await live(inventory(600, { createdAt: NOON, startedAt: after(181), finishedAt: after(180), exitCode: 1, restartCount: 3 }));
    events.length = 0;
    for (let time = 0; time < 3; time += 1) await replay(...crashes);
    assert.deepEqual(
      (await timeline()).map(([second, previous, state]) => [second, previous, state]),
      [
        [0, null, "running"],
        [60, "running", "exited"],
        [61, "exited", "running"],
        [120, "running", "exited"],
        [121, "exited", "running"],
        [180, "running", "exited"],
        [181, "exited", "running"],
      ],
    );
    const { transitions } = await containers.service.transitions((await find()).id, {
      since: NOON.toISOString(),
      until: after(3600).toISOString(),
      limit: 100,
      offset: 0,
    });
    assert.deepEqual(
      transitions.flatMap(({ log_snippet }) => log_snippet ?? []),
      ["crash 180", "crash 120", "crash 60"],
    );
    assert.deepEqual([events, (await find()).restartHistory.loop], [[], null]);
  });

  it("keeps the past of a container that lived and went while its host was cut off, as archived", async () => {
    await live(inventory(600, { externalId: "other", name: "other" }));
    events.length = 0;
    const life = [seen(60, { state: "created" }), seen(61), died(300), gone(301)];
    for (let time = 0; time < 2; time += 1) await replay(...life);
    const container = await find();
    assert.partialDeepStrictEqual(container, {
      agentId: AGENT,
      state: "exited",
      exitCode: 1,
      firstSeenAt: after(60),
      archivedAt: after(301),
    });
    assert.deepEqual(await timeline(), [
      [60, null, "created", true],
      [61, "created", "running", true],
      [300, "running", "exited", true],
    ]);
    assert.deepEqual([events, containers.present.find(AGENT, "web")], [[], undefined]);
    await replay(...watched(10, 600));
    clock.jump(after(600));
    assert.equal(await uptime(), Math.floor((239 / 240) * 10_000) / 100);
  });

  it("puts the end of a container at the time it went, not at that at which it was missed", async () => {
    await live(inventory(0, { createdAt: NOON, startedAt: NOON }));
    await live(inventory(1800));
    await replay(died(300), gone(301));
    assert.deepEqual((await find()).archivedAt, after(301));
    await replay(gone(200));
    assert.deepEqual((await find()).archivedAt, after(301), "something was seen of it later");
  });

  const generations = async (): Promise<string[]> => {
    const { id } = await find("d");
    return (await containers.service.generations(id, { limit: 9, offset: 0 })).generations.map((each) => each.external_id);
  };
  const made = (seconds: number, externalId: string): Observation => seen(seconds, { externalId, createdAt: after(seconds) });

  it("has one container of all that were made in one place while its host was cut off", async () => {
    const life = [made(100, "a"), gone(190, "a"), made(200, "b"), gone(290, "b"), made(300, "c"), gone(390, "c"), made(400, "d")];
    for (let time = 0; time < 2; time += 1) {
      await replay(...life);
      assert.deepEqual(await generations(), ["d", "c", "b", "a"]);
    }
    assert.equal((await containers.idsOf(AGENT, ["a", "b", "c", "d"])).get("a"), (await find("d")).id);
  });

  it("adds all that were made in the place of a container that is known, and is there again", async () => {
    await live(inventory(0, { externalId: "a" }));
    await live(inventory(600, { externalId: "d", createdAt: after(400) }));
    await replay(
      died(100, { externalId: "a" }),
      gone(110, "a"),
      made(200, "b"),
      gone(290, "b"),
      made(300, "c"),
      gone(390, "c"),
      made(400, "d"),
    );
    assert.deepEqual(await generations(), ["d", "c", "b", "a"]);
  });

  it("touches no container that is present, of this host or another", async () => {
    await live(inventory(600, {}));
    await containers.observe(OTHER, [inventory(600, { name: "elsewhere" })]);
    await containers.observe(null, [inventory(600, { name: "here" })]);
    const all = await Promise.all([AGENT, OTHER, null].map((agentId) => find("web", agentId)));
    await replay(died(700), gone(701), seen(702, { name: "renamed" }));
    assert.deepEqual(await Promise.all([AGENT, OTHER, null].map((agentId) => find("web", agentId))), all);
  });

  it("leaves out ignored containers and those that it does not know", async () => {
    const settings = { ...defaultSettings, ignored: true };
    await live(inventory(0, { settings }));
    await replay(died(10), seen(20, { settings, externalId: "also" }), gone(30, "nobody"), words(40));
    const rows = await database.tables<{ transitions: { id: number } }>().read.selectFrom("transitions").select("id").execute();
    assert.deepEqual(rows, []);
    assert.equal((await containers.idsOf(AGENT, ["also", "nobody"])).size, 0);
  });

  it("two steps at the same moment stay in their order when they come again", async () => {
    await live(inventory(600, { createdAt: NOON, startedAt: after(1) }));
    const steps = [died(10), seen(10, { startedAt: after(10) }), seen(20, { state: "paused" }), seen(30)];
    await replay(...steps);
    const once = await timeline();
    await replay(...steps);
    assert.deepEqual(await timeline(), once);
  });

  it("what is live wins over what a replay has just stored", async () => {
    await replay(seen(10));
    await live(seen(20, { name: "alive" }));
    assert.equal(containers.present.find(AGENT, "web")?.name, "alive");
    assert.equal(containers.present.find(AGENT, "web")?.archivedAt, null);
  });
});
