import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { sighting } from "../../../../test/support/sightings.ts";
import { callTool } from "../../../../test/support/tools.ts";
import { until } from "../../../../test/support/until.ts";
import type { ContainerSighting } from "../../../observations.ts";
import { type Moment, moment } from "./answers.ts";

const AGENT = "7d444840-9dc0-4000-8000-000000000001";
const WEB = "a".repeat(64);
const DAY = 86_400;

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let clock: FakeClock;
  let world: AssistantWorld;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const text = (seconds: number): string => at(seconds).toISOString();

  async function see(seconds: number, facts: Partial<ContainerSighting>, agentId: string | null = null): Promise<void> {
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), ...facts });
    await world.see(agentId, { kind: "container.seen", observedAt: at(seconds), container });
  }

  const watch = (from: number, to: number, agentId: string | null = null): Promise<void> =>
    world.see(agentId, { kind: "host.watched", since: at(from), observedAt: at(to) });

  async function ask(seconds: number, query: Record<string, string> = {}): Promise<Moment> {
    return moment.parse(await world.check("GET", "/api/v1/overview/moment", { at: text(seconds), ...query }));
  }

  const stateAt = async (seconds: number): Promise<unknown[]> =>
    (await ask(seconds)).containers.map(({ status, state, health, since, exit_code: code }) => [status, state, health, since, code]);

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
  });
  afterEach(() => world.stop());

  it("shows how a container was, at the moment of a change as after it", async () => {
    await see(0, { health: "healthy" });
    await see(100, { health: "unhealthy" });
    await see(200, { state: "exited", exitCode: 137, oomKilled: true, finishedAt: at(200) });
    await see(300, { startedAt: at(300) });
    await watch(0, 400);
    clock.jump(at(400));
    assert.deepEqual(await stateAt(99), [["up", "running", "healthy", text(0), null]]);
    assert.deepEqual(await stateAt(100), [["degraded", "running", "unhealthy", text(100), null]]);
    const [killed] = (await ask(250)).containers;
    assert.deepEqual([killed?.status, killed?.state, killed?.exit_code, killed?.oom_killed], ["down", "exited", 137, true]);
    const now = await ask(400);
    assert.deepEqual(now.counts, { up: 1, degraded: 0, down: 0, stopped: 0, unknown: 0 });
    assert.deepEqual([now.previous_change_at, now.next_change_at], [text(300), null]);
    const before = await ask(150);
    assert.deepEqual([before.previous_change_at, before.next_change_at], [text(100), text(200)]);
    assert.deepEqual([(await ask(100)).previous_change_at, (await ask(100)).next_change_at], [text(0), text(200)]);
  });

  it("shows a container paused as long as it was", async () => {
    await see(0, {});
    await see(100, { state: "paused" });
    await see(200, {});
    await see(300, { state: "paused" });
    await see(350, { state: "paused", health: "healthy" });
    await watch(0, 400);
    clock.jump(at(400));
    assert.deepEqual(await Promise.all([99, 100, 199, 200, 300].map(async (second) => (await stateAt(second))[0])), [
      ["up", "running", null, text(0), null],
      ["stopped", "paused", null, text(100), null],
      ["stopped", "paused", null, text(100), null],
      ["up", "running", null, text(200), null],
      ["stopped", "paused", null, text(300), null],
    ]);
    const { counts, containers } = await ask(400);
    assert.deepEqual([counts.stopped, containers[0]?.state, containers[0]?.health], [1, "paused", "healthy"]);
  });

  it("shows since when a container was what it was, also where that is older than what is kept", async () => {
    await see(0, {});
    await see(91 * DAY, { state: "exited", exitCode: 1, finishedAt: at(91 * DAY) });
    await watch(0, 92 * DAY);
    clock.jump(at(92 * DAY));
    await world.run("container retention");
    assert.deepEqual(await stateAt(90 * DAY), [["up", "running", null, text(0), null]]);
    assert.equal((await ask(90 * DAY)).known_since, text(2 * DAY));
    assert.deepEqual((await stateAt(91 * DAY))[0], ["down", "exited", null, text(91 * DAY), 1]);
  });

  it("says that nobody watched the host, and leaves out what was removed or not there yet", async () => {
    await see(0, {});
    await watch(0, 100);
    await watch(500, 600);
    await see(1000, { externalId: "b".repeat(64), name: "late", createdAt: at(1000), startedAt: at(1000) });
    await watch(1000, 2000);
    await world.see(null, { kind: "container.gone", observedAt: at(1500), externalId: WEB });
    clock.jump(at(2000));
    assert.deepEqual((await stateAt(125))[0], ["up", "running", null, text(0), null]);
    assert.deepEqual((await stateAt(300))[0], ["unknown", "running", null, text(0), null]);
    const unwatched = await ask(300);
    assert.deepEqual(unwatched.hosts, [{ agent_id: null, is_watched: false, last_watched_at: text(100) }]);
    assert.equal(unwatched.counts.unknown, 1);
    const names = async (seconds: number) => (await ask(seconds)).containers.map(({ name, removed_at: removed }) => [name, removed]);
    assert.deepEqual(await names(999), [["web", text(1500)]]);
    assert.deepEqual(await names(1499), [
      ["late", null],
      ["web", text(1500)],
    ]);
    assert.deepEqual(await names(1500), [["late", null]]);
  });

  it("shows the image and the host that it had then", async () => {
    await see(0, { image: "shop:1" });
    await world.see(null, { kind: "container.gone", observedAt: at(100), externalId: WEB });
    await see(101, { externalId: "c".repeat(64), image: "shop:2", createdAt: at(100), startedAt: at(101) });
    await watch(0, 200);
    clock.jump(at(200));
    assert.deepEqual(
      (await ask(50)).containers.map(({ image }) => image),
      ["shop:1"],
    );
    assert.deepEqual(
      (await ask(150)).containers.map(({ image }) => image),
      ["shop:2"],
    );
  });

  it("shows a task that moved on the host where it was", async () => {
    const labels = (id: string) => ({ "com.docker.swarm.service.name": "web", "com.docker.swarm.task.name": `web.1.${id}` });
    await see(0, { image: "shop:1", labels: labels("one") }, AGENT);
    await world.see(AGENT, { kind: "container.gone", observedAt: at(100), externalId: WEB });
    await see(101, { externalId: "c".repeat(64), image: "shop:2", createdAt: at(100), startedAt: at(101), labels: labels("two") });
    assert.equal(await world.containers.move(1, 2), true);
    clock.jump(at(200));
    const on = async (seconds: number, agentId: string): Promise<unknown[]> =>
      (await ask(seconds, { agent_id: agentId })).containers.map(({ image, agent_id: host }) => [image, host]);
    assert.deepEqual([await on(50, AGENT), await on(50, "local")], [[["shop:1", AGENT]], []]);
    assert.deepEqual([await on(150, AGENT), await on(150, "local")], [[], [["shop:2", null]]]);
  });

  it("leaves out a container between its removal and its re-creation, each time", async () => {
    await see(0, {});
    for (const [index, digit] of ["c", "d"].entries()) {
      const [goneAt, madeAt] = [100 + index * 1000, 500 + index * 1000];
      await world.see(null, { kind: "container.gone", observedAt: at(goneAt), externalId: index === 0 ? WEB : "c".repeat(64) });
      await see(madeAt, { externalId: digit.repeat(64), createdAt: at(madeAt), startedAt: at(madeAt) });
    }
    await watch(0, 2000);
    clock.jump(at(2000));
    const states = async (...seconds: number[]): Promise<unknown[]> =>
      (await Promise.all(seconds.map((each) => ask(each)))).map(({ containers }) => containers[0]?.state);
    assert.deepEqual(await states(99, 100, 499, 500), ["running", undefined, undefined, "running"]);
    assert.deepEqual(await states(1099, 1100, 1499, 1500), ["running", undefined, undefined, "running"]);
  });

  it("shows which alerts were active, and who had acknowledged them", async () => {
    await see(0, { health: "healthy" });
    await see(100, { health: "unhealthy" });
    await until(() => (world.alerting.active().length === 1 ? true : undefined));
    const [alert] = world.alerting.active();
    assert.ok(alert);
    clock.jump(at(200));
    await world.alerting.acknowledge(alert.id, { by: "ada", note: "" });
    clock.jump(at(300));
    await see(300, { health: "healthy" });
    await until(() => (world.alerting.active().length === 0 ? true : undefined));
    const firedAt = (alert.firedAt.getTime() - noon.getTime()) / 1000;
    assert.deepEqual((await ask(firedAt - 1)).alerts, []);
    const [fired] = (await ask(firedAt)).alerts;
    assert.deepEqual([fired?.entity_name, fired?.acknowledged_at, fired?.resolved_at === null], ["web", null, false]);
    assert.equal((await ask(200)).alerts[0]?.acknowledged_at, text(200));
    assert.deepEqual([(await ask(300)).alerts, (await ask(300)).alert_total], [[], 0]);
  });

  it("shows one host, and how many are left out", async () => {
    await see(0, {});
    await see(0, { name: "other" }, AGENT);
    await watch(0, 100);
    clock.jump(at(100));
    assert.deepEqual(
      (await ask(50, { agent_id: AGENT })).containers.map(({ name, status }) => [name, status]),
      [["other", "unknown"]],
    );
    const local = await ask(50, { agent_id: "local" });
    assert.deepEqual([local.containers.map(({ name }) => name), local.hosts.length], [["web"], 1]);
    const one = await ask(50, { limit: "1" });
    // What is known comes after what is not seen; the counts include both.
    assert.deepEqual([one.containers.length, one.left_out, one.counts.up, one.counts.unknown], [1, 1, 1, 1]);
  });

  it("says since when anything is known", async () => {
    clock.jump(at(1000));
    const nothing = await ask(500);
    assert.deepEqual([nothing.known_since, nothing.is_known, nothing.containers, nothing.previous_change_at], [null, false, [], null]);
    await see(600, {});
    await watch(600, 1000);
    const [before, first] = [await ask(599), await ask(600)];
    assert.deepEqual([before.known_since, before.is_known, before.containers], [text(600), false, []]);
    assert.deepEqual([first.is_known, first.containers.length], [true, 1]);
  });

  it("refuses the future, and what is longer ago than anything is kept", async () => {
    for (const [seconds, message] of [
      [1, "Must not be in the future"],
      [-91 * DAY, "Must not be longer ago than 90 days"],
    ] as const) {
      const answer = await world.ask("GET", `/api/v1/overview/moment?${new URLSearchParams({ at: text(seconds) })}`);
      assert.equal(answer.status, 409);
      assert.match(JSON.stringify(answer.body), new RegExp(message));
    }
  });

  it("is shown to assistants in the same words", async () => {
    await see(0, {});
    await watch(0, 100);
    clock.jump(at(100));
    const shown = moment.parse(await callTool(world.overview.tools(), "get_state_at", { at: text(50) }));
    assert.deepEqual(shown.counts, { up: 1, degraded: 0, down: 0, stopped: 0, unknown: 0 });
    await assert.rejects(callTool(world.overview.tools(), "get_state_at", { at: text(101) }), { code: "unusable_values" });
  });
});
