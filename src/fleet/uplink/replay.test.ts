import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startIngestServer } from "../../../test/support/ingest-server.ts";
import { hostReading, sampled } from "../../../test/support/readings.ts";
import { until } from "../../../test/support/until.ts";
import { connected, gone, hastyClock, inventory, story, worldOf, type World } from "../../../test/support/uplink.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { createUplink } from "./index.ts";

test("what happens before the server is reached waits, and comes after the inventory", async (t) => {
  const world = await worldOf(t);
  world.server.refuseRegistrations = { grpc: "UNAVAILABLE", code: "storage_unavailable" };
  world.start();
  await until(() => world.server.registrations.length > 0);
  world.uplink.observe(null, inventory());
  for (let index = 0; index < 5; index += 1) world.uplink.observe(null, gone(index));
  world.uplink.observe(null, { kind: "host.sampled", observedAt: new Date(), host: hostReading() });
  assert.equal(world.uplink.status().queued, 5);
  world.server.refuseRegistrations = undefined;
  await until(() => world.uplink.status().connected && world.uplink.status().queued === 0);
  assert.deepEqual(story(world), ["container.inventory", ...[0, 1, 2, 3, 4].map((index) => `replayed:c${index}`)]);
  world.uplink.observe(null, gone(9));
  await until(() => story(world).at(-1) === "live:c9");
});

test("live events pass a replay that waits for its acknowledgements", async (t) => {
  const world = await worldOf(t);
  for (let index = 0; index < 20_000; index += 1) world.uplink.observe(null, gone(index));
  world.server.ackAfterMs = ({ replayed }) => (replayed ? undefined : 0);
  world.start();
  await until(() => world.server.batches.some(({ replayed }) => replayed));
  const before = world.server.batches.length;
  world.uplink.observe(null, gone(77_777));
  await until(() => story(world).includes("live:c77777"));
  assert.ok(world.server.batches.length - before < 20);
  assert.ok(world.uplink.status().draining && world.uplink.status().queued === 20_000);
});

test("a batch is live or replayed, never both, and within the server's limits", async (t) => {
  const world = await worldOf(t);
  world.server.limits = { maxEventsPerSecond: 0, maxBatchEvents: 100, maxBatchBytes: 3000, maxListingBytes: 0 };
  for (let index = 0; index < 1000; index += 1) world.uplink.observe(null, gone(index));
  world.start();
  await connected(world);
  for (let index = 1000; index < 1500; index += 1) world.uplink.observe(null, gone(index));
  await until(() => story(world).length === 1501);
  // readBatch of the server refuses what is mixed or out of order.
  assert.ok(world.server.batches.every(({ events }) => events.length <= 100));
  assert.deepEqual(new Set(story(world)).size, 1501);
});

test("a break in the middle of a replay sends again all past the last acknowledgement, and nothing before it", async (t) => {
  const world = await worldOf(t);
  const count = 30_000;
  for (let index = 0; index < count; index += 1) world.uplink.observe(null, gone(index));
  let acknowledged = 0;
  world.server.ackAfterMs = ({ replayed, events }) => {
    if (!replayed) return 0;
    if (acknowledged >= 3000) return undefined;
    acknowledged += events.length;
    return 0;
  };
  world.start();
  await until(() => acknowledged >= 3000 && world.uplink.status().queued === count - acknowledged);
  const first = world.server;
  const { port } = first;
  first.cut();
  await until(() => !world.uplink.status().connected);
  const second = await startIngestServer(undefined, port);
  world.server = second;
  await until(() => world.uplink.status().connected && world.uplink.status().queued === 0, { withinMs: 60_000 });
  const replayed = story(world).filter((each) => each.startsWith("replayed"));
  assert.deepEqual(
    replayed,
    Array.from({ length: count - acknowledged }, (_, index) => `replayed:c${index + acknowledged}`),
  );
  assert.equal(story(world)[0], "container.inventory");
});

test("live events that were not acknowledged are replayed after a break; the next listing heals the others", async (t) => {
  const world = await worldOf(t);
  world.start();
  await connected(world);
  await until(() => story(world).length === 1);
  world.server.ackAfterMs = undefined;
  world.uplink.observe(null, gone(1));
  world.uplink.observe(null, { kind: "host.sampled", observedAt: new Date(), host: hostReading() });
  world.uplink.observe(null, gone(2));
  await until(() => story(world).length === 4);
  const { port } = world.server;
  world.server.cut();
  await until(() => world.uplink.status().queued === 2);
  world.server = await startIngestServer(undefined, port);
  await until(() => story(world).length === 3);
  assert.deepEqual(story(world), ["container.inventory", "replayed:c1", "replayed:c2"]);
});

test("what is observed while the stream ends comes after what was under way on it", async (t) => {
  const world = await worldOf(t, {
    async *logs({ signal }) {
      signal.addEventListener("abort", () => world.uplink.observe(null, gone(3)));
      yield [{ timestamp: null, stream: "stdout", text: "a line" }];
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const { server, uplink } = world;
  world.start();
  await connected(world);
  await until(() => story(world).length === 1);
  server.ackAfterMs = undefined;
  uplink.observe(null, gone(1));
  uplink.observe(null, gone(2));
  const value = { $typeName: "service.agent.v1.LogsCommand", externalId: "web", tail: 1, follow: true, previous: false } as const;
  server.command("one", { case: "logs", value });
  await until(() => story(world).length === 3 && server.results.length > 0);
  server.ackAfterMs = () => 0;
  server.refuse({ grpc: "UNAVAILABLE", code: "" });
  await until(() => story(world).length === 7);
  assert.deepEqual(story(world).slice(4), ["replayed:c1", "replayed:c2", "replayed:c3"]);
  await until(() => uplink.status().queued === 0);
});

test("events of before a stop are sent after the next start, with numbers that rise", async (t) => {
  const world = await worldOf(t);
  for (let index = 0; index < 10; index += 1) world.uplink.observe(null, gone(index));
  const startedMs = performance.now();
  await world.restart();
  assert.ok(performance.now() - startedMs < 10_000);
  assert.equal(world.uplink.status().queued, 10);
  world.uplink.observe(null, gone(10));
  world.start();
  await until(() => story(world).length === 12);
  const seqs = world.server.batches.flatMap(({ events }) => events.map(({ seq }) => seq)).slice(1);
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  );
  const ids = world.server.batches.flatMap(({ events }) => events.map(({ eventId }) => Buffer.from(eventId).toString("hex")));
  assert.equal(new Set(ids).size, ids.length);
});

test("flipped bits in the spool cost the events that they are in, which are reported as dropped", async (t) => {
  const world = await worldOf(t, { spool: { maxMemoryBytes: 0, maxDiskBytes: 1e6, maxAgeMs: 86_400_000 } });
  for (let index = 0; index < 200; index += 1) world.uplink.observe(null, gone(index));
  await world.uplink.stop();
  const folder = join(world.dataDir, "spool", "segments");
  const flips = readdirSync(folder).flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    const places = [bytes.length / 4, bytes.length / 2].map(Math.floor);
    for (const place of places) bytes.writeUInt8(bytes.readUInt8(place) ^ 0x10, place);
    writeFileSync(join(folder, name), bytes);
    return places;
  });
  assert.ok(flips.length > 0);
  await world.restart();
  world.start();
  await until(() => world.uplink.status().connected && world.uplink.status().queued === 0);
  const arrived = new Set(story(world).filter((each) => each.startsWith("replayed")));
  const { dropped } = world.uplink.status();
  assert.ok(dropped > 0 && dropped <= flips.length, `${dropped} of ${flips.length}`);
  assert.equal(arrived.size, 200 - dropped);
  await until(() => world.server.statuses.at(-1)?.dropped === BigInt(dropped));
});

test("a stop waits for what is live", async (t) => {
  const world = await worldOf(t, { clock: systemClock });
  world.start();
  await connected(world);
  await until(() => story(world).length === 1);
  world.server.ackAfterMs = () => 300;
  world.uplink.observe(null, gone(1));
  await world.uplink.stop();
  assert.deepEqual(story(world).slice(1), ["live:c1"]);
  world.uplink = createUplink(world.options);
  assert.equal(world.uplink.status().queued, 0);
});

test("the replay keeps below the rate of the server, and waits when asked to", async (t) => {
  const world = await worldOf(t, { clock: systemClock });
  world.server.limits.maxEventsPerSecond = 1000;
  for (let index = 0; index < 20_000; index += 1) world.uplink.observe(null, gone(index));
  const startedMs = performance.now();
  world.start();
  await until(() => story(world).length > 1500);
  const lastReplayed = () => world.server.batches.findLast(({ replayed }) => replayed)?.atMs ?? 0;
  const rate = (story(world).length - 1) / ((lastReplayed() - startedMs) / 1000);
  assert.ok(rate < 1000 * 1.15, `${rate} events a second`);
  world.server.send({
    case: "error",
    value: { $typeName: "service.agent.v1.StreamError", code: "rate_limited", message: "slower", retryAfterMs: 5000 },
  });
  await until(() => performance.now() - lastReplayed() > 500);
  const sofar = world.server.batches.length;
  world.uplink.observe(null, gone(99_999));
  await until(() => world.server.batches.length > sofar);
  assert.deepEqual(
    world.server.batches.slice(sofar).map(({ replayed }) => replayed),
    [false],
    "live events continue",
  );
  await until(() => world.server.batches.length > sofar + 1);
});

test("its spool's state is reported about every five seconds, and when it changes", async (t) => {
  const world = await worldOf(t);
  for (let index = 0; index < 2000; index += 1) world.uplink.observe(null, gone(index));
  world.server.ackAfterMs = ({ replayed }) => (replayed ? 300 : 0);
  world.start();
  await until(() => world.server.statuses.some(({ draining }) => draining));
  const status = world.server.statuses.find(({ draining }) => draining);
  assert.ok(Number(status?.queued) > 0 && Number(status?.bytes) > 0);
  await until(() => world.server.statuses.at(-1)?.draining === false && world.server.statuses.at(-1)?.queued === 0n);
});

test("an inventory that does not come holds up nothing for long", async (t) => {
  const world = await worldOf(t, { refresh: () => new Promise(() => undefined) });
  world.uplink.observe(null, gone(1));
  world.start();
  await until(() => story(world).length === 1);
  assert.deepEqual(story(world), ["replayed:c1"]);
});

test("what happens while the containers are listed is part of what waits", async (t) => {
  const listing = Promise.withResolvers<void>();
  const world: World = await worldOf(t, {
    clock: systemClock,
    refresh: async () => {
      world.uplink.observe(null, gone(1));
      await listing.promise;
      world.uplink.observe(null, inventory());
      world.uplink.observe(null, gone(2));
    },
  });
  world.start();
  await until(() => world.uplink.status().queued === 1);
  listing.resolve();
  await until(() => story(world).length === 3);
  assert.deepEqual(story(world).toSorted(), ["container.inventory", "live:c2", "replayed:c1"]);
  assert.equal(story(world)[0], "container.inventory");
});

test("a server that falls silent is left", async (t) => {
  const world = await worldOf(t);
  world.start();
  await connected(world);
  await until(() => story(world).length === 1);
  world.server.ackAfterMs = undefined;
  const fast: Clock = { ...hastyClock, monotonicMs: () => systemClock.monotonicMs() * 100 };
  await world.restart({ clock: fast });
  world.start();
  await until(() => /acknowledged nothing for a minute/.test(world.logText()));
});

test("what no message can carry is dropped and logged; the others continue", async (t) => {
  const world = await worldOf(t);
  world.start();
  await connected(world);
  world.uplink.observe(null, {
    kind: "container.last_words",
    observedAt: new Date(),
    externalId: "c",
    endedAt: new Date(),
    snippet: "x".repeat(5_000_000),
  });
  world.uplink.observe(null, gone(1));
  await until(() => story(world).at(-1) === "live:c1");
  assert.match(world.logText(), /An observation .* was not sent/);
});

test("resources arrive as they were seen", async (t) => {
  const world = await worldOf(t);
  const tick = sampled(new Date(1_772_366_400_000), { c1: { cpuPercent: 12.5, memoryBytes: 1e9 }, c2: {} });
  world.start();
  await connected(world);
  world.uplink.observe(null, tick);
  await until(() => story(world).includes("resources.sampled"));
  assert.deepEqual(world.server.batches.at(-1)?.events[0]?.observation, tick);
  assert.deepEqual(readdirSync(world.dataDir).toSorted(), ["identity.json", "spool"]);
});
