import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { checkedObservation, failure, labelled, success } from "../../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { sighting } from "../../../../test/support/sightings.ts";
import { until } from "../../../../test/support/until.ts";
import { labelEndpointKey } from "../../../observations.ts";
import { type Moment, moment } from "./answers.ts";

const WEB = "a".repeat(64);
const MINUTE = 60;
const DAY = 86_400;

/** What was paused at a moment. */
onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  const origin = { sourceIp: "192.0.2.1", method: "POST", userAgent: null, body: null };
  let clock: FakeClock;
  let world: AssistantWorld;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const text = (seconds: number): string => at(seconds).toISOString();
  const key = labelEndpointKey(WEB, labelled().labelKey);

  async function ask(seconds: number): Promise<Moment> {
    return moment.parse(await world.check("GET", "/api/v1/overview/moment", { at: text(seconds) }));
  }

  async function check(from: number, to: number, result = success): Promise<void> {
    for (let second = from; second < to; second += 30) {
      clock.jump(at(second));
      await world.see(null, checkedObservation(key, at(second), result));
    }
  }

  const alertsAre = (count: number): Promise<true> => until(() => (world.alerting.active().length === count ? true : undefined));

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
  });
  afterEach(() => world.stop());

  it("shows a heartbeat paused as long as it was, and then by its last run and a fresh deadline", async () => {
    const { service } = world.heartbeats;
    const { id, uuid } = await service.create({ name: "backup", interval_seconds: 600, grace_seconds: 60 });
    const ping = async (minute: number, kind: "success" | "fail"): Promise<void> => {
      clock.jump(at(minute * MINUTE));
      await service.receive(uuid, { kind, exitCode: null, rid: null }, origin);
    };
    const pauseAt = async (minute: number, isPaused: boolean): Promise<void> => {
      clock.jump(at(minute * MINUTE));
      await (isPaused ? service.pause(id) : service.resume(id));
    };
    await ping(10, "success");
    await pauseAt(15, true);
    await ping(20, "fail");
    await pauseAt(30, false);
    await ping(50, "fail");
    await alertsAre(1);
    await pauseAt(55, true);
    await alertsAre(0);
    await pauseAt(60, false);
    await pauseAt(80, true);
    await ping(85, "success");
    await pauseAt(90, false);
    clock.jump(at(110 * MINUTE));
    const asked = [14, 15, 29, 30, 40, 50, 54, 55, 60, 70, 80, 89, 90, 100, 102];
    const items = await Promise.all(asked.map(async (minute) => (await ask(minute * MINUTE)).heartbeats.items[0]));
    assert.deepEqual(
      items.map((item) => item?.status),
      [
        ...["up", "stopped", "stopped", "unknown", "unknown", "down", "down", "stopped", "unknown", "unknown", "stopped", "stopped"],
        ...["up", "up", "unknown"],
      ],
    );
    const since = (minute: number): unknown => items[asked.indexOf(minute)]?.paused_since;
    assert.deepEqual([14, 15, 29, 30, 89].map(since), [null, text(15 * MINUTE), text(15 * MINUTE), null, text(80 * MINUTE)]);
  });

  it("shows an endpoint paused as long as it was, and takes no check before that for what came after", async () => {
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), endpoints: [labelled()] });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    const id = world.endpoints.present()[0]?.id ?? 0;
    const pauseAt = async (seconds: number, isPaused: boolean): Promise<void> => {
      clock.jump(at(seconds));
      await world.endpoints.service.setPaused(id, isPaused);
    };
    await check(30, 10 * MINUTE);
    await pauseAt(10 * MINUTE, true);
    await pauseAt(20 * MINUTE, false);
    await check(20 * MINUTE + 30, 30 * MINUTE);
    await check(30 * MINUTE, 32 * MINUTE, failure);
    await alertsAre(1);
    await pauseAt(32 * MINUTE, true);
    await alertsAre(0);
    await pauseAt(32 * MINUTE + 10, false);
    await check(32 * MINUTE + 20, 33 * MINUTE);
    clock.jump(at(40 * MINUTE));
    const asked = [9 * MINUTE, 10 * MINUTE, 19 * MINUTE, 20 * MINUTE, 25 * MINUTE, 32 * MINUTE - 1];
    const statuses = await Promise.all(
      [...asked, 32 * MINUTE, 32 * MINUTE + 10, 32 * MINUTE + 20].map(async (each) => (await ask(each)).endpoints.items[0]?.status),
    );
    assert.deepEqual(statuses, ["up", "stopped", "stopped", "unknown", "up", "down", "stopped", "unknown", "up"]);
    const paused = (await ask(15 * MINUTE)).endpoints.items[0];
    assert.deepEqual([paused?.paused_since, paused?.last_check_at], [text(10 * MINUTE), text(10 * MINUTE - 30)]);
    assert.equal((await ask(25 * MINUTE)).endpoints.items[0]?.paused_since, null);
  });

  it("forgets pauses that ended long ago, and keeps one that lasts", async () => {
    const [ended, lasting] = await Promise.all(["a", "b"].map((name) => world.heartbeats.service.create({ name, interval_seconds: 600 })));
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), endpoints: [labelled()] });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    const endpointId = world.endpoints.present()[0]?.id ?? 0;
    const countOf = async (table: "heartbeat_pauses" | "endpoint_pauses"): Promise<number> =>
      (await world.database.tables<Record<string, object>>().read.selectFrom(table).selectAll().execute()).length;
    const prune = async (days: number): Promise<number[]> => {
      clock.jump(at(days * DAY));
      for (const name of ["heartbeat retention", "endpoint retention"]) await world.run(name);
      return Promise.all([countOf("heartbeat_pauses"), countOf("endpoint_pauses")]);
    };
    for (const each of [ended, lasting]) await world.heartbeats.service.pause(each?.id ?? 0);
    await world.endpoints.service.setPaused(endpointId, true);
    clock.jump(at(DAY));
    await world.heartbeats.service.resume(ended?.id ?? 0);
    await world.endpoints.service.setPaused(endpointId, false);
    assert.deepEqual(await prune(90), [2, 1]);
    assert.deepEqual(await prune(92), [1, 0]);
  });
});
