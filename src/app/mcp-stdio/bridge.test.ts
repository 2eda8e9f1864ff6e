import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createSlowTool, createThingResources, startMcpWorld, THINGS } from "../../../test/support/mcp-core.ts";
import { spawnStdio, type StdioProcess } from "../../../test/support/mcp-stdio.ts";
import { until } from "../../../test/support/until.ts";
import { pause, systemClock } from "../../platform/clock.ts";
import { mcpSocketOf } from "./stdio-command.ts";

const MODULE = new URL("./bridge.ts", import.meta.url).href;

function bridgeTo(dataDir: string): string[] {
  return [
    "--input-type=module",
    "-e",
    `import { runMcpStdio } from ${JSON.stringify(MODULE)}; process.exitCode = await runMcpStdio({ dataDir: ${JSON.stringify(dataDir)} });`,
  ];
}

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-stdio-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function startBridge(t: TestContext, dataDir: string): StdioProcess {
  const bridge = spawnStdio(bridgeTo(dataDir));
  t.after(() => bridge.kill());
  return bridge;
}

for (const version of ["older", "2026-07-28"] as const) {
  test(`the official client works over standard input and output, ${version}`, async (t) => {
    const dataDir = createFolder(t);
    const { mcp } = await startMcpWorld(t);
    await mcp.socket.start(mcpSocketOf(dataDir));
    const client = new Client(
      { name: "test", version: "1" },
      version === "older" ? {} : { versionNegotiation: { mode: { pin: version } } },
    );
    await client.connect(new StdioClientTransport({ command: process.execPath, args: bridgeTo(dataDir) }));
    t.after(() => client.close());
    assert.equal((await client.listTools()).tools.length, 4);
    const { structuredContent } = await client.callTool({ name: "list_things", arguments: { limit: 1_000 } });
    assert.equal((structuredContent as { total: number }).total, 1_000);
  });
}

test("an instance that comes back is spoken to as if it had never gone; what it owed is answered", async (t) => {
  const dataDir = createFolder(t);
  const slow = createSlowTool();
  const first = await startMcpWorld(t, { tools: [...THINGS, slow.tool] });
  await first.mcp.socket.start(mcpSocketOf(dataDir));
  const bridge = startBridge(t, dataDir);
  await bridge.initialize();
  await bridge.ask("resources/subscribe", { uri: "binnacle://things/1" });
  const owed = bridge.ask("tools/call", { name: "slow_thing", arguments: {} });
  await until(() => slow.calls.length > 0);
  await first.mcp.stop();
  assert.match((await owed).error?.message ?? "", /stopped or restarted.*Ask again/);

  const resources = createThingResources();
  const second = await startMcpWorld(t, { resources });
  const asked = bridge.ask("tools/call", { name: "get_thing", arguments: { thing_id: 5 } });
  await second.mcp.socket.start(mcpSocketOf(dataDir));
  assert.deepEqual((await asked).result?.["structuredContent"], { id: 5, said: null });
  await until(() => {
    resources.change("binnacle://things/1");
    return bridge.lines.some((line) => line.includes("notifications/resources/updated"));
  });
  assert.equal(bridge.lines.filter((line) => line.includes('"protocolVersion"')).length, 1, "the second hello is not the client's");
  assert.equal(await bridge.end(), 0);
  for (const line of bridge.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0");
});

test("without an instance each request is answered with what to do, and the end is clean", async (t) => {
  const dataDir = createFolder(t);
  const bridge = startBridge(t, dataDir);
  for (const answer of [await bridge.initialize(), await bridge.ask("tools/list")]) {
    assert.match(answer.error?.message ?? "", /No Binnacle listens at .*mcp\.sock\. Start it/);
  }
  bridge.write("{");
  bridge.write('[{"jsonrpc":"2.0","id":9,"method":"ping"}]');
  await until(() => bridge.lines.length === 4);
  assert.deepEqual(
    bridge.lines.slice(2).map((line) => (JSON.parse(line) as { error: { code: number } }).error.code),
    [-32_700, -32_600],
  );
  assert.equal(bridge.log().match(/No Binnacle listens/g)?.length, 1, "written once, not with every request");
  assert.equal(await bridge.end(), 0);
});

test("the last answers still come when the input ends at once", async (t) => {
  const dataDir = createFolder(t);
  const { mcp } = await startMcpWorld(t);
  await mcp.socket.start(mcpSocketOf(dataDir));
  const bridge = startBridge(t, dataDir);
  const answers = [bridge.initialize(), bridge.ask("tools/call", { name: "list_things", arguments: { limit: 500 } })];
  assert.equal(await bridge.end(), 0);
  assert.ok((await Promise.all(answers)).every(({ result }) => result !== undefined));
});

test("a request that waits for an instance is answered though that goes again before it knows the client", async (t) => {
  const path = mcpSocketOf(createFolder(t));
  const listenOnce = async (onData: (connection: Socket, text: string) => void): Promise<void> => {
    const server = createServer((connection) => {
      server.close();
      connection.on("error", () => undefined);
      connection.on("data", (data) => onData(connection, String(data)));
    });
    t.after(() => server.close());
    await once(server.listen(path), "listening");
  };
  const gone = Promise.withResolvers<void>();
  await listenOnce((connection, text) => {
    if (text.includes('"initialize"')) connection.write('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    else {
      connection.destroy();
      gone.resolve();
    }
  });
  const bridge = startBridge(t, dirname(path));
  await bridge.initialize();
  await gone.promise;
  await pause(systemClock, 100);
  const asked = bridge.ask("tools/list");
  await pause(systemClock, 100);
  await listenOnce((connection) => connection.destroy());
  assert.match((await asked).error?.message ?? "", /No Binnacle listens/);
});

test("a client that reads no more ends it, whatever else it was asked and though its input stays open", { timeout: 20_000 }, async (t) => {
  const bridge = startBridge(t, createFolder(t));
  await bridge.initialize();
  bridge.process.stdout?.destroy();
  for (let id = 10; id < 30; id += 1) bridge.write(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
  assert.equal(await bridge.ended, 0);
  assert.doesNotMatch(bridge.log(), /EPIPE/);
});

test("a line that is too long is refused, and the next one is answered", async (t) => {
  const dataDir = createFolder(t);
  const { mcp } = await startMcpWorld(t);
  await mcp.socket.start(mcpSocketOf(dataDir));
  const bridge = startBridge(t, dataDir);
  bridge.write("x".repeat(1_200_000));
  assert.ok((await bridge.initialize()).result !== undefined);
  assert.match(bridge.lines[0] ?? "", /A line may have 1 MB/);
});
