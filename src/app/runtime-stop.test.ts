import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { Event } from "../events.ts";
import type { Observation } from "../observations.ts";
import { createBus } from "../platform/bus.ts";
import { silentLog } from "../platform/log.ts";
import type { SeenContainer } from "./runtime-gap.ts";
import { createRuntimeWatch, type LostBefore } from "./runtime-watch.ts";

const NOON = Date.parse("2026-03-01T12:00:00.000Z");
const at = (seconds: number): Date => new Date(NOON + seconds * 1_000);

/** Containers 1 to `count` of a host that have run for an hour, and what was published of its runtime since noon. */
function setUp({ agentId = null as string | null, before = undefined as LostBefore | undefined, count = 3 } = {}) {
  const clock = createFakeClock(at(0));
  const bus = createBus<Event>(silentLog);
  const published: string[] = [];
  bus.subscribe("test", ({ type, data }) => {
    if (type === "runtime.lost") published.push(`${data.lost ? "lost" : "back"}${data.stopped.map((name) => ` ${name}`).join("")}`);
  });
  const containers = new Map<number, SeenContainer>();
  const ofHost = (of: string | null): SeenContainer[] => [...containers.values()].filter((each) => each.agentId === of);
  for (let id = 1; id <= count; id += 1) {
    const times = { startedAt: at(-3_600), lastStateChangeAt: at(-3_600), lastObservedAt: at(-5) };
    containers.set(id, { id, agentId, name: `c${id}`, state: "running", stopRequested: false, settings: { ignored: false }, ...times });
  }
  const watch = createRuntimeWatch({ bus, clock, present: { ofHost, hosts: () => [agentId] }, lostBefore: () => before });
  watch.start();
  return {
    clock,
    watch,
    published,
    runtime(connected: boolean, since = clock.now()): void {
      const error = connected ? null : "gone";
      watch.note(agentId, { runtime: "docker", connected, version: null, apiVersion: null, error, since });
    },
    observe: (...observations: Observation[]) => watch.observe(agentId, observations),
    ends(ids: readonly number[], when = clock.now(), facts: Partial<SeenContainer> = {}): void {
      for (const id of ids) change(id, { state: "exited", lastStateChangeAt: when, ...facts });
    },
    starts(...ids: number[]): void {
      for (const id of ids) change(id, { state: "running", startedAt: clock.now(), lastStateChangeAt: clock.now() });
    },
    hasStopped: () => [1, 2, 3].filter((id) => watch.hasStopped(containers.get(id))),
  };

  function change(id: number, facts: Partial<SeenContainer>): void {
    const known = containers.get(id);
    assert.ok(known);
    containers.set(id, { ...known, ...facts });
    // Of what an event says, only its type and host are asked here.
    bus.publish({ type: "container.state_changed", data: { agent_id: agentId } } as unknown as Event);
  }
}

describe("containers that stopped with their engine", () => {
  it("are all counted, and a hundred of them named", async () => {
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    const world = setUp({ count: ids.length });
    world.runtime(true);
    world.ends(ids);
    await world.clock.advance(1_000);
    world.runtime(false);
    await world.clock.advance(60_000);
    world.runtime(true);
    await world.clock.advance(60_000);
    const lost = (): [number, number][] =>
      world.watch
        .announce()
        .flatMap((event): [number, number][] =>
          event.type === "runtime.lost" ? [[event.data.stopped.length, event.data.stopped_count]] : [],
        );
    assert.deepEqual(lost(), [[100, 250]]);
    world.starts(250);
    assert.deepEqual(lost(), [[100, 249]], "one that is not named counts too");
  });

  it("are no news when all are back within its delay", async () => {
    const world = setUp();
    world.runtime(true);
    world.ends([1, 2, 3]);
    await world.clock.advance(1_000);
    world.runtime(false);
    await world.clock.advance(15_000);
    world.runtime(true);
    assert.deepEqual(world.hasStopped(), [1, 2, 3]);
    world.starts(1, 2, 3);
    await world.clock.advance(60_000);
    assert.deepEqual([world.published, world.hasStopped(), world.watch.announce()], [["back"], [], []]);
  });

  it("are one cause, which names those that do not run, until the last of them does", async () => {
    const world = setUp();
    world.runtime(true);
    await world.clock.advance(10_000);
    world.runtime(false);
    await world.clock.advance(10_000);
    world.ends([1, 2, 3]);
    world.runtime(true);
    world.starts(3);
    await world.clock.advance(21_000);
    assert.deepEqual([world.published, world.hasStopped(), world.watch.announce().length], [["back", "lost c1 c2"], [1, 2], 1]);
    world.starts(1);
    assert.deepEqual(world.published.slice(2), ["lost c2"]);
    world.starts(2);
    assert.deepEqual([world.published.slice(3), world.hasStopped(), world.watch.announce()], [["back"], [], []]);
  });

  it("are what is left of an engine that was lost for longer", async () => {
    const world = setUp();
    world.runtime(true);
    world.runtime(false);
    await world.clock.advance(60_000);
    world.ends([1, 2], at(2));
    world.starts(3);
    world.runtime(true);
    assert.deepEqual(world.published, ["back", "lost", "lost c1 c2"]);
  });

  it("are so too where the engine stopped them when it came back, as if somebody had asked for it", async () => {
    const world = setUp();
    world.runtime(true);
    world.runtime(false);
    await world.clock.advance(5_000);
    world.ends([1, 2], at(4), { stopRequested: true });
    world.starts(3);
    world.runtime(true);
    await world.clock.advance(31_000);
    assert.deepEqual(world.published, ["back", "lost c1 c2"]);
  });

  it("belong to their cause also when it goes away once more", async () => {
    const world = setUp();
    world.runtime(true);
    world.runtime(false);
    world.ends([1, 2, 3]);
    world.runtime(true);
    await world.clock.advance(31_000);
    world.runtime(false);
    await world.clock.advance(31_000);
    world.runtime(true);
    assert.deepEqual([world.hasStopped(), world.watch.announce().length], [[1, 2, 3], 1]);
  });

  const others: [string, (world: ReturnType<typeof setUp>) => void][] = [
    ["one of the host runs through, as with live-restore", (world) => world.ends([1, 2])],
    ["they ended long before", (world) => (world.ends([1, 2], at(-60)), world.starts(3))],
    ["their end was asked for before it was lost", (world) => world.ends([1, 2, 3], at(0), { stopRequested: true })],
    ["they ended with exit code 0", (world) => world.ends([1, 2, 3], at(0), { state: "completed" })],
    ["they are ignored", (world) => world.ends([1, 2, 3], at(0), { settings: { ignored: true } })],
  ];
  for (const [what, happen] of others)
    it(`did not stop with it when ${what}`, async () => {
      const world = setUp();
      world.runtime(true);
      world.runtime(false);
      await world.clock.advance(5_000);
      happen(world);
      world.runtime(true);
      await world.clock.advance(60_000);
      assert.deepEqual([world.published, world.hasStopped()], [["back"], []]);
    });

  it("are the same cause after a start of ours", async () => {
    const world = setUp({ before: { since: at(-120), backAt: at(-100) } });
    world.ends([1, 2], at(-110));
    world.ends([3], at(-125), { stopRequested: true });
    assert.deepEqual(world.hasStopped(), [1, 2]);
    world.runtime(true);
    assert.deepEqual(world.published, ["lost c1 c2"]);
    world.starts(1, 2);
    assert.deepEqual(world.published.slice(-1), ["back"]);
  });

  for (const agentId of [null, "an-agent"])
    it(`with their host are one cause, on ${agentId ?? "our own host"}: all ended or restarted while it was not seen`, async () => {
      const world = setUp({ agentId });
      if (agentId !== null) {
        world.runtime(true, at(-3_600));
        await world.observe({ kind: "host.watched", since: at(-3_600), observedAt: at(20) });
      }
      await world.clock.advance(100_000);
      world.ends([1, 2], at(25));
      world.starts(3);
      world.runtime(true);
      assert.deepEqual(world.hasStopped(), [1, 2]);
      await world.clock.advance(31_000);
      assert.deepEqual(world.published, agentId === null ? ["lost c1 c2"] : ["back", "lost c1 c2"]);
    });

  it("crashed, when only one other restarted: that may be this program itself", async () => {
    const world = setUp();
    world.ends([3], at(-3_000), { state: "completed" });
    world.ends([1], at(-2));
    world.starts(2);
    world.runtime(true);
    assert.deepEqual(world.hasStopped(), []);
  });

  it("crashed, when only we were away", async () => {
    const world = setUp();
    world.ends([1], at(-2));
    world.runtime(true);
    await world.clock.advance(60_000);
    assert.deepEqual([world.published, world.hasStopped()], [["back"], []]);
  });
});
