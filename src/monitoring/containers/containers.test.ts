import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { watchKept } from "../../../test/support/kept-events.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { ContainerList } from "./answers.ts";
import { type Containers, createContainers } from "./index.ts";

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let events: Event[];
  let containers: Containers;
  let scheduler: Scheduler | undefined;
  let assertKept: () => void;
  const noon = new Date("2026-03-01T12:00:00Z");
  const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);

  /** The feature as after a start of the program, on the database as it is. */
  async function open(): Promise<Containers> {
    const bus = createBus<Event>(silentLog);
    assertKept = watchKept(bus);
    bus.subscribe("test", (event) => events.push(event));
    await scheduler?.stop();
    scheduler = createScheduler(clock, silentLog);
    const opened = createContainers({
      database,
      bus,
      clock,
      scheduler,
      log: silentLog,
      logSource: { async *logs() {} },
      downAfterMs: 30_000,
    });
    await opened.start();
    return opened;
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    events = [];
    containers = await open();
  });
  afterEach(() => assertKept());
  const inventory = (seconds: number, ...seen: Partial<ContainerSighting>[]): Observation => ({
    kind: "container.inventory",
    observedAt: after(seconds),
    containers: seen.map(sighting),
  });
  const news = (seconds: number, facts: Partial<ContainerSighting>): Observation => ({
    kind: "container.seen",
    observedAt: after(seconds),
    container: sighting(facts),
  });
  const see = (...observations: Observation[]): Promise<void> => containers.observe(null, observations);
  const list = async (filter: object = {}): Promise<ContainerList> =>
    JSON.parse(String(await containers.service.list({ archived: false, ignored: false, ...filter }))) as ContainerList;
  const names = (of: ContainerList): string[] => of.groups.flatMap((group) => group.containers.map(({ name }) => name));
  const types = (): string[] => events.map(({ type }) => type);
  const history = (id: number) =>
    containers.service.transitions(id, { since: after(-86_400).toISOString(), until: after(86_400).toISOString(), limit: 100, offset: 0 });

  it("keeps what a remote host could not report in time as history, and publishes no event of it", async () => {
    const agentId = "7d444840-9dc0-4000-8000-000000000001";
    const of = (seconds: number, facts: Partial<ContainerSighting>) => containers.observe(agentId, [inventory(seconds, facts)]);
    await of(0, { startedAt: after(-60) });
    events = [];
    // It ended and began again while the agent was cut off.
    await of(300, { startedAt: after(200), finishedAt: after(100), exitCode: 137, restartCount: 1 });
    assert.ok(!types().includes("container.state_changed"), types().join());
    const { transitions } = await history(1);
    assert.deepEqual(transitions.map(({ new_state: state }) => state).toReversed(), ["running", "exited", "running"]);
    const untilNow = await containers.service.transitions(1, { limit: 100, offset: 0 });
    assert.equal(untilNow.total, 3, "the clock of its host is ahead of ours");
    await of(600, { state: "exited", startedAt: after(400), finishedAt: after(500), exitCode: 1, restartCount: 2 });
    const published = events.flatMap((event) =>
      event.type === "container.state_changed" ? [[event.data.previous_state, event.data.state]] : [],
    );
    assert.deepEqual(published, [["running", "exited"]]);
  });

  it("publishes once that a container ended by itself and stays down, and its return; nothing of one that was stopped", async () => {
    const stopped = { externalId: "b".repeat(64), name: "stopped", state: "exited" as const, exitCode: 1, stopRequested: true };
    await see(inventory(0, { name: "web" }, { ...stopped, state: "running", exitCode: null, stopRequested: false }));
    await see(news(10, { name: "web", state: "exited", exitCode: 137, oomKilled: true }), news(10, stopped));
    const published = (): [boolean, string][] =>
      events.flatMap((event): [boolean, string][] => (event.type === "container.down" ? [[event.data.down, event.data.name]] : []));
    await clock.advance(39_000);
    assert.deepEqual([published(), containers.announce()], [[], []]);
    await clock.advance(5_000);
    assert.deepEqual(published(), [[true, "web"]]);
    const [announced] = containers.announce();
    assert.ok(announced?.type === "container.down");
    assert.deepEqual([announced.data.exit_code, announced.data.oom_killed, announced.data.since], [137, true, after(10).toISOString()]);
    await see(news(50, { name: "web", state: "running" }));
    await clock.advance(2_000);
    assert.deepEqual(published(), [
      [true, "web"],
      [false, "web"],
    ]);
    assert.deepEqual(containers.announce(), []);
  });

  it("publishes again when a container ran for a moment between two checks and ended again", async () => {
    await see(inventory(0, { startedAt: after(0) }));
    const ends = (seconds: number, startedAt: number): Promise<void> =>
      see(news(seconds, { state: "exited", exitCode: 1, startedAt: after(startedAt), finishedAt: after(seconds) }));
    const published = (): boolean[] => events.flatMap((event) => (event.type === "container.down" ? [event.data.down] : []));
    await ends(10, 0);
    await clock.advance(45_000);
    assert.deepEqual(published(), [true]);
    await see(news(45, { startedAt: after(45) }));
    await ends(45.5, 45);
    await clock.advance(45_000);
    assert.deepEqual(published(), [true, true]);
  });

  it("announces what is bad now, also after a restart", async () => {
    await see(inventory(0, { name: "web", health: "unhealthy" }, { externalId: "b".repeat(64), name: "well", health: "healthy" }));
    containers = await open();
    assert.partialDeepStrictEqual(containers.announce(), [
      { type: "container.health_changed", data: { name: "web", health: "unhealthy", previous_health: null } },
    ]);
    assert.equal(containers.announce().length, 1);
  });

  it("lists what an inventory shows, in groups, and publishes it", async () => {
    await see(
      inventory(
        0,
        { externalId: "b".repeat(64), name: "web10", project: { name: "shop", source: "compose" } },
        { externalId: "c".repeat(64), name: "web9", project: { name: "shop", source: "compose" } },
        { name: "alone" },
      ),
    );
    const { groups, total, archived_count } = await list();
    assert.deepEqual(
      groups.map(({ name, source, containers: members }) => [name, source, members.map((member) => member.name)]),
      [
        ["shop", "compose", ["web9", "web10"]],
        ["Ungrouped", "default", ["alone"]],
      ],
    );
    assert.deepEqual([total, archived_count], [3, 0]);
    assert.deepEqual(types(), ["container.discovered", "container.discovered", "container.discovered"]);
  });

  it("filters by state, health, group, host and text", async () => {
    await see(
      inventory(
        0,
        { name: "one", health: "unhealthy" },
        { externalId: "b".repeat(64), name: "two", state: "exited", exitCode: 1, image: "Registry/Two:1" },
      ),
    );
    assert.deepEqual(names(await list({ state: "exited" })), ["two"]);
    assert.deepEqual(names(await list({ health: "unhealthy" })), ["one"]);
    assert.deepEqual(names(await list({ health: "none" })), ["two"]);
    assert.deepEqual(names(await list({ group: "nowhere" })), []);
    assert.deepEqual(names(await list({ agent_id: "local" })), ["one", "two"]);
    assert.deepEqual(names(await list({ agent_id: "0b9c54a0-0000-4000-8000-000000000000" })), []);
    assert.deepEqual(names(await list({ search: "registry" })), ["two"]);
  });

  it("saves state and history together, and publishes the change with its cause", async () => {
    await see(inventory(0, {}));
    await see(news(5, { state: "exited", exitCode: 137, oomKilled: true, errorDetail: "out of memory" }));
    const { id } = (await list()).groups[0]?.containers[0] ?? { id: 0 };
    assert.deepEqual(
      (await history(id)).transitions.map(({ previous_state, new_state, exit_code, oom_killed, timestamp }) => [
        previous_state,
        new_state,
        exit_code,
        oom_killed,
        timestamp,
      ]),
      [
        ["running", "exited", 137, true, after(5).toISOString()],
        [null, "running", null, false, "2026-03-01T11:00:01.000Z"],
      ],
    );
    const changed = events.find((event) => event.type === "container.state_changed");
    assert.equal(changed?.data.exit_code, 137);
    assert.equal(changed?.data.oom_killed, true);
    assert.equal(changed?.data.previous_state, "running");
  });

  it("continues after a restart of the program where it was, and publishes nothing twice", async () => {
    const facts = { state: "exited" as const, exitCode: 1 };
    await see(inventory(0, {}));
    await see(news(5, facts));
    events.length = 0;
    containers = await open();
    assert.deepEqual(containers.resumeFrom(), after(5));
    await see(news(5, facts));
    await see(inventory(6, facts));
    assert.deepEqual(events, []);
    assert.equal((await history((await list()).groups[0]?.containers[0]?.id ?? 0)).total, 2);
  });

  it("archives what is gone, keeps its history, and brings it back", async () => {
    await see(inventory(0, {}, { externalId: "b".repeat(64), name: "other" }));
    await see(inventory(60, { externalId: "b".repeat(64), name: "other" }));
    assert.deepEqual(names(await list()), ["other"]);
    assert.deepEqual(names(await list({ archived: true })), ["web"]);
    assert.equal((await list()).archived_count, 1);
    assert.equal(types().at(-1), "container.archived");
    await see(news(70, {}));
    assert.deepEqual(names(await list()), ["other", "web"]);
    assert.equal((await list()).archived_count, 0);
    assert.equal(types().at(-1), "container.discovered");
  });

  it("leaves a container alone that was born while the others were listed", async () => {
    await see(news(10, {}));
    await see(inventory(5));
    assert.deepEqual(names(await list()), ["web"]);
  });

  it("deletes what is past its time", async () => {
    await see(inventory(0, {}, { externalId: "b".repeat(64), name: "gone" }));
    await see({ kind: "container.gone", observedAt: after(1), externalId: "b".repeat(64) });
    await see(inventory(601, {}), news(602, { state: "exited", exitCode: 1 }));
    clock.jump(after(31 * 86_400));
    await clock.advance(61_000);
    await until(async () => (await list()).archived_count === 0);
    assert.deepEqual(names(await list({ archived: true })), []);
    const { id } = (await list()).groups[0]?.containers[0] ?? { id: 0 };
    assert.equal((await history(id)).total, 2);
    clock.jump(after(91 * 86_400));
    containers = await open();
    await clock.advance(61_000);
    await until(async () => (await history(id)).total === 1);
    assert.equal((await history(id)).transitions[0]?.new_state, "exited", "what it was before all that comes stays");
  });

  it("puts the last words beside the end they belong to", async () => {
    await see(inventory(0, {}));
    await see(news(5, { state: "exited", exitCode: 1 }));
    await see(news(6, { startedAt: after(6), restartCount: 1 }));
    await see({
      kind: "container.last_words",
      observedAt: after(7),
      externalId: "a".repeat(64),
      endedAt: after(5),
      snippet: "panic: no\n",
    });
    const { transitions } = await history((await list()).groups[0]?.containers[0]?.id ?? 0);
    assert.deepEqual(
      transitions.map(({ new_state, log_snippet }) => [new_state, log_snippet]),
      [
        ["running", null],
        ["exited", "panic: no\n"],
        ["running", null],
      ],
    );
  });

  it("raises a restart loop, worsens it, and keeps it over a start of ours", async () => {
    await see(inventory(0, {}));
    for (let round = 1; round <= 9; round += 1) {
      await see(news(round * 2, { state: "restarting", exitCode: 1, restartCount: round }));
      await see(news(round * 2 + 1, { startedAt: after(round * 2 + 1), restartCount: round }));
    }
    const alerts = () =>
      events
        .filter((event) => event.type === "container.restart_alert")
        .map(({ data }) => [data.previous_severity, data.severity, data.restarts]);
    assert.deepEqual(alerts(), [
      [null, "warning", 3],
      ["warning", "critical", 9],
    ]);
    assert.partialDeepStrictEqual(containers.announce(), [
      { type: "container.restart_alert", data: { severity: "critical", previous_severity: null, restarts: 9 } },
    ]);
    assert.deepEqual((await list()).groups[0]?.containers[0]?.restart_loop, {
      severity: "critical",
      restarts: 9,
      since: after(7).toISOString(),
    });
    await clock.advance(600_000);
    containers = await open();
    await clock.advance(30_000);
    assert.equal(alerts().length, 2);
    assert.equal(containers.announce().length, 1);
    assert.equal((await list()).groups[0]?.containers[0]?.restart_loop?.severity, "critical");
  });

  it("says which labels were not understood, and when they are put right", async () => {
    const labelErrors = [{ label: "service.alert.severity", message: "no such severity" }];
    await see(inventory(0, { labelErrors }));
    await see(inventory(1, {}));
    const published = events.flatMap((event) => (event.type === "container.label_errors" ? [event.data.label_errors] : []));
    assert.deepEqual(published, [labelErrors, []]);
  });

  it("hides ignored containers and says nothing of them", async () => {
    const settings = { ...defaultSettings, ignored: true };
    await see(inventory(0, { settings }));
    await see(news(5, { settings, state: "exited", exitCode: 1 }));
    assert.deepEqual(names(await list()), []);
    assert.deepEqual(names(await list({ ignored: true })), ["web"]);
    assert.deepEqual(events, []);
  });

  it("replays into the history alone: nobody is notified, the state stays, duplicates change nothing", async () => {
    await see(inventory(0, {}));
    await see(news(100, { state: "exited", exitCode: 0, finishedAt: after(100) }));
    events.length = 0;
    for (let time = 0; time < 2; time += 1) {
      await containers.record(null, [news(50, { state: "exited", exitCode: 9 }), news(51, { startedAt: after(51) })]);
    }
    assert.deepEqual(events, []);
    const [container] = (await list()).groups[0]?.containers ?? [];
    assert.equal(container?.state, "completed");
    const { transitions } = await history(container?.id ?? 0);
    assert.deepEqual(
      transitions.map(({ previous_state, new_state, replayed }) => [previous_state, new_state, replayed]),
      [
        ["running", "completed", false],
        ["exited", "running", true],
        ["running", "exited", true],
        [null, "running", false],
      ],
    );
  });

  it("shows in its rows the reported use of containers, while they run", async () => {
    await see(inventory(0, {}, { externalId: "b".repeat(64), name: "other", state: "exited", exitCode: 0 }));
    const rows = async () => (await list()).groups.flatMap((group) => group.containers.map(({ name, resources }) => [name, resources]));
    assert.deepEqual(await rows(), [
      ["other", null],
      ["web", null],
    ]);
    const used = { cpu_percent: 1.5, memory_bytes: 2, memory_percent: null, timestamp: after(0).toISOString() };
    containers.present.setResources(null, () => ({ ...used, cpu_cores_used: 0.5 }));
    containers.present.setResources("0b9c54a0-0000-4000-8000-000000000000", () => ({ ...used, cpu_cores_used: 0.5, cpu_percent: 99 }));
    assert.deepEqual(await rows(), [
      ["other", null],
      ["web", used],
    ]);
    const { id } = (await list()).groups[0]?.containers[1] ?? { id: 0 };
    assert.deepEqual((await containers.service.detail(id)).resources, used);
    await see(news(5, { state: "paused" }));
    assert.deepEqual((await rows())[1], ["web", used]);
    await see(news(6, { state: "exited", exitCode: 1 }));
    assert.deepEqual((await rows())[1], ["web", null]);
    containers.present.setResources(null, undefined);
    await see(news(7, {}));
    assert.deepEqual((await rows())[1], ["web", null]);
  });

  it("says who is there, and who was", async () => {
    const ignored = { ...defaultSettings, ignored: true };
    await see(
      inventory(
        0,
        {},
        { externalId: "b", name: "idle", state: "exited", exitCode: 0 },
        { externalId: "c", name: "ignored", settings: ignored },
        { externalId: "d", name: "gone" },
      ),
    );
    await see({ kind: "container.gone", observedAt: after(1), externalId: "d" });
    const { present } = containers;
    assert.deepEqual([...present.hosts()], [null]);
    assert.deepEqual(present.count(null), { running: 1, total: 2 });
    assert.deepEqual([present.runtimeOf(null), present.runtimeOf("elsewhere")], ["docker", null]);
    assert.deepEqual([...present.ids()].includes(present.find(null, "d")?.id ?? 0), false, "it may be re-created, and is not there");
    const ids = await containers.idsOf(null, ["b", "c", "d", "e"]);
    assert.deepEqual([...ids.keys()].toSorted(), ["b", "d"]);
    assert.equal(ids.get("b"), present.find(null, "b")?.id);
    await see(inventory(2));
    assert.deepEqual([present.count(null), present.find(null, "d") === undefined], [{ running: 0, total: 0 }, false]);
    await see(inventory(602));
    assert.deepEqual([[...present.hosts()], present.find(null, "d")], [[], undefined]);
  });

  it("does not know a container that is not there", async () => {
    await assert.rejects(containers.service.detail(4711), (error) => isServiceError(error, "not_found"));
  });
});
