import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { type AgentStream, batchOf, connectClient, openAuthenticated, startListener } from "../../../test/support/listener.ts";
import { until } from "../../../test/support/until.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { LogLine, LogRequest } from "../seams.ts";
import { type Command, CommandResultSchema, encodeAgentMessage, LogStream } from "../wire/index.ts";

const request = (more: Partial<LogRequest> = {}): LogRequest => ({
  externalId: "abc",
  tail: 10,
  follow: false,
  signal: new AbortController().signal,
  ...more,
});

async function commandOf(stream: AgentStream): Promise<Command> {
  const body = await stream.next();
  assert.equal(body.case, "command");
  return body.value;
}

const linesOf = (commandId: string, texts: string[], at?: bigint): Uint8Array => {
  const lines = texts.map((text) => ({ stream: LogStream.STDERR, text, ...(at === undefined ? {} : { timestampMs: at }) }));
  return encodeAgentMessage({
    case: "commandResult",
    value: create(CommandResultSchema, { commandId, body: { case: "logLines", value: { lines } } }),
  });
};
const endOf = (commandId: string): Uint8Array =>
  encodeAgentMessage({ case: "commandResult", value: create(CommandResultSchema, { commandId, body: { case: "end", value: {} } }) });
const failureOf = (commandId: string, code: string, message: string): Uint8Array =>
  encodeAgentMessage({
    case: "commandResult",
    value: create(CommandResultSchema, { commandId, body: { case: "error", value: { code, message } } }),
  });

async function read(batches: AsyncIterable<readonly LogLine[]>): Promise<LogLine[]> {
  return (await Array.fromAsync(batches)).flat();
}

test("the end of a log is asked of the agent, and comes in order", async (t) => {
  const { listener, agent, port } = await startListener(t);
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const reading = read(listener.logs(far.id, request({ since: new Date(5000), tail: 7 })));
  const { commandId, body } = await commandOf(stream);
  assert.equal(body.case, "logs");
  assert.deepEqual([body.value.externalId, body.value.tail, body.value.sinceMs, body.value.follow], ["abc", 7, 5000n, false]);
  await stream.send(linesOf(commandId, ["one", "two"], 1_700_000_000_000n));
  await stream.send(linesOf("of-nobody", ["stray"]));
  await stream.send(linesOf(commandId, ["three"]));
  await stream.send(endOf(commandId));
  assert.deepEqual(await reading, [
    { timestamp: new Date(1_700_000_000_000), stream: "stderr", text: "one" },
    { timestamp: new Date(1_700_000_000_000), stream: "stderr", text: "two" },
    { timestamp: null, stream: "stderr", text: "three" },
  ]);
});

test("who stops reading cancels, by the signal or by leaving the loop", async (t) => {
  const { listener, agent, port } = await startListener(t);
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const aborting = new AbortController();
  const reading = read(listener.logs(far.id, request({ follow: true, signal: aborting.signal })));
  const { commandId } = await commandOf(stream);
  await stream.send(linesOf(commandId, ["one"]));
  aborting.abort();
  await reading;
  const cancel = await commandOf(stream);
  assert.deepEqual([cancel.commandId, cancel.body.case], [commandId, "cancel"]);

  const leaving = (async () => {
    for await (const [line] of listener.logs(far.id, request({ follow: true }))) return line?.text;
    return undefined;
  })();
  const other = await commandOf(stream);
  await stream.send(linesOf(other.commandId, ["first", "second"]));
  assert.equal(await leaving, "first");
  const cancelled = await commandOf(stream);
  assert.deepEqual([cancelled.commandId, cancelled.body.case], [other.commandId, "cancel"]);
});

test("four logs are followed through an agent, not five; a place is given back", async (t) => {
  const { listener, agent, port } = await startListener(t);
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const aborting = new AbortController();
  const follow = (signal = new AbortController().signal) => read(listener.logs(far.id, request({ follow: true, signal })));
  const readings = [follow(aborting.signal), follow(), follow(), follow()];
  for (const _ of readings) await commandOf(stream);
  await assert.rejects(follow(), (error) => isServiceError(error, "agent_busy"));
  aborting.abort();
  await readings[0];
  await commandOf(stream);
  readings.push(follow());
  assert.equal((await commandOf(stream)).body.case, "logs");
  stream.cancel();
  for (const reading of readings.slice(1)) await assert.rejects(reading, (error) => isServiceError(error, "agent_offline"));
});

test("what the agent says of a failure is passed on, and an agent without a stream is offline", async (t) => {
  const { listener, agent, port } = await startListener(t);
  const far = agent();
  await assert.rejects(read(listener.logs(far.id, request())), (error) => isServiceError(error, "agent_offline"));
  const stream = await openAuthenticated(connectClient(t, port), far);
  for (const [sent, received] of [
    ["not_found", "not_found"],
    ["container_not_found", "not_found"],
    ["runtime_unavailable", "runtime_unavailable"],
    ["internal", "runtime_unavailable"],
  ] as const) {
    const reading = assert.rejects(
      read(listener.logs(far.id, request())),
      (error) => isServiceError(error, received) && error.message === "No such thing there.",
    );
    const { commandId } = await commandOf(stream);
    await stream.send(failureOf(commandId, sent, "No such\u0000 thing there.\u001b[2J"));
    await reading;
  }
});

test("a reader that does not read loses its log, not the agent's stream", async (t) => {
  const { listener, agent, port, calls } = await startListener(t);
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const lines = listener.logs(far.id, request({ follow: true }))[Symbol.asyncIterator]();
  const first = lines.next();
  const { commandId } = await commandOf(stream);
  const long = Array.from({ length: 50 }, () => "x".repeat(20_000));
  void (async () => {
    for (let round = 0; round < 8; round += 1) await stream.send(linesOf(commandId, long));
    await stream.send(batchOf(1));
  })();
  assert.equal((await first).value?.[0]?.text.length, 20_000);
  const cancel = await commandOf(stream);
  assert.deepEqual([cancel.commandId, cancel.body.case], [commandId, "cancel"]);
  assert.equal((await stream.next()).case, "ack");
  await until(() => calls.saved.length === 1);
  await assert.rejects(
    (async () => {
      while ((await lines.next()).done !== true);
    })(),
    (error) => isServiceError(error, "agent_busy"),
  );
});

test("a log that is not followed ends, though the agent says lines without end, or falls silent", async (t) => {
  const clock = createFakeClock(new Date());
  const { listener, agent, port } = await startListener(t, { clock });
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const endless = read(listener.logs(far.id, request()));
  const { commandId } = await commandOf(stream);
  const many = Array.from({ length: 7_000 }, () => "again");
  for (let round = 0; round < 3; round += 1) await stream.send(linesOf(commandId, many));
  assert.equal((await endless).length, 20_000);
  const cancel = await commandOf(stream);
  assert.deepEqual([cancel.commandId, cancel.body.case], [commandId, "cancel"]);

  const silent = assert.rejects(read(listener.logs(far.id, request())), (error) => isServiceError(error, "runtime_unavailable"));
  await commandOf(stream);
  await clock.advance(31_000);
  await silent;
  assert.equal((await commandOf(stream)).body.case, "cancel");
});

test("lines without a text fill what may wait too", async (t) => {
  const { listener, agent, port } = await startListener(t);
  const far = agent();
  const stream = await openAuthenticated(connectClient(t, port), far);
  const lines = listener.logs(far.id, request({ follow: true }))[Symbol.asyncIterator]();
  const first = lines.next();
  const { commandId } = await commandOf(stream);
  const empty = Array.from({ length: 30_000 }, () => "");
  void (async () => {
    for (let round = 0; round < 3; round += 1) await stream.send(linesOf(commandId, empty));
    await stream.send(batchOf(1));
  })();
  await first;
  const cancel = await commandOf(stream);
  assert.deepEqual([cancel.commandId, cancel.body.case], [commandId, "cancel"]);
});
