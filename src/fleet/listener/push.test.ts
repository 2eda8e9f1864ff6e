import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import {
  type AgentStream,
  batchOf,
  batchWith,
  connectClient,
  type ListenerWorld,
  openAuthenticated,
  openStream,
  startListener,
} from "../../../test/support/listener.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { chanceOf } from "../../../test/support/seed.ts";
import { until } from "../../../test/support/until.ts";
import { create } from "@bufbuild/protobuf";
import { ServiceError } from "../../platform/errors.ts";
import { encodeAgentMessage, SpoolStatusSchema } from "../wire/index.ts";

/** A message or an end that never comes fails a test. */
const IN_TIME = { timeout: 30_000 };

async function ackOf(stream: AgentStream): Promise<number> {
  const body = await stream.next();
  assert.equal(body.case, "ack");
  return Number(body.value.lastSeq);
}

const idsOf = ({ calls }: ListenerWorld): string[] =>
  calls.saved.flatMap(({ observations }) => observations.map((each) => (each.kind === "container.gone" ? each.externalId : each.kind)));

test("batches are saved in order, each acknowledged after its commit, live and replayed by their doors", async (t) => {
  const chance = chanceOf(t);
  const world = await startListener(t);
  const far = world.agent();
  let underWay = 0;
  world.rules.save = async () => {
    underWay += 1;
    assert.equal(underWay, 1);
    await new Promise((resolve) => setTimeout(resolve, chance.below(20)));
    underWay -= 1;
  };
  const stream = await openAuthenticated(connectClient(t, world.port), far);
  const batches = Array.from({ length: 30 }, (_, index) => ({ firstSeq: 1 + index * 5, replayed: index % 3 === 2 }));
  for (const batch of batches) void stream.send(batchOf(5, batch));
  for (const { firstSeq } of batches) {
    assert.equal(await ackOf(stream), firstSeq + 4);
    assert.ok(world.calls.saved.length >= (firstSeq + 4) / 5);
  }
  assert.deepEqual(
    world.calls.saved.map(({ agentId, door }) => [agentId, door]),
    batches.map(({ replayed }) => [far.id, replayed ? "replay" : "live"]),
  );
  assert.deepEqual(
    idsOf(world),
    Array.from({ length: 150 }, (_, index) => `c${index + 1}`),
  );
  assert.equal(world.calls.seen.get(far.id), 150);
});

test("what was sent and not acknowledged may be sent again on a new stream", async (t) => {
  const world = await startListener(t);
  const far = world.agent();
  const client = connectClient(t, world.port);
  const first = await openAuthenticated(client, far);
  let release = (): void => undefined;
  let isSaving = false;
  world.rules.save = () => {
    isSaving = true;
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  await first.send(batchOf(3));
  await until(() => isSaving);
  first.cancel();
  const stream = await openAuthenticated(client, far);
  await stream.send(batchOf(3));
  // What the stream before is saving is saved before the new one's.
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(world.calls.saved.length, 0);
  world.rules.save = () => undefined;
  release();
  assert.equal(await ackOf(stream), 3);
  assert.deepEqual(idsOf(world), ["c1", "c2", "c3", "c1", "c2", "c3"]);
  assert.deepEqual(world.calls.disconnected, []);
});

test("a new stream takes the place of the one before", async (t) => {
  const world = await startListener(t);
  const far = world.agent();
  const client = connectClient(t, world.port);
  const before = await openAuthenticated(client, far);
  const after = await openAuthenticated(connectClient(t, world.port), far);
  assert.deepEqual([(await before.ended).code, (await before.ended).status.code], ["stream_replaced", status.ABORTED]);
  await after.send(batchOf(1));
  assert.equal(await ackOf(after), 1);
  assert.deepEqual([world.calls.disconnected, world.listener.connected()], [[], 1]);
  after.cancel();
  await until(() => world.calls.disconnected.length === 1);
  assert.equal(world.listener.connected(), 0);
});

test("a batch over the rate waits for it, is acknowledged, and is not lost", async (t) => {
  const clock = createFakeClock(new Date());
  const world = await startListener(t, { eventsPerSecond: 1000, clock });
  const far = world.agent();
  const stream = await openAuthenticated(connectClient(t, world.port), far);
  await stream.send(batchOf(900));
  await stream.send(batchOf(600, { firstSeq: 901, replayed: true }));
  assert.equal(await ackOf(stream), 900);
  const body = await stream.next();
  assert.equal(body.case, "error");
  assert.equal(body.value.code, "rate_limited");
  assert.equal(body.value.retryAfterMs, 500);
  await clock.advance(499);
  assert.equal(world.calls.saved.length, 1);
  await clock.advance(1);
  assert.equal(await ackOf(stream), 1500);
  assert.equal(idsOf(world).length, 1500);

  // Nobody else is held up by it.
  const near = await openAuthenticated(connectClient(t, world.port), world.agent());
  await near.send(batchOf(1));
  assert.equal(await ackOf(near), 1);
});

test("a new stream does not begin with a new allowance", async (t) => {
  const clock = createFakeClock(new Date());
  const world = await startListener(t, { eventsPerSecond: 1000, clock });
  const far = world.agent();
  const client = connectClient(t, world.port);
  const stream = await openAuthenticated(client, far);
  await stream.send(batchOf(1000));
  assert.equal(await ackOf(stream), 1000);
  const again = await openAuthenticated(client, far);
  await again.send(batchOf(900, { firstSeq: 1001 }));
  assert.equal((await again.next()).case, "error");
  await clock.advance(900);
  assert.equal(await ackOf(again), 1900);
});

test("without a database nothing is acknowledged, nothing more is read, and nothing is lost", async (t) => {
  const world = await startListener(t);
  const far = world.agent();
  const stream = await openAuthenticated(connectClient(t, world.port), far);
  let attempts = 0;
  world.rules.save = () => {
    attempts += 1;
    throw new ServiceError("storage_unavailable", "The database cannot be reached.");
  };
  let sent = 0;
  const batches = Array.from({ length: 60 }, (_, index) => batchOf(1000, { firstSeq: 1 + index * 1000 }));
  const sending = (async () => {
    for (const batch of batches) {
      await stream.send(batch);
      sent += 1;
    }
  })();
  await until(async () => {
    const [attemptsThen, sentThen] = [attempts, sent];
    await until(() => attempts >= attemptsThen + 2);
    return sent === sentThen;
  });
  // What lies between is the window of HTTP/2 and what our own client buffers, not the memory of the server.
  assert.ok(sent < 60, String(sent));
  assert.equal(world.calls.saved.length, 0);
  world.rules.save = () => undefined;
  for (let index = 1; index <= 60; index += 1) assert.equal(await ackOf(stream), index * 1000);
  await sending;
  assert.equal(idsOf(world).length, 60_000);
});

/** Saves of which each ends when it is released. */
function heldSaves(world: ListenerWorld): { count(): number; release(): void } {
  const held: (() => void)[] = [];
  let count = 0;
  world.rules.save = () => {
    count += 1;
    return new Promise<void>((resolve) => held.push(resolve));
  };
  return { count: () => count, release: () => held.shift()?.() };
}

test("what comes while a batch is saved is not looked at before that", async (t) => {
  const world = await startListener(t);
  const stream = await openAuthenticated(connectClient(t, world.port), world.agent());
  const saves = heldSaves(world);
  await stream.send(batchOf(2));
  await stream.send(batchOf(2, { firstSeq: 3, replayed: true }));
  await stream.send(Uint8Array.of(0xff));
  await until(() => saves.count() === 1);
  saves.release();
  // The first is acknowledged while the second is still being saved.
  assert.equal(await ackOf(stream), 2);
  await until(() => saves.count() === 2);
  assert.deepEqual(idsOf(world), ["c1", "c2"]);
  saves.release();
  assert.equal(await ackOf(stream), 4);
  assert.equal((await stream.ended).code, "invalid_request");
  assert.deepEqual(idsOf(world), ["c1", "c2", "c3", "c4"]);
});

test("what came while a batch was saved is not saved when the stream ended meanwhile", async (t) => {
  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const stream = await openAuthenticated(client, world.agent());
  const saves = heldSaves(world);
  await stream.send(batchOf(2));
  await stream.send(batchOf(2, { firstSeq: 3 }));
  await until(() => saves.count() === 1);
  stream.cancel();
  // On the same connection: when it is served, the end before it has arrived.
  await openAuthenticated(client, world.agent());
  saves.release();
  await until(() => world.calls.disconnected.length === 1);
  assert.deepEqual([saves.count(), idsOf(world)], [1, ["c1", "c2"]]);
});

test("an observation that we fail to save takes only itself along", async (t) => {
  const world = await startListener(t);
  const stream = await openAuthenticated(connectClient(t, world.port), world.agent());
  let calls = 0;
  world.rules.save = () => {
    calls += 1;
    // The whole batch, then the second of its three.
    if (calls === 1 || calls === 3) throw new TypeError("a defect");
  };
  await stream.send(batchOf(3));
  assert.equal(await ackOf(stream), 3);
  assert.deepEqual(idsOf(world), ["c1", "c3"]);
});

test("the state of the spool is passed on", async (t) => {
  const world = await startListener(t);
  const far = world.agent();
  const stream = await openAuthenticated(connectClient(t, world.port), far);
  const value = create(SpoolStatusSchema, { queued: 12n, draining: true, dropped: 3n, bytes: 4096n });
  await stream.send(encodeAgentMessage({ case: "spoolStatus", value }));
  await until(() => world.calls.spool.length === 1);
  assert.deepEqual(world.calls.spool, [{ agentId: far.id, status: { queued: 12, draining: true, dropped: 3, bytes: 4096, oversize: 0 } }]);
  const absurd = create(SpoolStatusSchema, { queued: 2n ** 60n });
  await stream.send(encodeAgentMessage({ case: "spoolStatus", value: absurd }));
  assert.equal((await stream.ended).code, "invalid_request");
});

test("the clock of an agent is read from messages that were not held up here", IN_TIME, async (t) => {
  const world = await startListener(t);
  const far = world.agent();
  const stream = await openAuthenticated(connectClient(t, world.port), far);
  const report = (aheadMs: number) => {
    const value = create(SpoolStatusSchema, { sentAtMs: BigInt(Date.now() + aheadMs) });
    return stream.send(encodeAgentMessage({ case: "spoolStatus", value }));
  };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(50);
  await report(40_000);
  await until(() => world.calls.clocks.length === 1);
  const [first] = world.calls.clocks;
  assert.equal(first?.agentId, far.id);
  assert.ok(first.offsetMs <= 40_000 && first.offsetMs > 35_000, String(first.offsetMs));
  await stream.send(encodeAgentMessage({ case: "spoolStatus", value: create(SpoolStatusSchema, {}) }));
  await until(() => world.calls.spool.length === 2);
  const saves = heldSaves(world);
  await stream.send(batchOf(1));
  await until(() => saves.count() === 1);
  await report(0);
  await pause(50);
  saves.release();
  await until(() => world.calls.spool.length === 3);
  assert.equal(world.calls.clocks.length, 1);
});

test("what comes with times far ahead is acknowledged only once the agent's clock is known to be right", IN_TIME, async (t) => {
  const world = await startListener(t);
  const stream = await openAuthenticated(connectClient(t, world.port), world.agent());
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const ahead = { kind: "container.gone", observedAt: new Date(Date.now() + 3_600_000), externalId: "late" } as const;
  const report = async (aheadMs: number): Promise<void> => {
    await pause(50);
    const value = create(SpoolStatusSchema, { sentAtMs: BigInt(Date.now() + aheadMs) });
    await stream.send(encodeAgentMessage({ case: "spoolStatus", value }));
  };
  await stream.send(batchWith([ahead]));
  await stream.send(batchOf(1, { firstSeq: 2 }));
  assert.equal(await ackOf(stream), 2);
  await report(0);
  assert.equal(await ackOf(stream), 1);
  await stream.send(batchWith([ahead], { firstSeq: 3, replayed: true }));
  assert.equal(await ackOf(stream), 3);
  await stream.send(batchWith([ahead], { firstSeq: 4 }));
  await report(3_600_000);
  assert.equal((await stream.ended).code, "clock_skew");
  await until(() => world.calls.clocks.some(({ offsetMs }) => offsetMs > 3_000_000));
});

test("stopping ends all streams, and waits for what is being saved", async (t) => {
  const world = await startListener(t);
  const stream = await openAuthenticated(connectClient(t, world.port), world.agent());
  const waiting = openStream(connectClient(t, world.port));
  await waiting.next();
  let isSaving = false;
  world.rules.save = () => {
    isSaving = true;
    return new Promise((resolve) => setTimeout(resolve, 200));
  };
  await stream.send(batchOf(4));
  await until(() => isSaving);
  const startedMs = performance.now();
  await Promise.all([world.listener.stop(), world.listener.stop()]);
  assert.ok(performance.now() - startedMs < 10_000);
  assert.equal(world.calls.saved.length, 1);
  for (const each of [stream, waiting]) {
    const ended = await each.ended;
    assert.deepEqual([ended.code, ended.status.code], ["listener_unavailable", status.UNAVAILABLE]);
  }
  assert.equal(world.listener.address(), undefined);
});

test("500 agents that come at once are all in within 30 seconds", async (t) => {
  const world = await startListener(t, { limits: { waiting: 1000, handshakeMs: 30_000 } });
  const agents = Array.from({ length: 500 }, () => world.agent());
  const clients = Array.from({ length: 50 }, () => connectClient(t, world.port));
  const before = process.memoryUsage().rss;
  const startedMs = performance.now();
  const streams = await Promise.all(
    agents.map((agent, index) => openAuthenticated(clients[index % clients.length] ?? connectClient(t, world.port), agent)),
  );
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < 30_000, `${tookMs} ms`);
  assert.equal(world.listener.connected(), 500);
  const grownMb = (process.memoryUsage().rss - before) / 1024 ** 2;
  // Both ends are in this process.
  assert.ok(grownMb < 200, `${grownMb} MB`);
  await Promise.all(streams.map((stream) => stream.send(batchOf(10))));
  for (const stream of streams) assert.equal(await ackOf(stream), 10);
  assert.equal(new Set(world.calls.saved.map(({ agentId }) => agentId)).size, 500);
  for (const stream of streams) stream.cancel();
  await until(() => world.listener.connected() === 0);
});
