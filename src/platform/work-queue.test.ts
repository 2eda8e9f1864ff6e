import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WorkQueue } from "./queues.ts";

/** A queue whose runs end when the test says so. */
function open() {
  const begun: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const queue = new WorkQueue<string>((key) => {
    begun.push(key);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  return { queue, begun, ends };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a work queue", () => {
  it("runs a key once more, for all who asked while it ran", async () => {
    const { queue, begun, ends } = open();
    const first = queue.ask("one");
    const others = [queue.ask("one"), queue.ask("one")];
    assert.deepEqual(begun, ["one"]);
    ends[0]?.resolve();
    await nextTurn();
    assert.deepEqual(begun, ["one", "one"]);
    ends[1]?.resolve();
    await Promise.all([first, ...others]);
    assert.deepEqual(begun, ["one", "one"]);
  });

  it("does not let one key wait for another", async () => {
    const { queue, begun, ends } = open();
    const slow = queue.ask("slow");
    const quick = queue.ask("quick");
    ends[1]?.resolve();
    await quick;
    assert.deepEqual(begun, ["slow", "quick"]);
    ends[0]?.resolve();
    await slow;
  });

  it("rejects for all who asked when a run fails, and runs again when it is asked again", async () => {
    const { queue, begun, ends } = open();
    const asked = [queue.ask("one"), queue.ask("one")];
    ends[0]?.reject(new Error("broken"));
    for (const each of asked) await assert.rejects(each, /broken/);
    const again = queue.ask("one");
    assert.deepEqual(begun, ["one", "one"]);
    ends[1]?.resolve();
    await again;
  });

  it("loses nothing that is asked for as a run ends", async () => {
    const begun: number[] = [];
    const queue = new WorkQueue<string>(async () => void begun.push(begun.length));
    for (let count = 1; count <= 50; count += 1) {
      await queue.ask("one");
      assert.equal(begun.length, count);
    }
  });

  it("waits for running work when it stops, and starts nothing more", async () => {
    const { queue, begun, ends } = open();
    const asked = queue.ask("one");
    void queue.ask("one");
    let isStopped = false;
    const stopped = queue.stop().then(() => (isStopped = true));
    await nextTurn();
    assert.equal(isStopped, false);
    ends[0]?.resolve();
    await Promise.all([asked, stopped, queue.ask("two")]);
    assert.deepEqual(begun, ["one"]);
  });

  it("stops also when running work fails", async () => {
    const { queue, ends } = open();
    const asked = assert.rejects(queue.ask("one"), /broken/);
    const stopped = queue.stop();
    ends[0]?.reject(new Error("broken"));
    await Promise.all([asked, stopped]);
  });
});
