import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { hostReading, sampled } from "../../test/support/readings.ts";
import { fc } from "../../test/support/seed.ts";
import { sighting } from "../../test/support/sightings.ts";
import type { Observation } from "../observations.ts";
import { ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { createIntake, type Observer } from "./intake.ts";

type AgentId = string | null;

const AT = new Date("2026-03-01T12:00:00Z");
const gone = (externalId: number | string): Observation => ({ kind: "container.gone", observedAt: AT, externalId: String(externalId) });
const watched = (sinceMs: number, untilMs: number): Observation => ({
  kind: "host.watched",
  since: new Date(AT.getTime() + sinceMs),
  observedAt: new Date(AT.getTime() + untilMs),
});
const inventory = (size: number): Observation => ({
  kind: "container.inventory",
  observedAt: AT,
  containers: Array<ReturnType<typeof sighting>>(size).fill(sighting()),
});
const tick = (count: number, size: number): Observation =>
  sampled(new Date(AT.getTime() + count * 10_000), Object.fromEntries(Array.from({ length: size }, (_, index) => [`c${index}`, {}])));
const hostSampled = (count: number): Observation => ({
  kind: "host.sampled",
  observedAt: new Date(AT.getTime() + count * 10_000),
  host: hostReading(),
});
const checked = (count: number): Observation => ({
  kind: "endpoint.checked",
  observedAt: new Date(AT.getTime() + count),
  key: "1",
  result: { success: true, observed: true, responseTimeMs: 1, httpStatus: 200, failureClass: null, error: null, certificate: null },
});
const nameOf = (observation: Observation): string => (observation.kind === "container.gone" ? observation.externalId : observation.kind);
const unavailable = (): never => {
  throw new ServiceError("storage_unavailable", "gone");
};

/** An intake before an observer that a test can make fail; what it took, by host. */
function setUp({ others = [] }: { others?: Observer[] } = {}) {
  const clock = createFakeClock();
  const saved = new Map<AgentId, Observation[]>();
  const batches: number[] = [];
  const logged: Record<string, unknown>[] = [];
  const note = (level: string) => (fields: object, message: string) => void logged.push({ level, message, ...fields });
  const behaviour = { before: async (_agentId: AgentId, _batch: readonly Observation[]): Promise<void> => undefined };
  const observer: Observer = {
    async observe(agentId, batch) {
      await behaviour.before(agentId, batch);
      batches.push(batch.length);
      saved.set(agentId, [...(saved.get(agentId) ?? []), ...batch]);
    },
  };
  const log = { ...silentLog, warn: note("warn"), error: note("error") };
  const intake = createIntake({ clock, log });
  intake.start({ observers: [observer, ...others] });
  const names = (agentId: AgentId = null): string[] => (saved.get(agentId) ?? []).map(nameOf);
  return { intake, clock, saved, batches, logged, behaviour, names };
}

const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => String(from + index));

test("saves what each host says in its order, in batches of at most 100", async () => {
  const { intake, clock, names, batches } = setUp();
  for (let index = 0; index < 1000; index += 1) {
    intake.observe(null, gone(index));
    intake.observe("agent", gone(index + 5000));
  }
  assert.equal(intake.queued(), 2000);
  await clock.advance(0);
  await intake.stop();
  assert.deepEqual(names(null), range(0, 1000));
  assert.deepEqual(names("agent"), range(5000, 6000));
  assert.ok(Math.max(...batches) === 100, `largest batch: ${Math.max(...batches)}`);
  assert.equal(intake.queued(), 0);
});

test("a host whose saving hangs does not hold up another", async () => {
  const { intake, clock, names, behaviour } = setUp();
  behaviour.before = (agentId) => (agentId === "stuck" ? new Promise(() => undefined) : Promise.resolve());
  intake.observe("stuck", gone(1));
  intake.observe(null, gone(2));
  await clock.advance(0);
  assert.deepEqual(names(null), ["2"]);
  assert.deepEqual(names("stuck"), []);
});

test("while there is no database everything is held, and saved in order once it is back", async () => {
  const { intake, clock, names, behaviour, logged } = setUp();
  behaviour.before = async () => unavailable();
  for (let index = 0; index < 9000; index += 1) intake.observe(null, gone(index));
  await clock.advance(3_600_000);
  for (let index = 9000; index < 10_000; index += 1) intake.observe(null, gone(index));
  assert.equal(intake.queued(), 10_000);
  assert.deepEqual(names(), []);
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await intake.stop();
  assert.deepEqual(names(), range(0, 10_000));
  assert.deepEqual(logged, []);
});

test("beyond the bound the oldest are dropped, counted, and logged once a minute", async () => {
  const { intake, clock, names, behaviour, logged } = setUp();
  behaviour.before = async () => unavailable();
  for (let index = 0; index < 12_000; index += 1) intake.observe(null, gone(index));
  assert.deepEqual(
    logged.map(({ dropped }) => dropped),
    [1],
  );
  await clock.advance(60_000);
  for (let index = 12_000; index < 13_000; index += 1) intake.observe(null, gone(index));
  assert.deepEqual(
    logged.map(({ dropped }) => dropped),
    [1, 2000],
  );
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await intake.stop();
  assert.deepEqual(names(), range(3000, 13_000));
  assert.equal(
    logged.reduce((sum, { dropped }) => sum + Number(dropped), 0),
    3000,
    "the rest is logged at the end",
  );
});

test("inventories of thousands are bounded by what they hold; the newest stays, and so does all else", async () => {
  const { intake, clock, saved, behaviour, logged } = setUp();
  behaviour.before = async () => unavailable();
  for (let hour = 0; hour < 24; hour += 1) {
    intake.observe(null, inventory(5000 + hour));
    intake.observe(null, gone(hour));
  }
  intake.observe(null, inventory(70_000));
  assert.equal(intake.queued(), 25);
  behaviour.before = async () => undefined;
  await clock.advance(250);
  const kept = saved.get(null) ?? [];
  assert.deepEqual(kept.slice(0, 24).map(nameOf), range(0, 24));
  assert.equal(kept.at(-1)?.kind, "container.inventory");
  assert.equal(
    logged.reduce((sum, { dropped }) => sum + Number(dropped), 0),
    24,
  );
});

test("inventories within the bound are all kept", async () => {
  const { intake, clock, saved, behaviour } = setUp();
  behaviour.before = async () => unavailable();
  for (let count = 0; count < 500; count += 1) intake.observe(null, inventory(100));
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await intake.stop();
  assert.equal(saved.get(null)?.length, 500);
});

test("checks of endpoints are bounded apart: what happened to containers stays", async () => {
  const { intake, clock, saved, behaviour } = setUp();
  behaviour.before = async () => unavailable();
  for (let count = 0; count < 4000; count += 1) intake.observe(null, gone(count));
  for (let count = 0; count < 7000; count += 1) intake.observe(null, checked(count));
  assert.equal(intake.queued(), 4000 + 5000);
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await intake.stop();
  const kept = Map.groupBy(saved.get(null) ?? [], ({ kind }) => kind);
  assert.equal(kept.get("container.gone")?.length, 4000);
  assert.equal(kept.get("endpoint.checked")?.[0]?.observedAt.getTime(), AT.getTime() + 2000, "the oldest go");
});

test("ticks are bounded by the containers in them, and never fill the queue; what happened to containers stays", async () => {
  const { intake, clock, saved, behaviour, logged } = setUp();
  behaviour.before = async () => unavailable();
  for (let count = 0; count < 600; count += 1) {
    intake.observe(null, tick(count, 1000));
    intake.observe(null, gone(count));
  }
  assert.equal(intake.queued(), 500 + 600);
  for (let count = 0; count < 6000; count += 1) intake.observe("small", tick(count, 3));
  assert.equal(intake.queued(), 500 + 600 + 5000);
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await intake.stop();
  const secondsOf = (agentId: AgentId): number[] =>
    (saved.get(agentId) ?? [])
      .filter(({ kind }) => kind === "resources.sampled")
      .map(({ observedAt }) => (observedAt.getTime() - AT.getTime()) / 10_000);
  assert.deepEqual(secondsOf(null), range(100, 600).map(Number), "the oldest go");
  assert.deepEqual(secondsOf("small"), range(1000, 6000).map(Number));
  assert.equal((saved.get(null) ?? []).filter(({ kind }) => kind === "container.gone").length, 600);
  assert.equal(
    logged.reduce((sum, { dropped }) => sum + Number(dropped), 0),
    100 + 1000,
    "and they are counted",
  );
});

test("of a host only the newest sample waits, also while one is being saved", async () => {
  const { intake, clock, saved, behaviour, logged } = setUp();
  behaviour.before = async () => unavailable();
  for (let count = 0; count < 1000; count += 1) {
    intake.observe(null, hostSampled(count));
    intake.observe(null, tick(count, 1));
  }
  assert.equal(intake.queued(), 1001);
  intake.observe("agent", hostSampled(7));
  let finish = (): void => undefined;
  behaviour.before = (agentId) => (agentId === null ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
  await clock.advance(250);
  intake.observe(null, hostSampled(1000));
  intake.observe(null, tick(1000, 1));
  behaviour.before = async () => undefined;
  finish();
  await clock.advance(0);
  await intake.stop();
  const samples = (agentId: AgentId) =>
    (saved.get(agentId) ?? []).filter(({ kind }) => kind === "host.sampled").map(({ observedAt }) => observedAt.getTime());
  assert.deepEqual(samples(null), [AT.getTime() + 10_000_000]);
  assert.deepEqual(samples("agent"), [AT.getTime() + 70_000]);
  assert.equal((saved.get(null) ?? []).length, 1002);
  assert.deepEqual(logged, [], "nothing that counts was dropped");
});

test("an observation that cannot be understood is dropped alone, and named", async () => {
  const { intake, clock, names, behaviour, logged } = setUp();
  behaviour.before = async (_agentId, batch) => {
    if (batch.some((each) => nameOf(each) === "13")) throw new TypeError("unlucky");
  };
  for (let index = 0; index < 50; index += 1) intake.observe(null, gone(index));
  await clock.advance(0);
  await intake.stop();
  assert.deepEqual(
    names(),
    range(0, 50).filter((name) => name !== "13"),
  );
  assert.equal(logged.length, 1);
  assert.partialDeepStrictEqual(logged[0], { level: "error", observation: "container.gone", agent_id: null });
});

test("a database that goes while a bad observation is sought loses nothing", async () => {
  const { intake, clock, names, behaviour } = setUp();
  let calls = 0;
  behaviour.before = async (_agentId, batch) => {
    calls += 1;
    if (calls > 10 && calls < 20) unavailable();
    if (batch.some((each) => nameOf(each) === "13")) throw new TypeError("unlucky");
  };
  for (let index = 0; index < 50; index += 1) intake.observe(null, gone(index));
  await clock.advance(10_000);
  await intake.stop();
  // Observers are idempotent, so what was saved before the loss may come twice; it must be in order and complete.
  assert.deepEqual(
    [...new Set(names())],
    range(0, 50).filter((name) => name !== "13"),
  );
});

test("every observer gets everything; when a later one has no database, all are asked again", async () => {
  const observed: string[] = [];
  let down = true;
  const second: Observer = {
    async observe(_agentId, batch) {
      if (down) unavailable();
      observed.push(...batch.map(nameOf));
    },
  };
  const { intake, clock, names } = setUp({ others: [second] });
  intake.observe(null, gone(1));
  await clock.advance(100);
  down = false;
  await clock.advance(250);
  assert.deepEqual(observed, ["1"]);
  assert.deepEqual(names(), ["1", "1"]);
});

test("a growing watch is one observation, also while it is being saved; another beginning is another", async () => {
  const { intake, clock, saved, behaviour } = setUp();
  behaviour.before = async () => unavailable();
  for (let second = 1; second <= 5000; second += 1) intake.observe(null, watched(0, second * 1000));
  assert.equal(intake.queued(), 1);
  intake.observe(null, gone(1));
  intake.observe(null, watched(0, 5_001_000));
  intake.observe(null, watched(5_002_000, 5_003_000));
  intake.observe("agent", watched(5_002_000, 5_003_000));
  assert.equal(intake.queued(), 5);

  let finish = (): void => undefined;
  behaviour.before = (agentId) => (agentId === null ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
  await clock.advance(250);
  intake.observe(null, watched(5_002_000, 5_004_000));
  behaviour.before = async () => undefined;
  finish();
  await clock.advance(0);
  const untilSeconds = (saved.get(null) ?? []).map((each) => (each.observedAt.getTime() - AT.getTime()) / 1000);
  assert.deepEqual(untilSeconds, [5000, 0, 5001, 5003, 5004]);
});

test("what is dropped or joined while a batch is under way costs none of the others", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constant("gone"), fc.constant("watched"), fc.constant("turn")), { maxLength: 60 }),
      async (steps) => {
        const { intake, clock, names } = setUp();
        let count = 0;
        for (const step of steps) {
          if (step === "turn") await new Promise((resolve) => setImmediate(resolve));
          else intake.observe(null, step === "gone" ? gone(count++) : watched(0, count));
        }
        await clock.advance(0);
        await intake.stop();
        assert.deepEqual(
          names().filter((name) => name !== "host.watched"),
          range(0, count),
        );
        assert.equal(names().includes("host.watched"), steps.includes("watched"));
      },
    ),
    { numRuns: 100 },
  );
});

test("stop saves what is queued and takes no more", async () => {
  const { intake, names, logged } = setUp();
  for (let index = 0; index < 500; index += 1) intake.observe(null, gone(index));
  const stopping = intake.stop();
  intake.observe(null, gone("late"));
  await stopping;
  intake.observe("agent", gone("later"));
  assert.deepEqual(names(), range(0, 500));
  assert.equal(intake.queued(), 0);
  assert.deepEqual(logged, []);
});

for (const [how, before] of Object.entries({
  "there is no database": async () => unavailable(),
  "saving hangs": () => new Promise<void>(() => undefined),
})) {
  test(`stop gives up after a few seconds when ${how}, and says how much is left`, async () => {
    const { intake, clock, behaviour, logged } = setUp();
    behaviour.before = before;
    for (let index = 0; index < 7; index += 1) intake.observe(null, gone(index));
    let stopped = false;
    void intake.stop().then(() => (stopped = true));
    await clock.advance(2900);
    assert.equal(stopped, false);
    await clock.advance(200);
    assert.equal(stopped, true);
    assert.partialDeepStrictEqual(logged, [{ level: "warn", left: 7 }]);
  });
}

test("a database that comes back during the stop gets what is left", async () => {
  const { intake, clock, behaviour, names } = setUp();
  behaviour.before = async () => unavailable();
  intake.observe(null, gone(1));
  const stopping = intake.stop();
  await clock.advance(1000);
  behaviour.before = async () => undefined;
  await clock.advance(250);
  await stopping;
  assert.deepEqual(names(), ["1"]);
});
