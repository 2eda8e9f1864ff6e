import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createThingResources, startMcpWorld, type McpWorld } from "../../../test/support/mcp-core.ts";
import { until } from "../../../test/support/until.ts";
import { type McpAccess, openAccess } from "../access.ts";

const URI = "binnacle://things/1";

interface OpenStream {
  status: number;
  /** The events so far. */
  events: { id: string; data: string }[];
  /** What came first. */
  opening(): string;
  /** It ended, whoever ended it. */
  isOver(): boolean;
  leave(): void;
}

async function openStream({ ask }: McpWorld, headers: Record<string, string>): Promise<OpenStream> {
  const answer = await ask(undefined, { accept: "text/event-stream", ...headers }, "GET");
  const events: OpenStream["events"] = [];
  let over = false;
  let opening = "";
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<void> => {
    let text = "";
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      opening ||= String(value);
      const frames = (text + String(value)).split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
        const [, data] = /^data: (.+)$/m.exec(frame) ?? [];
        if (id !== undefined && data !== undefined) events.push({ id, data });
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (over = true));
  return { status: answer.status, events, opening: () => opening, isOver: () => over, leave: () => void reader?.cancel() };
}

async function beginSession({ ask }: McpWorld, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plain client", version: "1" } };
  const answer = await ask({ jsonrpc: "2.0", id: 1, method: "initialize", params }, headers);
  const session = { ...headers, "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
  await ask({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  await ask({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: URI } }, session);
  return session;
}

test("a stream that broke off continues where it was", async (t) => {
  const resources = createThingResources();
  const clock = createFakeClock();
  const world = await startMcpWorld(t, { resources, clock });
  const session = await beginSession(world);
  const change = async (): Promise<void> => {
    resources.change(URI);
    await clock.advance(1_000);
  };
  const first = await openStream(world, session);
  await change();
  const received = await until(() => first.events[0]);
  assert.match(received.data, /notifications\/resources\/updated/);
  assert.equal((await openStream(world, session)).status, 409, "one at a time");

  first.leave();
  await change();
  await change();
  // The server sees that the first one is gone a moment later.
  const resumed = await until(async () => {
    const stream = await openStream(world, { ...session, "last-event-id": received.id });
    return stream.status === 200 ? stream : undefined;
  });
  await until(() => resumed.events.length === 2);
  await change();
  await until(() => resumed.events.length === 3);
  const ids = resumed.events.map(({ id }) => id);
  assert.equal(new Set([received.id, ...ids]).size, 4, "each once");
});

test("the official client is notified of what it subscribed to, also after its stream was cut", async (t) => {
  const resources = createThingResources();
  const clock = createFakeClock();
  const { url } = await startMcpWorld(t, { resources, clock });
  /** The streams that the client opened: where each began, and how it is cut. */
  const streams: { from: string | null; cut(): void }[] = [];
  const transport = new StreamableHTTPClientTransport(url, {
    reconnectionOptions: { initialReconnectionDelay: 20, maxReconnectionDelay: 100, reconnectionDelayGrowFactor: 1, maxRetries: 100 },
    async fetch(input, init) {
      if (init?.method !== "GET") return fetch(input, init);
      const cut = new AbortController();
      const answer = await fetch(input, { ...init, signal: cut.signal });
      if (answer.ok) streams.push({ from: new Headers(init.headers).get("last-event-id"), cut: () => cut.abort() });
      return answer;
    },
  });
  const client = new Client({ name: "test client", version: "1" });
  t.after(() => client.close());
  const notified: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void notified.push(params.uri));
  await client.connect(transport);
  const first = await until(() => streams[0]);
  await client.subscribeResource({ uri: URI });
  await client.subscribeResource({ uri: "binnacle://things/2" });
  const change = async (uri: string): Promise<void> => {
    resources.change(uri);
    await clock.advance(1_000);
  };
  await change(URI);
  await until(() => notified.length === 1);

  first.cut();
  await change("binnacle://things/2");
  await change("binnacle://things/3");
  const resumed = await until(() => streams[1]);
  assert.match(resumed.from ?? "", /^\d+_/, "it says where it was");
  await change(URI);
  await until(() => notified.length >= 3);
  assert.deepEqual(notified, [URI, "binnacle://things/2", URI], "each once, in order, and nothing else");
});

test("a stream ends with its session, with its grant and with the program", async (t) => {
  const access: McpAccess = {
    ...openAccess,
    admit: async (authorization) => ({ id: Number(authorization), scopes: ["monitor:read"], clientName: null }),
  };
  const world = await startMcpWorld(t, { access });
  const one = await beginSession(world, { authorization: "1" });
  const two = await beginSession(world, { authorization: "2" });
  const three = await beginSession(world, { authorization: "3" });
  const streams = await Promise.all([one, two, three].map((session) => openStream(world, session)));
  // Sent at once, since the headers wait for the first bytes.
  await until(() => streams.every((stream) => stream.opening().startsWith(": open")));
  const ends = (): boolean[] => streams.map((stream) => stream.isOver());
  assert.equal((await world.ask(undefined, one, "DELETE")).status, 200);
  await until(() => streams[0]?.isOver());
  assert.deepEqual(ends(), [true, false, false]);
  assert.equal((await world.ask({ jsonrpc: "2.0", id: 1, method: "ping" }, one)).status, 404);
  await world.mcp.endGrant(2);
  await until(() => streams[1]?.isOver());
  assert.deepEqual(ends(), [true, true, false]);
  await world.mcp.stop();
  await until(() => streams[2]?.isOver());
});

test("what is listened to without a session ends with its grant and is bounded", async (t) => {
  const access: McpAccess = {
    ...openAccess,
    admit: async (authorization) => ({ id: Number(authorization), scopes: ["monitor:read"], clientName: null }),
  };
  const world = await startMcpWorld(t, { access });
  const listen = (grant: number): Promise<Response> =>
    world.ask(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: {
          notifications: { resourceSubscriptions: [URI] },
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "plain client", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
      { authorization: String(grant), "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
    );
  const mine = await listen(1);
  assert.match(mine.headers.get("content-type") ?? "", /event-stream/);
  const others = await Promise.all(Array.from({ length: 99 }, (_, at) => listen(2 + (at % 9))));
  assert.ok(others.every((each) => /event-stream/.test(each.headers.get("content-type") ?? "")));
  assert.match(await (await listen(2)).text(), /limit/i, "the hundred and first");
  const reading = mine.text().then(
    () => "over",
    () => "over",
  );
  await world.mcp.endGrant(1);
  assert.equal(await reading, "over");
  const again = await until(async () => {
    const answer = await listen(1);
    return /event-stream/.test(answer.headers.get("content-type") ?? "") ? answer : undefined;
  });
  await Promise.all([...others, again].map((each) => each.body?.cancel()));
});
