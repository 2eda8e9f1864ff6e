import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LogStreamEnd } from "../../../src/monitoring/containers/api.ts";
import type { LogLineRecord } from "../../../src/monitoring/containers/answers.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogSource, type LogAnswer, type LogSourceState, type LogStreamListener } from "./log-source.ts";

function at(second: number, text = `line ${second}`): LogLineRecord {
  return { timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(), stream: "stdout", text };
}

/** A log in memory, behind a line that the test cuts. */
function createWorld(log: LogLineRecord[] = []) {
  const clock = createFakeClock();
  const received: string[] = [];
  const states: LogSourceState[] = [];
  const asked: (string | null)[] = [];
  let stream: LogStreamListener | null = null;
  let answer: LogAnswer | null = null;

  const source = createLogSource(
    {
      read(since) {
        asked.push(since);
        const lines = log.filter((line) => since === null || line.timestamp === null || line.timestamp >= since);
        return Promise.resolve(answer ?? { ok: true, logs: { lines: lines.slice(-4), truncated: lines.length > 4 } });
      },
      follow(since, listener) {
        stream = listener;
        for (const line of log) if (since === null || line.timestamp === null || line.timestamp >= since) listener.line(line);
        return () => (stream = null);
      },
      now: () => clock.now().getTime(),
      after(delayMs, callback) {
        const timer = clock.after(delayMs, callback);
        return () => timer.cancel();
      },
    },
    {
      lines: (lines) => received.push(...lines.map((line) => line.text)),
      gap: () => received.push("(gap)"),
      omitted: (lines) => received.push(`(${lines} omitted)`),
      begin: (hasOlder) => {
        if (received.length > 0 || hasOlder) received.push(hasOlder ? "(older)" : "(restart)");
      },
      unseen: () => undefined,
      state: (state) => states.push(state),
    },
  );
  return {
    clock,
    received,
    states,
    asked,
    source,
    log,
    write(line: LogLineRecord) {
      log.push(line);
      stream?.line(line);
    },
    omit: (lines: number) => stream?.omitted(lines),
    cut: () => stream?.lost(),
    end: (reason: LogStreamEnd["reason"], message: string | null = null) => stream?.end({ reason, message }),
    answer: (next: LogAnswer | null) => void (answer = next),
    isFollowing: () => stream !== null,
    phase: () => states.at(-1)?.phase,
  };
}

describe("following a log", () => {
  test("brings what is there, then each line as it comes, none twice", async () => {
    const world = createWorld([at(1), at(2), at(2), at(2, "other")]);
    world.source.start();
    await world.clock.advance(0);
    world.write(at(2));
    world.write(at(3));
    assert.deepEqual(world.received, ["line 1", "line 2", "line 2", "other", "line 2", "line 3"]);
    assert.equal(world.phase(), "live");
  });

  test("continues where it was after a lost connection", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.cut();
    assert.equal(world.phase(), "reconnecting");
    world.write(at(1, "same time"));
    world.write(at(2));
    await world.clock.advance(1_000);
    assert.deepEqual(world.received, ["line 1", "same time", "line 2"]);
    assert.deepEqual(world.asked, [null, at(1).timestamp]);
    assert.equal(world.phase(), "live");
  });

  test("reports a gap when more was written than can be read afterwards", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.cut();
    for (let second = 2; second < 9; second += 1) world.write(at(second));
    await world.clock.advance(1_000);
    assert.deepEqual(world.received.slice(0, 3), ["line 1", "(gap)", "line 5"]);
  });

  test("says how many lines came too fast, before the next one", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.omit(5_000);
    world.write(at(2));
    assert.deepEqual(world.received, ["line 1", "(5000 omitted)", "line 2"]);
  });

  test("no gap is reported when only lines that passed before are cut off", async () => {
    const world = createWorld([at(1), at(1), at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.cut();
    world.write(at(2));
    world.write(at(3));
    await world.clock.advance(1_000);
    assert.deepEqual(world.received, ["line 1", "line 1", "line 1", "line 2", "line 3"]);
  });

  test("says that older lines are there than it brings", async () => {
    const world = createWorld([1, 2, 3, 4, 5].map((second) => at(second)));
    world.source.start();
    await world.clock.advance(0);
    assert.deepEqual(world.received.slice(0, 2), ["(older)", "line 2"]);
  });

  test("a line out of order within a steady stream passes", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.write(at(5));
    world.write(at(4));
    assert.deepEqual(world.received, ["line 1", "line 5", "line 4"]);
  });

  test("lines without times are read again after a lost connection", async () => {
    const world = createWorld([{ timestamp: null, stream: "stdout", text: "timeless" }]);
    world.source.start();
    await world.clock.advance(0);
    assert.deepEqual(world.received, ["timeless"]);
    world.cut();
    await world.clock.advance(1_000);
    assert.deepEqual(world.received, ["timeless", "(restart)", "timeless"]);
  });
});

describe("what goes wrong", () => {
  test("an answer that may pass is asked for again, more and more slowly, and says since when", async () => {
    const world = createWorld();
    world.answer({ ok: false, message: "The engine does not answer.", isPassing: true });
    world.source.start();
    await world.clock.advance(0);
    const start = world.clock.now().getTime();
    for (const delay of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      const before = world.asked.length;
      await world.clock.advance(delay - 1);
      assert.equal(world.asked.length, before);
      await world.clock.advance(1);
      assert.equal(world.asked.length, before + 1);
    }
    assert.deepEqual(world.states.at(-1), { phase: "reconnecting", since: start, message: "The engine does not answer." });
  });

  test("an answer that stays is reported and left, until asked to try again", async () => {
    const world = createWorld([at(1)]);
    world.answer({ ok: false, message: "Its log driver cannot be read.", isPassing: false });
    world.source.start();
    await world.clock.advance(60_000);
    assert.deepEqual(world.asked.length, 1);
    assert.deepEqual(world.states.at(-1), { phase: "failed", message: "Its log driver cannot be read." });
    world.answer(null);
    world.source.resume();
    await world.clock.advance(0);
    assert.deepEqual(world.received, ["line 1"]);
  });

  test("a container that stopped is followed again when it runs again, none of its lines twice", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.end("container_stopped");
    await world.clock.advance(60_000);
    assert.deepEqual(world.states.at(-1), { phase: "ended", reason: "container_stopped" });
    assert.equal(world.isFollowing(), false);
    world.write(at(100));
    world.source.resume();
    world.source.resume();
    await world.clock.advance(1_000);
    assert.deepEqual(world.received, ["line 1", "line 100"]);
    assert.equal(world.asked.length, 2);
  });

  test("a log that turns out to be unreadable says why", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.end("unreadable", "Its log driver cannot be read.");
    await world.clock.advance(60_000);
    assert.deepEqual(world.states.at(-1), { phase: "failed", message: "Its log driver cannot be read." });
  });

  test("an end that passes is a lost connection", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    await world.clock.advance(0);
    world.end("runtime_lost");
    assert.equal(world.phase(), "reconnecting");
    await world.clock.advance(1_000);
    assert.equal(world.phase(), "live");
  });

  test("nothing happens after it was closed", async () => {
    const world = createWorld([at(1)]);
    world.source.start();
    world.source.close();
    await world.clock.advance(60_000);
    assert.deepEqual([world.received, world.states], [[], []]);
  });
});
