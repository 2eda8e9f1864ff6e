import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { Observation } from "../observations.ts";
import { ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { createHostRemoval } from "./hosts/index.ts";
import { createIntake } from "./intake.ts";

type AgentId = string | null;

const AT = new Date("2026-03-01T12:00:00Z");
const gone = (externalId: number | string): Observation => ({ kind: "container.gone", observedAt: AT, externalId: String(externalId) });
const nameOf = (observation: Observation): string => (observation.kind === "container.gone" ? observation.externalId : observation.kind);
const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => String(from + index));
const unavailable = (): never => {
  throw new ServiceError("storage_unavailable", "gone");
};

/** An intake that notes which door took what, with a replay that can be held up. */
function setUpDoors() {
  const taken: string[] = [];
  const behaviour = {
    live: async (_agentId: AgentId, _batch: readonly Observation[]): Promise<void> => undefined,
    replay: async (_agentId: AgentId, _batch: readonly Observation[]): Promise<void> => undefined,
  };
  const logged: Record<string, unknown>[] = [];
  const log = {
    ...silentLog,
    warn: (fields: object) => void logged.push({ ...fields }),
    error: (fields: object) => void logged.push({ ...fields }),
  };
  const clock = createFakeClock(AT);
  const intake = createIntake({ clock, log });
  intake.start({
    observers: [
      {
        async observe(agentId, batch) {
          await behaviour.live(agentId, batch);
          taken.push(...batch.map((each) => `live ${agentId} ${nameOf(each)}`));
        },
      },
    ],
    recorders: [
      {
        async record(agentId, batch) {
          await behaviour.replay(agentId, batch);
          taken.push(...batch.map((each) => `replay ${agentId} ${nameOf(each)}`));
        },
      },
    ],
  });
  return { intake, taken, behaviour, logged, clock };
}

/** An intake whose observations with an even number can wait. */
function setUpGathering() {
  const clock = createFakeClock(AT);
  const batches: string[][] = [];
  const behaviour = { isAway: false };
  const intake = createIntake({ clock, log: silentLog });
  intake.start({
    observers: [{ observe: async (_agentId, batch) => (behaviour.isAway ? unavailable() : void batches.push(batch.map(nameOf))) }],
    canWait: (_agentId, observation) => Number(nameOf(observation)) % 2 === 0,
  });
  return { intake, clock, batches, behaviour };
}

test("what can wait is saved together within a second of the first, and the next again", async () => {
  const { intake, clock, batches } = setUpGathering();
  for (const each of [2, 4]) intake.observe(null, gone(each));
  await clock.advance(900);
  intake.observe(null, gone(6));
  await clock.advance(99);
  assert.deepEqual(batches, []);
  await clock.advance(1);
  assert.deepEqual(batches, [["2", "4", "6"]]);
  intake.observe(null, gone(8));
  await clock.advance(999);
  assert.equal(intake.queued(), 1);
  await clock.advance(1);
  assert.deepEqual(batches.slice(1), [["8"]]);
});

test("what cannot wait is saved at once, with all of its host that waits, in its order", async () => {
  const { intake, clock, batches } = setUpGathering();
  intake.observe(null, gone(2));
  intake.observe("agent", gone(4));
  intake.observe(null, gone(1));
  await clock.advance(0);
  assert.deepEqual(batches, [["2", "1"]]);
  intake.observe(null, gone(6));
  await clock.advance(999);
  assert.deepEqual(batches, [["2", "1"]], "what waits now waits for another second");
  await clock.advance(1);
  assert.deepEqual(batches, [["2", "1"], ["4"], ["6"]]);
});

test("what can wait is not lost without a database, nor by the stop", async () => {
  const { intake, clock, batches, behaviour } = setUpGathering();
  behaviour.isAway = true;
  intake.observe(null, gone(2));
  await clock.advance(5000);
  behaviour.isAway = false;
  await clock.advance(250);
  assert.deepEqual(batches, [["2"]]);
  intake.observe(null, gone(4));
  await intake.stop();
  assert.deepEqual(batches, [["2"], ["4"]]);
});

test("of agents it is taken together within a quarter of a second, and each of them is answered then", async () => {
  const { intake, clock, batches, behaviour } = setUpGathering();
  const answered: string[] = [];
  const say = (agentId: string, ...numbers: number[]): void =>
    void intake.live(agentId, numbers.map(gone)).then(
      () => answered.push(numbers.join()),
      () => answered.push("refused"),
    );
  say("a", 2);
  say("a", 4, 6);
  say("b", 8);
  await clock.advance(249);
  assert.deepEqual([batches, answered], [[], []]);
  await clock.advance(1);
  assert.deepEqual(
    [batches, answered.toSorted()],
    [
      [["2", "4", "6"], ["8"]],
      ["2", "4,6", "8"],
    ],
  );

  say("a", 10);
  say("b", 12);
  say("a", 1, 14);
  await clock.advance(0);
  assert.deepEqual(batches.slice(2), [["10"], ["1", "14"]], "what cannot wait takes along what waits of its agent");
  await intake.replay("b", []);
  assert.deepEqual(batches.slice(4), [["12"]], "a replay too");

  behaviour.isAway = true;
  say("a", 16);
  await clock.advance(250);
  assert.equal(answered.at(-1), "refused");
  say("b", 20);
  const before = answered.length;
  await intake.close("b");
  assert.deepEqual(answered.slice(before), ["refused"], "of a host that is closed nothing waits");
  say("a", 18);
  const stopped = intake.stop();
  await clock.advance(0);
  assert.deepEqual(answered.slice(-3), ["refused", "refused", "refused"]);
  await stopped;
});

test("what is live goes to the observers, what is replayed to the recorders alone", async () => {
  const { intake, taken } = setUpDoors();
  await intake.live("a", [gone(1), gone(2)]);
  await intake.replay("a", [gone(3)]);
  assert.deepEqual(taken, ["live a 1", "live a 2", "replay a 3"]);
});

test("each host's order holds, live and replayed", async () => {
  const { intake, taken } = setUpDoors();
  const calls: Promise<void>[] = [];
  for (let index = 0; index < 30; index += 1) {
    calls.push(intake.live("a", [gone(index)]), intake.live("b", [gone(index)]), intake.replay("a", [gone(index)]));
  }
  await Promise.all(calls);
  for (const which of ["live a", "live b", "replay a"])
    assert.deepEqual(
      taken.filter((each) => each.startsWith(which)),
      range(0, 30).map((index) => `${which} ${index}`),
    );
});

test("a replay waits for what is live before it, and nothing that is live waits for a replay", async () => {
  const { intake, taken, behaviour } = setUpDoors();
  let finishLive = (): void => undefined;
  let finishReplay = (): void => undefined;
  behaviour.live = () => new Promise((resolve) => (finishLive = resolve));
  behaviour.replay = () => new Promise((resolve) => (finishReplay = resolve));
  const inventoryDone = intake.live("a", [gone("inventory")]);
  const replayed = intake.replay("a", [gone("past")]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(taken, []);
  finishLive();
  await inventoryDone;
  behaviour.live = async () => undefined;
  await intake.live("a", [gone("news")]);
  await intake.live("b", [gone("news")]);
  assert.deepEqual(taken, ["live a inventory", "live a news", "live b news"]);
  finishReplay();
  await replayed;
  assert.equal(taken.at(-1), "replay a past");
});

for (const door of ["live", "replay"] as const) {
  test(`${door}: without a database the caller gets an error, and the next call works`, async () => {
    const { intake, taken, behaviour } = setUpDoors();
    behaviour[door] = async () => unavailable();
    await assert.rejects(intake[door]("a", [gone(1)]), { code: "storage_unavailable" });
    assert.deepEqual(taken, []);
    behaviour[door] = async () => undefined;
    await intake[door]("a", [gone(1)]);
    assert.deepEqual(taken, [`${door} a 1`]);
  });

  test(`${door}: what cannot be understood is named and left out; the rest is saved`, async () => {
    const { intake, taken, behaviour, logged } = setUpDoors();
    behaviour[door] = async (_agentId, batch) => {
      if (batch.some((each) => nameOf(each) === "13")) throw new TypeError("unlucky");
    };
    await intake[door]("a", range(0, 250).map(gone));
    assert.equal(taken.length, 249);
    assert.deepEqual(
      logged.map(({ observation, agent_id }) => [observation, agent_id]),
      [["container.gone", "a"]],
    );
  });

  test(`${door}: times that cannot be right are left out`, async () => {
    const { intake, taken, logged } = setUpDoors();
    const at = (ms: number, name: string): Observation => ({ ...gone(name), observedAt: new Date(ms) });
    const now = AT.getTime();
    await intake[door]("a", [
      at(Number.NaN, "none"),
      at(now + 601_000, "ahead"),
      at(0, "old"),
      at(now + 300_000, "skewed"),
      at(now - 86_400_000, "yesterday"),
    ]);
    assert.deepEqual(taken, [`${door} a skewed`, `${door} a yesterday`]);
    assert.deepEqual(logged, [{ agent_id: "a", dropped: 3 }]);
  });
}

test("nothing more is taken of a host that is closed, once what was under way is done; others continue", async () => {
  const { intake, taken, behaviour } = setUpDoors();
  let finish = (): void => undefined;
  behaviour.live = () => new Promise((resolve) => (finish = resolve));
  const underWay = intake.live("a", [gone(1)]);
  const waiting = intake.live("a", [gone(2)]);
  waiting.catch(() => undefined);
  let closed = false;
  const closing = intake.close("a").then(() => (closed = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(closed, false);
  finish();
  await underWay;
  await closing;
  behaviour.live = async () => undefined;
  await assert.rejects(waiting, { code: "agent_unknown" });
  await assert.rejects(intake.live("a", [gone(3)]), { code: "agent_unknown" });
  await assert.rejects(intake.replay("a", [gone(3)]), { code: "agent_unknown" });
  await intake.live("b", [gone(4)]);
  intake.open("a");
  await intake.live("a", [gone(5)]);
  assert.deepEqual(taken, ["live a 1", "live b 4", "live a 5"]);
});

test("observations of a closed host are never saved once the database is back, and closing does not wait for that", async () => {
  const { intake, taken, behaviour, clock } = setUpDoors();
  behaviour.live = async () => unavailable();
  for (const each of range(0, 250)) intake.observe("a", gone(each));
  intake.observe("b", gone(1));
  await clock.advance(0);
  let closed = false;
  const closing = intake.close("a").then(() => (closed = true));
  await clock.advance(250);
  assert.equal(closed, true);
  assert.equal(intake.queued(), 1);
  behaviour.live = async () => undefined;
  await clock.advance(250);
  await closing;
  assert.deepEqual(taken, ["live b 1"]);
});

test("while the service stops, agents are asked to retry", async () => {
  const { intake } = setUpDoors();
  await intake.stop();
  await assert.rejects(intake.live("a", [gone(1)]), { code: "storage_unavailable" });
});

test("before the start observations of the local host wait, agents are asked to retry, and no host is removed", async () => {
  const clock = createFakeClock(AT);
  const intake = createIntake({ clock, log: silentLog });
  const removal = createHostRemoval(intake);
  intake.observe(null, gone(1));
  await assert.rejects(intake.live("a", [gone(2)]), { code: "storage_unavailable" });
  await assert.rejects(intake.replay("a", [gone(3)]), { code: "storage_unavailable" });
  await assert.rejects(
    removal.remove("a", () => assert.fail("nothing may be purged")),
    { code: "storage_unavailable" },
  );
  assert.equal(intake.queued(), 1);

  const taken: string[] = [];
  intake.start({
    observers: [{ observe: async (agentId, batch) => void taken.push(...batch.map((each) => `${agentId} ${nameOf(each)}`)) }],
  });
  await clock.advance(250);
  assert.deepEqual(taken, ["null 1"]);
  assert.equal(intake.queued(), 0);
});
