import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Socket, createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { createMemoryLog } from "../../../test/support/http-server.ts";
import { startMcpWorld } from "../../../test/support/mcp-core.ts";
import { until } from "../../../test/support/until.ts";
import { type Tool, tool } from "../tool.ts";

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-socket-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function connectTo(path: string): Promise<{ socket: Socket; lines: Interface; ask(message: object): Promise<unknown> }> {
  const socket = createConnection(path);
  await once(socket, "connect");
  socket.on("error", () => undefined);
  const lines = createInterface({ input: socket });
  return {
    socket,
    lines,
    async ask(message) {
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...message })}\n`);
      const [line] = (await once(lines, "line")) as [string];
      return JSON.parse(line);
    },
  };
}

const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plain client", version: "1" } },
};

test("answers on a socket that only its user may open, may look and not write, and goes with the program", async (t) => {
  const path = join(createFolder(t), "data", "mcp.sock");
  const { mcp } = await startMcpWorld(t);
  await mcp.socket.start(path);
  assert.deepEqual(mcp.socket.state(), { available: true, reason: null });
  assert.equal(statSync(path).mode & 0o777, 0o600);

  const { ask } = await connectTo(path);
  const hello = (await ask(INITIALIZE)) as { result: { protocolVersion: string } };
  assert.equal(hello.result.protocolVersion, "2025-11-25");
  assert.match(JSON.stringify(await ask({ method: "tools/call", params: { name: "list_things" } })), /"structuredContent"/);
  const refused = (await ask({ method: "tools/call", params: { name: "paint_thing", arguments: { thing_id: 1 } } })) as {
    result: { isError: boolean; content: { text: string }[] };
  };
  assert.equal(refused.result.isError, true);
  assert.match(refused.result.content[0]?.text ?? "", /scope alerts:write.*Ask the user/);
  assert.deepEqual(((await ask({ method: "tools/burn" })) as { error: { code: number } }).error.code, -32_601);

  await mcp.socket.stop();
  assert.equal(existsSync(path), false);
  assert.equal(mcp.socket.state().available, false);
});

test("a socket that a killed program left is replaced", async (t) => {
  const path = join(createFolder(t), "mcp.sock");
  // Its name stays behind, and nobody listens.
  const left = createServer();
  await new Promise<void>((resolve) => left.listen(`${path}.old`, resolve));
  linkSync(`${path}.old`, path);
  await new Promise((resolve) => left.close(resolve));
  assert.equal(existsSync(path), true);

  const { mcp } = await startMcpWorld(t);
  await mcp.socket.start(path);
  assert.deepEqual(mcp.socket.state(), { available: true, reason: null });
  const { ask } = await connectTo(path);
  assert.match(JSON.stringify(await ask(INITIALIZE)), /Binnacle/);
});

test("where it cannot listen it takes nothing from others, and says why", async (t) => {
  const folder = createFolder(t);
  const taken = join(folder, "taken.sock");
  const other = createServer((socket) => void socket.on("error", () => undefined).end("mine\n"));
  await new Promise<void>((resolve) => other.listen(taken, resolve));
  t.after(() => other.close());
  const file = join(folder, "file");
  writeFileSync(file, "precious");
  const cases: [path: string, reason: RegExp][] = [
    [taken, /^Another instance listens there\.$/],
    [file, /not a socket/],
    [join(folder, "x".repeat(120)), /too long/],
    // A file system that holds no sockets.
    ["/sys/mcp.sock", /^listen E[A-Z]+: .* \/sys\/mcp\.sock$/],
  ];
  for (const [path, reason] of cases) {
    const log = createMemoryLog();
    const { mcp } = await startMcpWorld(t, { log });
    await mcp.socket.start(path);
    assert.equal(mcp.socket.state().available, false, path);
    assert.match(mcp.socket.state().reason ?? "", reason);
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ["warn"],
    );
  }
  const { socket } = await connectTo(taken);
  assert.deepEqual(String((await once(socket, "data"))[0]), "mine\n");
  assert.equal(statSync(file).size, 8);
});

test("connections and lines are bounded, and nonsense ends nobody else's", async (t) => {
  const path = join(createFolder(t), "mcp.sock");
  const { mcp } = await startMcpWorld(t);
  await mcp.socket.start(path);
  const { ask, socket } = await connectTo(path);
  await ask(INITIALIZE);

  const long = await connectTo(path);
  long.socket.resume().write("x".repeat(1_100_000));
  await once(long.socket, "close");

  const nonsense = await connectTo(path);
  nonsense.socket.write('{"jsonrpc":"2.0"}\n[]\n\u0000\nnull\n');
  assert.match(JSON.stringify(await nonsense.ask(INITIALIZE)), /Binnacle/);
  nonsense.socket.destroy();
  // By then its end was noticed.
  for (let asked = 0; asked < 3; asked += 1) await ask({ method: "ping" });

  const many = await Promise.all(Array.from({ length: 30 }, () => connectTo(path).catch(() => undefined)));
  const isClosed = (each: Socket | undefined): boolean => each === undefined || each.destroyed || each.readableEnded;
  for (const each of many) each?.socket.resume();
  await until(() => many.filter((each) => isClosed(each?.socket)).length >= 11);
  assert.equal(many.filter((each) => !isClosed(each?.socket)).length, 19);
  assert.match(JSON.stringify(await ask({ method: "ping" })), /"result"/);
  for (const each of many) each?.socket.destroy();
  socket.destroy();
});

/** A tool whose answers are more than 400 KB on the wire; it counts its calls. */
function createBigTool(): { big: Tool; calls: { count: number } } {
  const calls = { count: 0 };
  const big = tool({
    name: "big_thing",
    title: "A big thing",
    description: "Answers much.",
    input: z.strictObject({}),
    output: z.object({ ids: z.array(z.number().int()) }),
    handle() {
      calls.count += 1;
      return { ids: Array.from({ length: 30_000 }, (_, at) => 100_000 + at) };
    },
  });
  return { big, calls };
}

const bigCalls = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ jsonrpc: "2.0", id: from + at, method: "tools/call", params: { name: "big_thing" } }),
  )
    .map((line) => `${line}\n`)
    .join("");

test("a client that does not read its answers is not read from until it does", async (t) => {
  const path = join(createFolder(t), "mcp.sock");
  const { big, calls } = createBigTool();
  const { mcp } = await startMcpWorld(t, { tools: [big] });
  await mcp.socket.start(path);
  const other = await connectTo(path);
  await other.ask(INITIALIZE);
  const { socket, ask, lines } = await connectTo(path);
  await ask(INITIALIZE);
  const received: string[] = [];
  lines.on("line", (line: string) => received.push(line));
  socket.pause();
  socket.write(bigCalls(1, 13));
  await until(() => calls.count === 13);
  // The last of their answers are being sent by then.
  for (let asked = 0; asked < 3; asked += 1) await other.ask({ method: "ping" });
  socket.write(bigCalls(14, 1));
  for (let asked = 0; asked < 3; asked += 1) await other.ask({ method: "ping" });
  assert.equal(calls.count, 13);
  socket.resume();
  await until(() => received.length === 14);
  assert.equal(calls.count, 14);
  socket.destroy();
  other.socket.destroy();
});

test("a client for which more and more answers wait is let go, though it says nothing further", async (t) => {
  const path = join(createFolder(t), "mcp.sock");
  const log = createMemoryLog();
  const { mcp } = await startMcpWorld(t, { tools: [createBigTool().big], log });
  await mcp.socket.start(path);
  const { socket, ask } = await connectTo(path);
  await ask(INITIALIZE);
  socket.pause();
  socket.write(bigCalls(1, 60));
  await until(() => log.lines.some(({ message }) => message === "MCP client does not read its answers"));
  const closed = once(socket, "close");
  socket.resume();
  await closed;
});
