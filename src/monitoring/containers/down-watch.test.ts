import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { chanceOf } from "../../../test/support/seed.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { downInMs } from "./container.ts";
import { createDownWatch } from "./down-watch.ts";
import { type Containers, createContainers } from "./index.ts";
import { createProjection } from "./projection.ts";
import type { SavedContainer } from "./rows.ts";
import { applySighting } from "./sightings.ts";

const NOON_MS = Date.parse("2026-03-01T12:00:00Z");
const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
const GRACE_MS = 30_000;
/** No alert is later than this. */
const MOST_LATE_MS = 1000;
const at = (seconds: number): Date => new Date(NOON_MS + seconds * 1000);
const ended = { state: "exited" as const, exitCode: 1 };
const labelled = (downAfterMs: number): Partial<ContainerSighting> => ({ settings: { ...defaultSettings, downAfterMs } });

onBothDatabases((databases) => {
  describe("a container that goes down", () => {
    let database: Database;
    let clock: FakeClock;
    let scheduler: Scheduler | undefined;
    let containers: Containers;
    /** When it was published, in seconds, and what. */
    let published: [number, boolean][];
    /** How far the clock of the agent is ahead. */
    let aheadSeconds: number;

    /** The feature as after a start of the program. */
    async function open(downAfterMs: number | null = GRACE_MS): Promise<void> {
      await scheduler?.stop();
      scheduler = createScheduler(clock, silentLog);
      const bus = createBus<Event>(silentLog);
      bus.subscribe("test", (event) => {
        if (event.type === "container.down") published.push([(clock.now().getTime() - NOON_MS) / 1000, event.data.down]);
      });
      // No logs are asked for.
      const logSource = { logs: () => assert.fail() };
      const clockOffsetMs = (): number => aheadSeconds * 1000;
      containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource, downAfterMs, clockOffsetMs });
      await containers.start();
    }

    /** At the time that the clock shows. */
    async function see(facts: Partial<ContainerSighting> = {}, agoSeconds = 0, agentId: string | null = null): Promise<void> {
      const observedAt = new Date(clock.now().getTime() - agoSeconds * 1000);
      await containers.observe(agentId, [{ kind: "container.seen", observedAt, container: sighting(facts) }]);
    }

    const until = (seconds: number): Promise<void> => clock.advance(NOON_MS + seconds * 1000 - clock.now().getTime());

    /** It was published once, as down, at this second or within the next. */
    function assertDownAt(seconds: number): void {
      assert.deepEqual(
        published.map(([, down]) => down),
        [true],
      );
      const lateMs = (published[0]?.[0] ?? 0) * 1000 - seconds * 1000;
      assert.ok(lateMs >= 0 && lateMs <= MOST_LATE_MS, `${lateMs} ms late`);
    }

    beforeEach(async () => {
      database = await databases.create();
      clock = createFakeClock(new Date(NOON_MS));
      published = [];
      aheadSeconds = 0;
      await open();
      await see();
    });
    afterEach(() => scheduler?.stop());

    for (const seconds of [10, 10.001, 10.3, 10.499, 10.5, 10.999, 611.7]) {
      it(`is alerted at its grace when it ended at ${seconds} s`, async () => {
        await until(seconds);
        await see(ended);
        await until(seconds + 29.999);
        assert.deepEqual(published, []);
        await until(seconds + 120);
        assertDownAt(seconds + 30);
      });
    }

    for (const ahead of [-200, -60, 60, 200])
      it(`is alerted at its grace when the clock of its agent is ${ahead} s ahead`, async () => {
        aheadSeconds = ahead;
        const seeThere = (facts: Partial<ContainerSighting> = {}): Promise<void> => see(facts, -ahead, AGENT);
        await seeThere();
        await until(10.3);
        await seeThere(ended);
        await until(400);
        assertDownAt(40.3);
      });

    it("is alerted at once when its end is known only after its grace", async () => {
      await until(100.2);
      await see(ended, 70);
      await until(200);
      assertDownAt(100.2);
    });

    it("is not alerted when it was started again before, and at the grace of its next end", async () => {
      await until(10.4);
      await see(ended);
      await until(40.3);
      await see({ startedAt: clock.now() });
      const startedAt = clock.now();
      await until(50.7);
      await see({ ...ended, startedAt });
      await until(80.6);
      assert.deepEqual(published, []);
      await until(200);
      assertDownAt(80.7);
    });

    it("is alerted by its label that changes while it is down: to less, to more, to never", async () => {
      await until(10);
      await see(ended);
      await until(12.2);
      await see({ ...ended, ...labelled(15_000) });
      await until(24.9);
      await see({ ...ended, ...labelled(22_000) });
      await until(31.9);
      assert.deepEqual(published, []);
      await until(60);
      assertDownAt(32);
      await see({ ...ended, ...labelled(0) });
      await until(61.5);
      assert.deepEqual(published.at(-1)?.[1], false);
      published = [];
      await see({ ...ended, ...labelled(1000) });
      await until(62.6);
      assertDownAt(61.5);
    });

    it("is alerted by the grace that the program has after a restart", async () => {
      await until(10);
      await see(ended);
      await until(20);
      await open(60_000);
      await until(69.9);
      assert.deepEqual(published, []);
      await until(100);
      assertDownAt(70);
    });

    it("is alerted at its grace over a restart, and soon after one that took longer", async () => {
      await until(10.2);
      await see(ended);
      await until(39.1);
      await open();
      await until(60);
      assertDownAt(40.2);
      published = [];
      clock.stall(600_000);
      await open();
      const openedSeconds = (clock.now().getTime() - NOON_MS) / 1000;
      await until(openedSeconds + 60);
      // Hosts have a second in which they show their containers.
      assertDownAt(openedSeconds + 0.999);
    });

    it("is alerted at its grace by the wall clock, whenever that is set", async () => {
      await until(10);
      await see(ended);
      await until(12.3);
      clock.jump(at(4000));
      await clock.advance(5000);
      assertDownAt(4000);
      published = [];
      await see({ startedAt: clock.now() });
      await clock.advance(2000);
      published = [];
      const startedAt = clock.now();
      await see({ ...ended, startedAt });
      const endedSeconds = (clock.now().getTime() - NOON_MS) / 1000;
      await clock.advance(20_000);
      clock.jump(at(endedSeconds - 600));
      await clock.advance(629_000);
      assert.deepEqual(published, []);
      await clock.advance(60_000);
      assertDownAt(endedSeconds + 30);
    });

    it("is alerted after a long stall of the program", async () => {
      await until(10);
      await see(ended);
      clock.stall(3_600_000);
      const stalledSeconds = (clock.now().getTime() - NOON_MS) / 1000;
      await clock.advance(1000);
      assertDownAt(stalledSeconds);
    });

    it("is over within a second when it runs, and forgotten when it is removed", async () => {
      await see(ended);
      await until(40);
      published = [];
      await until(50.2);
      await see({ startedAt: clock.now() });
      await until(51.2);
      assert.deepEqual(published.at(-1)?.[1], false);
      await see({ ...ended, startedAt: at(50.2) });
      await until(90);
      published = [];
      await containers.observe(null, [{ kind: "container.inventory", observedAt: clock.now(), containers: [] }]);
      await until(200);
      assert.deepEqual([published, containers.announce()], [[], []]);
    });
  });
});

/** A projection and its watch, without a database. */
function openWatch({ clock, scheduler, isSuperseded = () => false }: WatchOptions) {
  const projection = createProjection();
  const bus = createBus<Event>(silentLog);
  const published: string[] = [];
  /** Of each container, when and what was published. */
  const byId = new Map<number, [number, boolean][]>();
  bus.subscribe("test", (event) => {
    if (event.type !== "container.down") return;
    const { id, down } = event.data;
    published.push(`${id} ${down}`);
    byId.set(id, [...(byId.get(id) ?? []), [clock.monotonicMs(), down]]);
  });
  let onSuccession = (): void => undefined;
  const watch = createDownWatch({ present: projection, bus, nowOf: clock.now, scheduler, afterMs: GRACE_MS });
  watch.start({ isSuperseded, onSuccession: (listener) => void (onSuccession = listener) });
  return { projection, published, byId, changeSuccession: () => onSuccession() };
}

interface WatchOptions {
  clock: FakeClock;
  scheduler: Pick<Scheduler, "whenDue">;
  isSuperseded?: () => boolean | undefined;
}

/** A container that is seen so at the time that the clock shows. */
function saved(id: number, before: SavedContainer | undefined, facts: Partial<ContainerSighting>, observedAt: Date): SavedContainer {
  const identified = { externalId: String(id).padStart(64, "0"), name: `c${id}`, ...facts };
  const decision = applySighting(before, { sighting: sighting(identified), observedAt, source: "news", agentId: null });
  return { ...(decision?.next ?? before ?? assert.fail()), id };
}

describe("the watch for containers that are down", () => {
  it("does not look while none will be down, nor while those that are stay so", async () => {
    const clock = createFakeClock();
    let runs = 0;
    const { scheduler } = watchTasks(createScheduler(clock, silentLog), (what) => void (runs += what === "begin" ? 1 : 0));
    const { projection, published } = openWatch({ clock, scheduler });
    projection.put(saved(1, undefined, {}, clock.now()));
    await clock.advance(91_000);
    assert.ok(runs <= 6, `${runs} looks while nothing happened`);
    projection.put(saved(1, projection.get(1), ended, clock.now()));
    await clock.advance(31_000);
    assert.deepEqual(published, ["1 true"]);
    runs = 0;
    await clock.advance(300_000);
    assert.ok(runs <= 11, `${runs} looks while one was down`);
  });

  it("looks when the next task of a slot may run, and until that is known", async () => {
    const clock = createFakeClock();
    const scheduler = createScheduler(clock, silentLog);
    let next: boolean | undefined = undefined;
    const { projection, published, changeSuccession } = openWatch({ clock, scheduler, isSuperseded: () => next });
    projection.put(saved(1, undefined, {}, clock.now()));
    projection.put(saved(1, projection.get(1), ended, clock.now()));
    await clock.advance(45_250);
    assert.deepEqual(published, []);
    next = false;
    await clock.advance(1000);
    assert.deepEqual(published, ["1 true"]);
    await clock.advance(10_000);
    next = true;
    changeSuccession();
    await clock.advance(1000);
    assert.deepEqual(published, ["1 true", "1 false"]);
    await clock.advance(10_000);
    next = false;
    changeSuccession();
    await clock.advance(1000);
    assert.deepEqual(published, ["1 true", "1 false", "1 true"]);
  });

  it("misses nothing that one finds who looks all the time", async (context) => {
    const chance = chanceOf(context);
    const clock = createFakeClock();
    const due = openWatch({ clock, scheduler: createScheduler(clock, silentLog) });
    /** Runs what it is given at every quarter of a second. */
    const restless: Pick<Scheduler, "whenDue"> = {
      whenDue({ run }) {
        const again = (): void => void clock.after(250, () => void run(new AbortController().signal).then(again));
        again();
        return { within: () => undefined, end: () => undefined };
      },
    };
    const always = openWatch({ clock, scheduler: restless });
    const put = (container: SavedContainer): void => [due, always].forEach(({ projection }) => projection.put(container));
    const graces = [null, 0, 1000, 5000, 45_000];
    for (let step = 0; step < 400; step += 1) {
      const id = 1 + chance.below(6);
      const before = due.projection.get(id);
      // Not within the time in which both may notice that its grace is over.
      const overMs = before === undefined ? -1 : -downInMs(before, clock.now(), { afterMs: GRACE_MS, knownSince: () => new Date(0) });
      if (overMs >= 0 && overMs < MOST_LATE_MS) await clock.advance(MOST_LATE_MS);
      const settings = {
        ...defaultSettings,
        downAfterMs: graces[chance.below(graces.length)] ?? null,
        ignored: chance.below(10) === 0,
      };
      const now = clock.now();
      const startedAt = chance.below(3) === 0 || before === undefined ? now : before.startedAt;
      const states = [
        {},
        {},
        ended,
        ended,
        ended,
        { ...ended, stopRequested: true },
        { ...ended, exitCode: 0 },
        { state: "paused" as const },
      ];
      const container = saved(id, before, { settings, startedAt, ...states[chance.below(states.length)] }, now);
      put(chance.below(15) === 0 ? { ...container, archivedAt: now, removedAt: now } : container);
      // So that none is there so shortly that one of both may miss it.
      await clock.advance(2000 + chance.below(8000));
      // Not back: what is due could be so no longer when the other looks.
      if (chance.below(8) === 0) clock.jump(new Date(clock.now().getTime() + chance.below(60_000)));
      await clock.advance(2000 + chance.below(8000));
    }
    // Until every grace is over: what is due in the last moment may be found by the one that looks more often alone.
    await clock.advance(Math.max(...graces.map(Number)) + MOST_LATE_MS);
    assert.deepEqual([...due.byId.keys()].toSorted(), [...always.byId.keys()].toSorted());
    for (const [id, expected] of always.byId) {
      const found = due.byId.get(id) ?? [];
      for (const [ms, down] of lasting(expected)) assert.ok(isAmong(found, ms, down), `container ${id}: ${down} at ${ms} ms was missed`);
      for (const [ms, down] of found) assert.ok(isAmong(expected, ms, down), `container ${id}: ${down} at ${ms} ms was not so`);
    }
    assert.ok(due.published.length > 50, `${due.published.length} events`);
  });
});

function isAmong(downs: readonly [number, boolean][], ms: number, down: boolean): boolean {
  return downs.some(([otherMs, other]) => other === down && Math.abs(otherMs - ms) <= MOST_LATE_MS);
}

/** Without what was over before everybody had to notice it: a grace may end a moment before its container changes. */
function lasting(downs: readonly [number, boolean][]): [number, boolean][] {
  const isShort = (place: number): boolean => {
    const [[ms = 0, down] = [], [endMs = Infinity, after] = []] = [downs[place], downs[place + 1]];
    return down === true && after === false && endMs - ms < 2 * MOST_LATE_MS;
  };
  return downs.filter((_, place) => !isShort(place) && !isShort(place - 1));
}
