import assert from "node:assert/strict";
import { test } from "node:test";
import { createBus } from "./bus.ts";
import { silentLog } from "./log.ts";

interface TestEvent {
  type: string;
  count: number;
}

function setUp() {
  const logged: object[] = [];
  const received: string[] = [];
  const bus = createBus<TestEvent>({ ...silentLog, error: (fields) => void logged.push(fields) });
  return { bus, logged, received, recorder: (who: string) => (event: TestEvent) => void received.push(`${who}${event.count}`) };
}

test("notifies all listeners, in the order in which they subscribed, before publish returns", () => {
  const { bus, received, recorder } = setUp();
  bus.subscribe("a", recorder("a"));
  bus.subscribe("b", recorder("b"));
  bus.publish({ type: "x", count: 1 });
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(received, ["a1", "b1", "a2", "b2"]);
});

test("a listener that throws hurts neither the others nor the publisher, and its name is logged each time", () => {
  const { bus, logged, received, recorder } = setUp();
  bus.subscribe("bad", () => {
    throw new Error("no");
  });
  bus.subscribe("worse", () => {
    throw Object.create(null);
  });
  bus.subscribe("good", recorder("good"));
  bus.publish({ type: "x", count: 1 });
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(received, ["good1", "good2"]);
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

test("who left receives nothing more, even when leaving while an event is published", () => {
  const { bus, received, recorder } = setUp();
  const leaves: (() => void)[] = [];
  bus.subscribe("a", () => leaves.forEach((leave) => leave()));
  leaves.push(bus.subscribe("b", recorder("b")));
  bus.subscribe("c", recorder("c"));
  bus.publish({ type: "x", count: 1 });
  assert.deepEqual(received, ["c1"]);
});

test("the same function can listen twice, and each stops alone", () => {
  const { bus, received, recorder } = setUp();
  const listener = recorder("a");
  const stop = bus.subscribe("first", listener);
  bus.subscribe("second", listener);
  bus.publish({ type: "x", count: 1 });
  stop();
  bus.publish({ type: "x", count: 2 });
  assert.deepEqual(received, ["a1", "a1", "a2"]);
});

test("what a listener publishes reaches everyone", () => {
  const { bus, received, recorder } = setUp();
  bus.subscribe("echo", ({ type, count }) => {
    if (count < 3) bus.publish({ type, count: count + 1 });
  });
  bus.subscribe("a", recorder("a"));
  bus.publish({ type: "x", count: 1 });
  assert.deepEqual(received.sort(), ["a1", "a2", "a3"]);
});

test("who keeps events gets them with the transaction, and one that cannot fails it; until it stops", async () => {
  const { bus, received } = setUp();
  const unit = { name: "unit" };
  const stop = bus.keepBy(async (of, events) => {
    assert.equal(of, unit);
    if (events.length > 2) throw new Error("no room");
    for (const { count } of events) received.push(`kept${count}`);
  });
  const event = (count: number): TestEvent => ({ type: "x", count });
  await bus.keep(unit, [event(1), event(2)]);
  await bus.keep(unit, []);
  await assert.rejects(bus.keep(unit, [event(3), event(4), event(5)]), /no room/);
  stop();
  await bus.keep(unit, [event(6)]);
  assert.deepEqual(received, ["kept1", "kept2"]);
});
