import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createThingResources, THINGS } from "../../../test/support/mcp-core.ts";
import { until } from "../../../test/support/until.ts";
import { silentLog } from "../../platform/log.ts";
import { READ_ONLY } from "../access.ts";
import type { McpResources } from "../resource.ts";
import type { Scope } from "../tool.ts";
import { openProtocol } from "./protocol.ts";
import { createSessions } from "./sessions.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { createTurns } from "./turns.ts";

const thing = (id: number): string => `binnacle://things/${id}`;

async function open(resources: McpResources = createThingResources()) {
  const clock = createFakeClock();
  const turns = createTurns({ running: 8, waiting: 100, waitingInAll: 100 });
  const gate = (): void => undefined;
  const onWrite = (): Promise<void> => Promise.resolve();
  const offers = { tools: async () => THINGS, resources: async () => resources, prompts: async () => [] };
  const protocol = await openProtocol({ ...offers, version: "1", gate, onWrite, turns, clock, log: silentLog });
  const subscriptions = createSubscriptions({ resources, onUpdated: () => undefined, clock });
  const serve = (scopes: readonly Scope[] = READ_ONLY.scopes) => {
    const caller = { key: "test", scopes, name: null };
    const server = protocol.serve(caller);
    subscriptions.accept(server, caller);
    return { server, caller };
  };
  return {
    protocol,
    subscriptions,
    clock,
    serve,
    /** A connected client, and what it was notified of since. */
    async connect(scopes?: readonly Scope[]) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const { server, caller } = serve(scopes);
      await server.connect(far);
      const client = new Client({ name: "test", version: "1" });
      await client.connect(near);
      const notified: string[] = [];
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void notified.push(params.uri));
      return { client, caller, notified };
    },
  };
}

/** Resources of which there are as many as are asked for. */
const endless = (): McpResources => ({ ...createThingResources(), read: async () => ({ mimeType: "text/plain", text: "" }) });

test("nothing stays of a session or a connection that was closed, though nothing changed", async () => {
  const { protocol, subscriptions, clock, serve, connect } = await open();
  const { client } = await connect();
  assert.equal(subscriptions.count(), 1);
  await client.close();
  await until(() => subscriptions.count() === 0);

  const sessions = createSessions({ sdk: protocol.sdk, clock });
  const closings: ((session: Awaited<ReturnType<typeof sessions.begin>>) => Promise<void>)[] = [
    ({ server }) => server.close(),
    ({ transport }) => transport.close(),
  ];
  for (const close of closings) {
    const session = await sessions.begin(READ_ONLY, serve());
    assert.equal(subscriptions.count(), 1);
    await close(session);
    await session.ended;
    assert.equal(subscriptions.count(), 0);
  }

  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const input = new PassThrough();
  serveStdio(() => serve().server, { transport: new StdioServerTransport(input, new PassThrough().resume()) });
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await until(() => subscriptions.count() === 1);
  input.end();
  await until(() => subscriptions.count() === 0);
});

test("a client is notified of what it subscribed to, at most once a second, until it ends that", async () => {
  const resources = createThingResources();
  const { clock, connect } = await open(resources);
  const { client, notified } = await connect();
  const change = async (...uris: string[]): Promise<void> => {
    uris.forEach(resources.change);
    await clock.advance(1_000);
  };
  for (const id of [1, 2]) await client.subscribeResource({ uri: thing(id) });
  await change(thing(1), thing(1), thing(3), thing(2), thing(1));
  await until(() => notified.length === 2);
  await client.unsubscribeResource({ uri: thing(1) });
  await change(thing(1), thing(2));
  await until(() => notified.length === 3);
  assert.deepEqual(notified, [thing(1), thing(2), thing(2)]);
});

test("who may not read may not subscribe either", async () => {
  const { connect } = await open();
  const { client, caller } = await connect(["alerts:write"]);
  await assert.rejects(client.subscribeResource({ uri: thing(1) }), { code: -32_600, message: /scope monitor:read/ });
  // Its next token may have others.
  caller.scopes = ["monitor:read"];
  await client.subscribeResource({ uri: thing(1) });
});

test("only what can be read can be subscribed to", async () => {
  const { connect } = await open();
  const { client } = await connect();
  for (const uri of [thing(9), "file:///etc/passwd", ""]) await assert.rejects(client.subscribeResource({ uri }), { code: -32_602 }, uri);
  const { client: other } = await (await open(endless())).connect();
  await other.subscribeResource({ uri: "a:".padEnd(500, "x") });
  await assert.rejects(other.subscribeResource({ uri: "a:".padEnd(501, "x") }), { code: -32_602 });
});

test("a client has at most 100 subscriptions, and room again when it ends one", async () => {
  const { connect } = await open(endless());
  const { client } = await connect();
  const asked = await Promise.allSettled(Array.from({ length: 130 }, (_, id) => client.subscribeResource({ uri: thing(id) })));
  assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 100);
  await client.subscribeResource({ uri: thing(5) });
  await assert.rejects(client.subscribeResource({ uri: thing(500) }), { code: -32_600, message: /100 subscriptions already/ });
  await client.unsubscribeResource({ uri: thing(5) });
  await client.subscribeResource({ uri: thing(500) });
});

test("what fails inside is not notified to a client, and takes no room", async () => {
  const resources = { ...createThingResources(), read: () => Promise.reject(new Error("password=hunter2 in a defect")) };
  const { client } = await (await open(resources)).connect();
  const asked = await Promise.allSettled(Array.from({ length: 110 }, (_, id) => client.subscribeResource({ uri: thing(id) })));
  await assert.rejects(client.subscribeResource({ uri: thing(1) }), { message: /^(?!.*hunter2).*Internal error/ });
  assert.ok(asked.every(({ status }) => status === "rejected"));
});
