import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import { pause } from "./clock.ts";
import { type Closed, Dispatcher, type Outbox, type Mark, type OutboxMessage } from "./dispatcher.ts";
import type { Attempt } from "./delivery-schedule.ts";
import { ServiceError } from "./errors.ts";
import { createScheduler } from "./scheduler.ts";

interface Item extends OutboxMessage {
  lane: number;
}

const DELIVERED: Attempt = { status: "delivered", statusCode: 200, durationMs: 1, error: null, retryAfterMs: null };
const FAILED: Attempt = { ...DELIVERED, status: "failed", statusCode: 500, error: "It answered 500." };

/** An outbox in memory, a dispatcher, and receivers that do as the test says. */
function open(context: TestContext, { standing = (): "open" | Closed => "open", revisionOf = (): unknown => undefined } = {}) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const scheduler = createScheduler(clock, log);
  const rows = new Map<number, { item: Item; dueMs: number; status: string }>();
  const owners = new Map<number, { owner: string; until: Date }>();
  const sent: number[] = [];
  const kept: Mark<Item>[] = [];
  const fault: { reading?: Error; keeping?: Error } = {};
  let looks = 0;
  const receivers = { attempt: async (_item: Item, _signal: AbortSignal): Promise<Attempt> => DELIVERED };

  const due = (now: Date) => [...rows.values()].filter(({ status, dueMs }) => status === "pending" && dueMs <= now.getTime());
  const outbox: Outbox<Item> = {
    async lanes() {
      looks += 1;
      const waiting = [...rows.values()].filter(({ status }) => status === "pending");
      const byLane = Map.groupBy(waiting, ({ item }) => item.lane);
      return [...byLane].map(([lane, those]) => ({ lane, dueAt: new Date(Math.min(...those.map(({ dueMs }) => dueMs))) }));
    },
    async due(lane, now, limit) {
      if (fault.reading !== undefined) throw fault.reading;
      const found = due(now).filter(({ item }) => item.lane === lane);
      return found.slice(0, limit).map(({ item }) => item);
    },
    async waiting(lane, _since, limit) {
      const found = [...rows.values()].filter(({ item, status }) => item.lane === lane && status === "pending");
      return found.slice(0, limit).map(({ item }) => item);
    },
    async bringForward({ byMs, now, latest }) {
      for (const row of rows.values()) {
        if (row.status !== "pending" || row.dueMs <= now.getTime()) continue;
        row.dueMs = row.dueMs - byMs > latest.getTime() ? now.getTime() : Math.max(row.dueMs - byMs, now.getTime());
      }
    },
    async keep(marks) {
      if (fault.keeping !== undefined) throw fault.keeping;
      for (const { item, status, attempts, nextAttemptAt } of marks) {
        rows.set(item.id, { item: { ...item, attempts }, status, dueMs: nextAttemptAt?.getTime() ?? 0 });
      }
      return new Set(marks.map(({ item }) => item.id));
    },
    leases: {
      async lease(lane, { owner, now, until: end }) {
        const held = owners.get(lane);
        if (held !== undefined && held.owner !== owner && held.until > now) return false;
        owners.set(lane, { owner, until: end });
        return true;
      },
      async release(owner) {
        for (const [lane, held] of owners) if (held.owner === owner) owners.delete(lane);
      },
    },
  };
  const dispatcher = new Dispatcher<Item>({
    name: "test",
    outbox,
    standing,
    revisionOf,
    attempt(item, signal) {
      sent.push(item.id);
      return receivers.attempt(item, signal);
    },
    onKept: (marks) => void kept.push(...marks),
    clock,
    scheduler,
    log,
  });
  context.after(async () => {
    await Promise.all([dispatcher.stop(), clock.advance(5000)]);
    await scheduler.stop();
  });
  const put = (lane: number, ...ids: number[]): void => {
    for (const id of ids) rows.set(id, { item: { id, lane, attempts: 0 }, dueMs: clock.now().getTime(), status: "pending" });
  };
  return { clock, log, dispatcher, rows, owners, sent, kept, fault, receivers, put, looks: () => looks };
}

describe("a dispatcher", () => {
  it("sends what is due when it is poked, and what nobody poked for within half a minute", async (context) => {
    const { clock, dispatcher, put, sent } = open(context);
    dispatcher.start();
    put(1, 1, 2);
    dispatcher.poke(1);
    await until(() => sent.length === 2);
    await clock.advance(5000);
    put(2, 3);
    await clock.advance(30_000);
    assert.deepEqual(sent, [1, 2, 3]);
  });

  it("does not look while nothing is due", async (context) => {
    const { clock, dispatcher, put, looks, receivers, kept } = open(context);
    receivers.attempt = async () => FAILED;
    dispatcher.start();
    put(1, 1);
    dispatcher.poke(1);
    await until(() => kept.length === 1);
    await clock.advance(5000);
    const before = looks();
    await clock.advance(20_000);
    assert.equal(looks(), before, "the second attempt is due after thirty seconds");
    await clock.advance(10_000);
    assert.equal(kept.length, 2);
  });

  it("tries five times by the schedule, and lets others of the lane continue meanwhile", async (context) => {
    const { clock, dispatcher, put, sent, receivers, kept } = open(context);
    receivers.attempt = async ({ id }) => (id === 1 ? FAILED : DELIVERED);
    dispatcher.start();
    put(1, 1, 2);
    dispatcher.poke(1);
    await until(() => kept.length === 2);
    assert.deepEqual(sent, [1, 2]);
    const startedMs = clock.now().getTime();
    const seconds: number[] = [];
    for (let count = sent.length; count < 6; count += 1) {
      while (sent.length === count) await clock.advance(1000);
      seconds.push(Math.round((clock.now().getTime() - startedMs) / 1000));
    }
    // A sweep finds them, so each is up to a second later than the schedule says.
    assert.deepEqual(
      seconds.map((second, index) => second - (seconds[index - 1] ?? 0)).map((gap) => [30, 60, 120, 240].find((wait) => gap - wait <= 2)),
      [30, 60, 120, 240],
    );
    await clock.advance(600_000);
    assert.equal(sent.length, 6);
    assert.equal(kept.at(-1)?.status, "failed");
  });

  it("sends what waits without waiting for the time of a clock that was set back, once", async (context) => {
    const { clock, rows, sent, dispatcher, put, receivers } = open(context);
    receivers.attempt = async () => FAILED;
    dispatcher.start();
    put(1, 1);
    dispatcher.poke(1);
    await until(() => rows.get(1)?.item.attempts === 1);
    clock.jump(new Date(clock.now().getTime() - 1_800_000));
    await clock.advance(31_000);
    await until(() => rows.get(1)?.item.attempts === 2);
    assert.deepEqual(sent, [1, 1]);
    await clock.advance(50_000);
    assert.deepEqual(sent, [1, 1], "it waits its minute by the clock as it is now");
    await clock.advance(15_000);
    await until(() => rows.get(1)?.item.attempts === 3);
  });

  it("sends what was dated before its start by a clock that was ahead", async (context) => {
    const { clock, rows, sent, dispatcher } = open(context);
    rows.set(1, { item: { id: 1, lane: 1, attempts: 1 }, dueMs: clock.now().getTime() + 6 * 3_600_000, status: "pending" });
    dispatcher.start();
    await clock.advance(31_000);
    await until(() => rows.get(1)?.status === "sent");
    assert.deepEqual(sent, [1]);
  });

  it("is not held up by a receiver that hangs", async (context) => {
    const { dispatcher, put, sent, receivers } = open(context);
    const hanging = Promise.withResolvers<Attempt>();
    receivers.attempt = ({ lane }) => (lane === 1 ? hanging.promise : Promise.resolve(DELIVERED));
    dispatcher.start();
    put(1, 1, 2);
    put(2, 3, 4);
    dispatcher.poke(1);
    dispatcher.poke(2);
    await until(() => sent.length === 3);
    assert.deepEqual(sent.toSorted(), [1, 3, 4], "one at a time of the lane that hangs");
    hanging.resolve(DELIVERED);
    await until(() => sent.length === 4);
  });

  it("asks a receiver that fails again and again no faster than 20 times a second, until it answers well", async (context) => {
    const { clock, dispatcher, put, sent, receivers } = open(context);
    receivers.attempt = async ({ id }) => (id < 30 ? FAILED : DELIVERED);
    dispatcher.start();
    put(1, ...Array.from({ length: 100 }, (_, index) => index + 1));
    dispatcher.poke(1);
    await until(() => sent.length === 10);
    await clock.advance(500);
    assert.ok(sent.length > 15 && sent.length <= 21, `sent ${sent.length}`);
    await clock.advance(1000);
    assert.ok(sent.length >= 100, `sent ${sent.length}`);
  });

  it("sends all of a storm to a receiver that takes one message a second", async (context) => {
    const { clock, dispatcher, put, receivers, rows } = open(context);
    let freeAtMs = 0;
    receivers.attempt = async () => {
      await pause(clock, 50);
      if (clock.monotonicMs() < freeAtMs) return { ...FAILED, statusCode: 429, retryAfterMs: 1000 };
      freeAtMs = clock.monotonicMs() + 1000;
      return DELIVERED;
    };
    dispatcher.start();
    put(1, ...Array.from({ length: 300 }, (_, index) => index + 1));
    dispatcher.poke(1);
    await clock.advance(480_000);
    const statuses = Object.entries(Object.groupBy([...rows.values()], ({ status }) => status));
    assert.deepEqual(
      statuses.map(([status, those]) => [status, those?.length]),
      [["sent", 300]],
    );
  });

  it("sends nothing to a receiver that asked for a wait, also what is new, and counts no attempt; others are not held up", async (context) => {
    const { clock, dispatcher, put, receivers, sent, rows } = open(context);
    receivers.attempt = async ({ id }) => (id === 1 ? { ...FAILED, statusCode: 503, retryAfterMs: 300_000 } : DELIVERED);
    dispatcher.start();
    put(1, 1, 2);
    dispatcher.poke(1);
    await clock.advance(290_000);
    put(1, 3);
    put(2, 4);
    dispatcher.poke(1);
    dispatcher.poke(2);
    await clock.advance(5000);
    assert.deepEqual([sent, rows.get(2)?.item.attempts], [[1, 4], 0]);
    receivers.attempt = async () => DELIVERED;
    await clock.advance(30_000);
    assert.deepEqual(sent.toSorted(), [1, 1, 2, 3, 4]);
  });

  it("gives up what waits for a receiver that asked for a wait and is gone, and asks it at once after it was edited", async (context) => {
    let [standing, revision]: ["open" | Closed, number] = ["open", 1];
    const { clock, dispatcher, put, receivers, sent, kept } = open(context, { standing: () => standing, revisionOf: () => revision });
    receivers.attempt = async () => ({ ...FAILED, statusCode: 429, retryAfterMs: 3_600_000 });
    dispatcher.start();
    put(1, 1, 2, 3);
    dispatcher.poke(1);
    await clock.advance(60_000);
    revision = 2;
    await clock.advance(30_000);
    assert.deepEqual(sent, [1, 2]);
    standing = { patienceMs: 0, error: "It is gone." };
    await clock.advance(30_000);
    assert.deepEqual(
      kept.slice(2).map(({ error }) => error),
      ["It is gone.", "It is gone.", "It is gone."],
    );
  });

  it("sends nothing again while what came of it cannot be kept, and no more than a page", async (context) => {
    const { clock, dispatcher, put, sent, fault, kept } = open(context);
    fault.keeping = new ServiceError("storage_unavailable", "gone");
    dispatcher.start();
    put(1, ...Array.from({ length: 200 }, (_, index) => index + 1));
    dispatcher.poke(1);
    await clock.advance(10_000);
    assert.equal(sent.length, 128);
    delete fault.keeping;
    await clock.advance(3000);
    assert.deepEqual([sent.length, new Set(sent).size, kept.length], [200, 200, 200]);
  });

  it("looks again within a second and a half for what it could not read when it was poked", async (context) => {
    const { clock, dispatcher, put, sent, fault } = open(context);
    dispatcher.start();
    await clock.advance(5000);
    fault.reading = new ServiceError("storage_unavailable", "gone");
    put(1, 1);
    dispatcher.poke(1);
    await clock.advance(100);
    delete fault.reading;
    await clock.advance(1400);
    assert.deepEqual(sent, [1]);
  });

  it("continues when the database is back", async (context) => {
    const { clock, dispatcher, put, sent, fault, log } = open(context);
    fault.reading = new ServiceError("storage_unavailable", "gone");
    dispatcher.start();
    put(1, 1);
    await clock.advance(5000);
    delete fault.reading;
    await clock.advance(1000);
    assert.deepEqual(sent, [1]);
    assert.deepEqual(
      log.lines.filter(({ level }) => level !== "debug"),
      [],
    );
  });

  it("gives up what waits for a receiver that is gone", async (context) => {
    const { dispatcher, put, sent, kept } = open(context, { standing: () => ({ patienceMs: 0, error: "It is gone." }) });
    dispatcher.start();
    put(1, 1, 2);
    dispatcher.poke(1);
    await until(() => kept.length === 2);
    assert.deepEqual(sent, []);
    assert.ok(kept.every(({ status, error }) => status === "failed" && error === "It is gone."));
  });

  it("leaves a lane to the program that owns it until that gives no sign of life", async (context) => {
    const { clock, dispatcher, put, sent, owners } = open(context);
    owners.set(1, { owner: "another", until: new Date(clock.now().getTime() + 5000) });
    dispatcher.start();
    put(1, 1);
    await clock.advance(4000);
    assert.deepEqual(sent, []);
    await clock.advance(2000);
    assert.deepEqual(sent, [1]);
  });

  it("renews its lease of a lane once half of it is over, and no sooner", async (context) => {
    const { clock, dispatcher, put, receivers, owners } = open(context);
    const leftMs: number[] = [];
    receivers.attempt = async ({ lane }) => {
      leftMs.push((owners.get(lane)?.until.getTime() ?? 0) - clock.now().getTime());
      await pause(clock, 2000);
      return DELIVERED;
    };
    dispatcher.start();
    put(1, 1, 2, 3, 4, 5, 6);
    dispatcher.poke(1);
    await clock.advance(12_000);
    assert.deepEqual(leftMs, [10_000, 8000, 6000, 10_000, 8000, 6000]);
  });

  it("reads a lane again whose lease ran out during an attempt: another program may have sent the rest", async (context) => {
    const { clock, dispatcher, put, sent, receivers, rows } = open(context);
    receivers.attempt = async () => {
      await pause(clock, 11_000);
      return DELIVERED;
    };
    dispatcher.start();
    put(1, 1, 2, 3);
    dispatcher.poke(1);
    await clock.advance(10_500);
    const other = rows.get(2);
    assert.ok(other !== undefined);
    other.status = "sent";
    await clock.advance(20_000);
    assert.deepEqual(sent, [1, 3]);
  });

  it("finishes running attempts when it stops, begins nothing, and gives its lanes back", async (context) => {
    const { dispatcher, put, sent, receivers, rows, owners } = open(context);
    const slow = Promise.withResolvers<Attempt>();
    receivers.attempt = () => slow.promise;
    dispatcher.start();
    put(1, 1, 2);
    dispatcher.poke(1);
    await until(() => sent.length === 1);
    const stopped = dispatcher.stop();
    slow.resolve(DELIVERED);
    await stopped;
    assert.deepEqual([sent, rows.get(1)?.status, rows.get(2)?.status, owners.size], [[1], "sent", "pending", 0]);
  });

  it("breaks off what does not end when it stops, and counts that as nothing", async (context) => {
    const { clock, dispatcher, put, sent, receivers, rows } = open(context);
    receivers.attempt = (_item, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(FAILED)));
    dispatcher.start();
    put(1, 1);
    dispatcher.poke(1);
    await until(() => sent.length === 1);
    await Promise.all([dispatcher.stop(), clock.advance(4000)]);
    assert.deepEqual([rows.get(1)?.status, rows.get(1)?.item.attempts], ["pending", 0]);
  });

  it("takes a defect of an attempt for a failure, and says so in the log", async (context) => {
    const { dispatcher, put, receivers, kept, log } = open(context);
    receivers.attempt = () => Promise.reject(new TypeError("oops"));
    dispatcher.start();
    put(1, 1);
    dispatcher.poke(1);
    await until(() => kept.length === 1);
    assert.deepEqual([kept[0]?.status, log.lines.filter(({ level }) => level === "error").length], ["pending", 1]);
    assert.doesNotMatch(kept[0]?.error ?? "", /oops/);
  });
});
