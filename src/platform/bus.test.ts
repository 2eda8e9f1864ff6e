import assert from "node:assert/strict";
import { test } from "node:test";
import { createBus } from "./bus.ts";
import { silentLog } from "./log.ts";

interface Happening {
  type: string;
  count: number;
}

function setUp() {
  const logged: object[] = [];
  const heard: string[] = [];
  const bus = createBus<Happening>({ ...silentLog, error: (fields) => void logged.push(fields) });
  return { bus, logged, heard, hear: (who: string) => (event: Happening) => void heard.push(`${who}${event.count}`) };
}

test("tells all listeners, in the order in which they joined, before publish returns", () => {
  const { bus, heard, hear } = setUp();
  bus.subscribe("a", hear("a"));
  bus.subscribe("b", hear("b"));
  bus.publish({ type: "x", count: 1 });
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(heard, ["a1", "b1", "a2", "b2"]);
});

test("a listener that throws hurts neither the others nor the publisher, and its name is logged each time", () => {
  const { bus, logged, heard, hear } = setUp();
  bus.subscribe("bad", () => {
    throw new Error("no");
  });
  bus.subscribe("worse", () => {
    throw Object.create(null);
  });
  bus.subscribe("good", hear("good"));
  bus.publish({ type: "x", count: 1 });
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(heard, ["good1", "good2"]);
  assert.equal(logged.length, 4);
  assert.partialDeepStrictEqual(logged[0], { listener: "bad", event: "x", reason: "no" });
});

test("a listener that rejects is logged too, and does not end the process", async () => {
  const { bus, logged } = setUp();
  bus.subscribe("async", async () => Promise.reject(new Error("later")));
  bus.publish({ type: "x", count: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.partialDeepStrictEqual(logged, [{ listener: "async", event: "x", reason: "later" }]);
});

test("who left hears nothing more, even when leaving while an event is told", () => {
  const { bus, heard, hear } = setUp();
  const leaves: (() => void)[] = [];
  bus.subscribe("a", () => leaves.forEach((leave) => leave()));
  leaves.push(bus.subscribe("b", hear("b")));
  bus.subscribe("c", hear("c"));
  bus.publish({ type: "x", count: 1 });
  assert.deepEqual(heard, ["c1"]);
});

test("the same function can listen twice, and each stops alone", () => {
  const { bus, heard, hear } = setUp();
  const listener = hear("a");
  const stop = bus.subscribe("first", listener);
  bus.subscribe("second", listener);
  bus.publish({ type: "x", count: 1 });
  stop();
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(heard, ["a1", "a1", "a2"]);
});

test("what a listener publishes reaches everyone", () => {
  const { bus, heard, hear } = setUp();
  bus.subscribe("echo", ({ type, count }) => {
    if (count < 3) bus.publish({ type, count: count + 1 });
  });
  bus.subscribe("a", hear("a"));
  bus.publish({ type: "x", count: 1 });
  assert.deepEqual(heard.sort(), ["a1", "a2", "a3"]);
});

test("who keeps events gets them with the transaction, and one that cannot fails it; until it stops", async () => {
  const { bus, heard } = setUp();
  const unit = { name: "unit" };
  const stop = bus.keepBy(async (of, events) => {
    assert.equal(of, unit);
    if (events.length > 2) throw new Error("no room");
    for (const { count } of events) heard.push(`kept${count}`);
  });
  const event = (count: number): Happening => ({ type: "x", count });
  await bus.keep(unit, [event(1), event(2)]);
  await bus.keep(unit, []);
  await assert.rejects(bus.keep(unit, [event(3), event(4), event(5)]), /no room/);
  stop();
  await bus.keep(unit, [event(6)]);
  assert.deepEqual(heard, ["kept1", "kept2"]);
});
