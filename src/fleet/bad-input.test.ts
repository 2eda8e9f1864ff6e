import assert from "node:assert/strict";
import { it } from "node:test";
import { type Client, status } from "@grpc/grpc-js";
import { startBystander } from "../../test/support/bystander.ts";
import type { Chance } from "../../test/support/chance.ts";
import { type FleetServer, startFleetServer } from "../../test/support/fleet-server.ts";
import {
  type AgentStream,
  batchOf,
  connectClient,
  enroll,
  openAuthenticated,
  openStream,
  type TestAgent,
} from "../../test/support/listener.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { CALL_HEADERS, frame, openRawStream, shout } from "../../test/support/raw-http2.ts";
import { chanceOf } from "../../test/support/seed.ts";
import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { openSqlite } from "../storage/sqlite.ts";

async function ackOf(stream: AgentStream): Promise<number> {
  const { case: kind, value } = await stream.next();
  assert.equal(kind, "ack");
  return Number(value.lastSeq);
}

type Misbehave = (world: { server: FleetServer; bad: TestAgent; chance: Chance; client: Client }) => Promise<void>;

/** An answer that names the code, or without one of ours the status of gRPC. */
const refusedWith = async (stream: AgentStream, code: string | undefined, grpc: status): Promise<void> => {
  const ended = await stream.ended;
  assert.deepEqual([ended.code, ended.status.code], [code, grpc]);
};

const ROWS: readonly (readonly [what: string, misbehave: Misbehave])[] = [
  [
    "a message of 100 MB",
    async ({ client, bad }) => {
      const stream = await openAuthenticated(client, bad);
      void stream.send(Buffer.alloc(100_000_000));
      await refusedWith(stream, undefined, status.RESOURCE_EXHAUSTED);
    },
  ],
  [
    "an enrollment of 100 MB",
    async ({ server, client }) => {
      const { status: ended } = await enroll(client, { publicKey: Buffer.alloc(100_000_000) });
      assert.ok([status.RESOURCE_EXHAUSTED, status.UNAVAILABLE].includes(ended.code), String(ended.code));
      assert.equal(server.fleet.agents.count(), 2);
    },
  ],
  [
    "a token in a message that never ends",
    async ({ client }) => {
      const stream = openStream(client);
      void stream.send(Buffer.alloc(3_000_000));
      const { status: ended } = await stream.ended;
      assert.ok([status.RESOURCE_EXHAUSTED, status.UNAVAILABLE].includes(ended.code), String(ended.code));
    },
  ],
  [
    "10,000 messages without a body",
    async ({ client, bad }) => {
      const stream = await openAuthenticated(client, bad);
      for (let index = 0; index < 10_000; index += 1) void stream.send(new Uint8Array(0));
      await stream.send(batchOf(1, { firstSeq: 7 }));
      assert.equal(await ackOf(stream), 7);
      stream.cancel();
    },
  ],
  [
    "a message in 10,000 frames of a byte",
    async ({ server, bad }) => {
      const stream = await openRawStream(server.port, bad);
      const batch = batchOf(300);
      assert.ok(batch.length > 10_000);
      await stream.send(batch, 1);
      assert.equal((await stream.next()).case, "ack");
      stream.close();
    },
  ],
  [
    "10,000 pings",
    async ({ server }) => void (await shout(server.port, Array<Buffer>(10_000).fill(frame("ping", { payload: Buffer.alloc(8) })), 1000)),
  ],
  ["10,000 settings", async ({ server }) => void (await shout(server.port, Array<Buffer>(10_000).fill(frame("settings")), 1000))],
  [
    "10,000 streams that are reset at once",
    async ({ server }) => {
      const frames = Array.from({ length: 10_000 }, (_, index) => {
        const stream = 2 * index + 1;
        const payload = Buffer.from([0, 0, 0, 8]);
        return Buffer.concat([frame("headers", { flags: 4, stream, payload: CALL_HEADERS }), frame("reset", { stream, payload })]);
      });
      assert.equal(await shout(server.port, frames), "cut");
    },
  ],
  [
    "headers that never end",
    async ({ server }) => {
      const more = frame("continuation", { stream: 1, payload: Buffer.from([0x83]) });
      const frames = [frame("headers", { stream: 1, payload: CALL_HEADERS }), ...Array<Buffer>(40_000).fill(more)];
      assert.equal(await shout(server.port, frames), "cut");
    },
  ],
  [
    "an empty batch",
    async ({ client, bad }) => {
      const stream = await openAuthenticated(client, bad);
      await stream.send(Uint8Array.of(0x12, 0));
      await refusedWith(stream, "invalid_request", status.INVALID_ARGUMENT);
    },
  ],
  [
    "too many events in a batch",
    async ({ client, bad }) => {
      const stream = await openAuthenticated(client, bad);
      await stream.send(batchOf(1001));
      await refusedWith(stream, "invalid_request", status.INVALID_ARGUMENT);
    },
  ],
  [
    "a cancel in the middle of a batch",
    async ({ client, bad }) => {
      const stream = await openAuthenticated(client, bad);
      void stream.send(batchOf(1000));
      stream.cancel();
      await refusedWith(stream, undefined, status.CANCELLED);
    },
  ],
  [
    "garbage in place of a message, after the handshake",
    async ({ client, bad, chance }) => {
      const stream = await openAuthenticated(client, bad);
      await stream.send(chance.bytes(5000));
      await refusedWith(stream, "invalid_request", status.INVALID_ARGUMENT);
    },
  ],
];

it("while one agent misbehaves another notices nothing, whatever it is", async (t) => {
  const chance = chanceOf(t);
  const database = openSqlite({ path: `${temporaryFolder()}/fleet.db`, clock: systemClock, log: silentLog });
  await database.start();
  const server = await startFleetServer(t, database);
  t.after(() => database.stop());
  const [bad, good] = [await server.enrolled(), await server.enrolled()];
  const bystander = await startBystander(connectClient(t, server.port), good);
  for (const [what, misbehave] of ROWS) {
    await misbehave({ server, bad, chance, client: connectClient(t, server.port) });
    await bystander.noticedNothing(what);
  }

  // Below the messages, in the middle of an authenticated stream.
  const line = await startTcpProxy({ port: server.port });
  t.after(() => line.stop());
  const stream = await openAuthenticated(connectClient(t, line.port), bad);
  line.inject(chance.bytes(100_000));
  const { status: ended } = await stream.ended;
  assert.ok([status.UNAVAILABLE, status.INTERNAL].includes(ended.code), String(ended.code));
  await bystander.noticedNothing("garbage on the line");
  const again = await openAuthenticated(connectClient(t, server.port), bad);
  await again.send(batchOf(1));
  assert.equal(await ackOf(again), 1);
  await bystander.stop();
});
