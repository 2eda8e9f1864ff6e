import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startTcpProxy } from "../../../test/support/tcp-proxy.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { worldOf } from "../../../test/support/uplink.ts";
import { startIngestServer } from "../../../test/support/ingest-server.ts";
import { pause, systemClock } from "../../platform/clock.ts";
import { untilPortReopens } from "./reopening.ts";

async function listen(t: TestContext, port = 0): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => undefined).end());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return server;
}

function watch(t: TestContext, port: number) {
  const clock = createFakeClock();
  const ending = new AbortController();
  t.after(() => ending.abort());
  const state = { reopened: false };
  const server = { host: "127.0.0.1", port, isPlain: true };
  void untilPortReopens(server, { clock, random: () => 0.5, signal: ending.signal }).then(() => (state.reopened = true));
  return { clock, state };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test("a port that opens after it was closed is noticed within seconds", async (t) => {
  const before = await listen(t);
  const port = portOf(before);
  before.close();
  await once(before, "close");
  const { clock, state } = watch(t, port);
  await pause(systemClock, 50);
  await clock.advance(2_000);
  await pause(systemClock, 50);
  assert.equal(state.reopened, false);
  await listen(t, port);
  const openedMs = clock.monotonicMs();
  await turnUntil(clock, () => state.reopened, { stepMs: 500, mostMs: 5_000, everyMs: 20 });
  assert.ok(clock.monotonicMs() - openedMs <= 5_000);
});

test("a port that is open all along says nothing, and is rarely tried", async (t) => {
  const server = await listen(t);
  let connections = 0;
  server.on("connection", () => (connections += 1));
  const { clock, state } = watch(t, portOf(server));
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1_000);
    await pause(systemClock, 2);
  }
  assert.equal(state.reopened, false);
  assert.ok(connections >= 2 && connections <= 5, `${connections} in a minute`);
});

test("a port that closes while it is rarely tried is noticed when it opens again", async (t) => {
  const before = await listen(t);
  const port = portOf(before);
  const { clock, state } = watch(t, port);
  await once(before, "connection");
  before.close();
  await once(before, "close");
  for (let second = 0; second < 20; second += 1) {
    await clock.advance(1_000);
    await pause(systemClock, 5);
  }
  await listen(t, port);
  await turnUntil(clock, () => state.reopened, { stepMs: 500, mostMs: 5_000, everyMs: 20 });
});

test("an agent whose server was away for long is back within seconds of its start, however long its delay", async (t) => {
  const clock = createFakeClock(new Date());
  const target = await startIngestServer();
  t.after(() => target.stop());
  const line = await startTcpProxy(target);
  const server = { host: "127.0.0.1", port: line.port, isPlain: true };
  const world = await worldOf(t, { clock, server });
  world.start();
  await turnUntil(clock, () => world.uplink.status().connected, { stepMs: 200, mostMs: 20_000, everyMs: 20 });
  await line.stop();
  // The delay of the attempt that follows is a minute.
  for (let second = 0; second < 150; second += 1) {
    await clock.advance(1_000);
    await pause(systemClock, 5);
  }
  const waits = world.logText().match(/"again_in_ms":\d+/g) ?? [];
  assert.ok(Number(waits.at(-1)?.split(":")[1]) >= 30_000, waits.join());
  const again = await startTcpProxy(target, line.port);
  t.after(() => again.stop());
  const backMs = clock.monotonicMs();
  await turnUntil(clock, () => world.uplink.status().connected, { stepMs: 200, mostMs: 6_000, everyMs: 20 });
  assert.ok(clock.monotonicMs() - backMs <= 6_000, `${clock.monotonicMs() - backMs} ms`);
});
