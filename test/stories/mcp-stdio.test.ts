import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpView } from "../../src/mcp/server/answers.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { newClient, PROTOCOLS } from "../support/mcp-sdk.ts";
import { internetSockets, spawnStdio, type StdioProcess } from "../support/mcp-stdio.ts";
import { TOOL_NAMES } from "../support/mcp-tools.ts";
import { residentBytes } from "../../tools/bench/questions.ts";
import { type Program, type ProgramOptions, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** As an assistant would set it that keeps everything in one place: what HTTP needs is not there, and nothing asks for it. */
const BRIDGE_ENV = { SERVICE_MCP: "true", SERVICE_LOG_LEVEL: "trace", SERVICE_LOG_FORMAT: "json" };

/** An assistant on this host speaks with the instance that runs beside it, without a port or a secret. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let options: ProgramOptions;
  let program: Program & { dataDir: string; port: number };
  const opened: (() => Promise<unknown>)[] = [];

  before(async () => {
    const database = await databaseEnv();
    options = { env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", ...database } };
    program = await startProgram(options);
    const answer = await fetch(`${program.url}/api/v1/heartbeats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "nightly backup", interval_seconds: 3600 }),
    });
    assert.equal(answer.status, 201, await answer.text());
  });
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });
  after(() => program?.stop());

  const argsOf = (dataDir: string): string[] => [join(ROOT, "dist/main.js"), "--mcp-stdio", `--data-dir=${dataDir}`];
  function openProcess(dataDir = program.dataDir): StdioProcess {
    const opened_ = spawnStdio(argsOf(dataDir), BRIDGE_ENV);
    opened.push(() => opened_.kill());
    return opened_;
  }
  async function openClient(protocol: (typeof PROTOCOLS)[number]): Promise<Client> {
    const client = newClient(protocol);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: argsOf(program.dataDir),
      env: { PATH: process.env["PATH"] ?? "", ...BRIDGE_ENV },
      stderr: "ignore",
    });
    opened.push(() => client.close());
    await client.connect(transport);
    return client;
  }
  const heartbeats = async (client: Client): Promise<unknown> =>
    (await client.callTool({ name: "list_heartbeats", arguments: {} })).structuredContent;

  for (const protocol of PROTOCOLS) {
    it(`the SDK's client lists and calls, by ${protocol.version}`, async () => {
      const client = await openClient(protocol);
      assert.equal(client.getNegotiatedProtocolVersion(), protocol.version);
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), TOOL_NAMES);
      assert.partialDeepStrictEqual(await heartbeats(client), { heartbeats: [{ name: "⟦nightly backup⟧", status: "new" }], total: 1 });
      assert.ok((await client.listPrompts()).prompts.length > 0);
    });
  }

  it("the command that the settings show is answered", async () => {
    // What the route answers.
    const { stdio } = (await (await fetch(`${program.url}/api/v1/mcp`)).json()) as McpView;
    const [command = "", ...args] = stdio.command;
    const client = newClient(PROTOCOLS[0]);
    opened.push(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env["PATH"] ?? "" }, stderr: "ignore" }));
    assert.partialDeepStrictEqual(await heartbeats(client), { total: 1 });
  });

  it("nobody consented to more than looking", async () => {
    const client = await openClient(PROTOCOLS[0]);
    const refused = await client.callTool({ name: "acknowledge_alert", arguments: { alert_id: 1, acknowledged_by: "Mia" } });
    assert.equal(refused.isError, true);
    assert.match(JSON.stringify(refused.content), /alerts:write/);
  });

  it("rule 6: --mcp-stdio needs no credentials and never listens on the network", async () => {
    const peer = openProcess();
    assert.partialDeepStrictEqual(await peer.initialize(), { result: { serverInfo: { name: "binnacle" } } });
    assert.ok("result" in (await peer.ask("tools/list")));
    assert.deepEqual(internetSockets(peer.process.pid ?? 0), []);
    // That the reading finds what is there: the instance itself listens.
    assert.ok(internetSockets(program.process.pid ?? 0).length > 0);
    const socket = statSync(join(program.dataDir, "mcp.sock"));
    assert.ok(socket.isSocket());
    assert.equal(socket.mode & 0o777, 0o600);
  });

  it("nothing but the protocol is on its standard output, whatever it is sent", async () => {
    const peer = openProcess();
    await peer.initialize();
    peer.write("what is this?");
    peer.write('{"jsonrpc":"2.0","id":{},"method":7}');
    peer.write('[{"jsonrpc":"2.0","id":70,"method":"ping"}]');
    peer.write("");
    peer.write('{"jsonrpc":"2.0","method":"notifications/nothing"}');
    assert.equal((await peer.ask("no/such/method")).error?.code, -32_601);
    assert.partialDeepStrictEqual(await peer.ask("tools/call", { name: "list_heartbeats", arguments: {} }), {
      result: { structuredContent: { total: 1 } },
    });
    assert.equal(await peer.end(), 0);
    for (const line of peer.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0", line);
  });

  it("a line without end does not become a heap without end", async () => {
    const peer = openProcess();
    await peer.initialize();
    const part = "x".repeat(1_000_000);
    for (let written = 0; written < 64 && peer.process.exitCode === null; written += 1) {
      const isTaken = peer.process.stdin?.write(part) ?? false;
      if (!isTaken) await Promise.race([new Promise((resolve) => peer.process.stdin?.once("drain", resolve)), peer.ended]);
    }
    // It is refused, or the connection ends; the instance and others continue.
    const other = openProcess();
    assert.ok("result" in (await other.initialize()));
    assert.equal((await fetch(`${program.url}/api/v1/health`)).status, 200);
    if (peer.process.exitCode === null && peer.process.pid !== undefined) assert.ok(residentBytes(peer.process.pid) < 300_000_000);
  });

  it("continues when the instance was restarted in between", async () => {
    const client = await openClient(PROTOCOLS[1]);
    const peer = openProcess();
    await peer.initialize();
    const known = await heartbeats(client);
    assert.equal(await program.stop(), 0);
    assert.match((await peer.ask("tools/list")).error?.message ?? "", /start|running/i);
    program = await startProgram({ ...options, dataDir: program.dataDir, port: program.port });
    const again = await until(() => heartbeats(client).catch(() => undefined), { everyMs: 100, what: "an answer of the new instance" });
    assert.deepEqual(again, known);
    await until(async () => "result" in (await peer.ask("tools/list")), { everyMs: 100 });
  });
}

storyOnBothDatabases("MCP over standard input and output", story);

describe("MCP over standard input and output, with no instance", () => {
  it("says what to start, to the assistant and to the person, and ends when its input ends", async () => {
    // From the sources, as in development.
    const peer = spawnStdio([join(ROOT, "src/main.ts"), "--mcp-stdio", `--data-dir=${temporaryFolder()}`], BRIDGE_ENV);
    try {
      const { error } = await peer.initialize();
      assert.match(error?.message ?? "", /start/i);
      assert.match((await peer.ask("tools/list")).error?.message ?? "", /start/i);
      await until(() => /start/i.test(peer.log()));
      assert.deepEqual(internetSockets(peer.process.pid ?? 0), []);
      assert.equal(await peer.end(), 0);
    } finally {
      await peer.kill();
    }
  });
});
