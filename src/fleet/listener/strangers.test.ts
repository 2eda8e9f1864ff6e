import assert from "node:assert/strict";
import { connect } from "node:http2";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { status } from "@grpc/grpc-js";
import { batchOf, connectClient, enroll, openAuthenticated, startListener } from "../../../test/support/listener.ts";
import { until } from "../../../test/support/until.ts";
import { INGEST_SERVICE } from "../wire/index.ts";

const METHODS = [INGEST_SERVICE.registerAgent.path, INGEST_SERVICE.push.path];

/** Sends one message, framed as the test likes, on a separate call; answers its status and details. */
function callOnce(t: TestContext, port: number, path: string, { encoding = "identity", message }: { encoding?: string; message: Buffer }) {
  const session = connect(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  const head = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", "grpc-encoding": encoding };
  const call = session.request(head);
  const frame = Buffer.concat([Buffer.from([encoding === "identity" ? 0 : 1, 0, 0, 0, 0]), message]);
  frame.writeUInt32BE(message.length, 1);
  return new Promise<{ code: number; text: string }>((resolve, reject) => {
    const take = (headers: Record<string, unknown>): void => {
      if (headers["grpc-status"] === undefined) return;
      resolve({ code: Number(headers["grpc-status"]), text: decodeURI(String(headers["grpc-message"])) });
    };
    call.on("response", take);
    call.on("trailers", take);
    for (const each of [session, call]) each.on("error", reject);
    call.resume().end(frame);
  });
}

for (const path of METHODS) {
  test(`${path}: no encoding but identity is taken, and nothing is unpacked`, async (t) => {
    const { calls, port } = await startListener(t);
    const bomb = Buffer.alloc(4_000_000);
    for (const encoding of ["gzip", "deflate", "snappy", "identity, gzip"]) {
      const { code, text } = await callOnce(t, port, path, { encoding, message: gzipSync(bomb) });
      assert.equal(code, status.UNIMPLEMENTED, `${encoding}: ${text}`);
      assert.match(text, /grpc-encoding.*identity/, encoding);
    }
    assert.deepEqual(calls.registrations, []);
  });

  test(`${path}: a stranger's message has at most 16 KiB`, async (t) => {
    const { calls, port } = await startListener(t);
    const { code, text } = await callOnce(t, port, path, { message: Buffer.alloc(16_385) });
    assert.equal(code, status.RESOURCE_EXHAUSTED, text);
    assert.match(text, /larger than max \(16385 vs 16384\)/);
    assert.deepEqual(calls.registrations, []);
  });
}

test("an agent that is authenticated may send more", async (t) => {
  const world = await startListener(t);
  const stream = await openAuthenticated(connectClient(t, world.port), world.agent());
  const batch = batchOf(1000);
  assert.ok(batch.length > 16_384 * 2);
  await stream.send(batch);
  assert.equal((await stream.next()).case, "ack");
});

test("an enrollment without a place is refused before its message has come, and gives its place back at its end", async (t) => {
  const world = await startListener(t, { limits: { waiting: 1, waitingPerAddress: 1 } });
  const session = connect(`http://127.0.0.1:${world.port}`);
  t.after(() => session.destroy());
  const head = { ":method": "POST", ":path": INGEST_SERVICE.registerAgent.path, "content-type": "application/grpc", te: "trailers" };
  // Says that there is a message, and does not send it.
  const first = session.request(head);
  await new Promise((resolve) => session.ping(resolve));
  first.on("error", () => undefined);
  const second = session.request(head);
  const answered = await new Promise<Record<string, unknown>>((resolve) => second.once("response", resolve));
  assert.equal(Number(answered["grpc-status"]), status.UNAVAILABLE);
  first.close();
  await new Promise((resolve) => first.once("close", resolve));
  await until(async () => (await enroll(connectClient(t, world.port))).response !== undefined);
});

test("an enrollment whose message does not come in time is ended, and gives its place back", async (t) => {
  const world = await startListener(t, { limits: { waiting: 1, waitingPerAddress: 1, handshakeMs: 150, strangerMs: 60_000 } });
  const session = connect(`http://127.0.0.1:${world.port}`);
  t.after(() => session.destroy());
  const head = { ":method": "POST", ":path": INGEST_SERVICE.registerAgent.path, "content-type": "application/grpc", te: "trailers" };
  const silent = session.request(head, { endStream: false });
  silent.on("error", () => undefined);
  const answered = await new Promise<Record<string, unknown>>((resolve) => silent.once("response", resolve));
  assert.equal(Number(answered["grpc-status"]), status.DEADLINE_EXCEEDED);
  await until(async () => (await enroll(connectClient(t, world.port))).response !== undefined);
});
