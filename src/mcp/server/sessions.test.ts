import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { startMcpWorld, type McpWorld } from "../../../test/support/mcp-core.ts";
import { until } from "../../../test/support/until.ts";
import { type McpAccess, openAccess } from "../access.ts";
import { type Scope, SCOPES } from "../tool.ts";
import type { ToolWrite } from "./index.ts";
import { createEvents } from "./sessions.ts";

/** `7 monitor:read` is a token of the grant 7 with that scope. */
const access: McpAccess = {
  ...openAccess,
  async admit(authorization = "") {
    const [id, ...scopes] = authorization.split(" ");
    return { id: Number(id), scopes: SCOPES.filter((scope: Scope) => scopes.includes(scope)), clientName: null };
  },
};

async function begin({ ask }: McpWorld, authorization: string): Promise<Record<string, string>> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plain client", version: "1" } };
  const answer = await ask({ jsonrpc: "2.0", id: 1, method: "initialize", params }, { authorization });
  await answer.text();
  return { authorization, "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
}

test("what a session may do is what the token of each request allows", async (t) => {
  const world = await startMcpWorld(t, { access });
  const session = await begin(world, "7 monitor:read");
  const ask = async (scopes: string, method: string, params: object): Promise<string> => {
    const answer = await world.ask({ jsonrpc: "2.0", id: 2, method, params }, { ...session, authorization: `7 ${scopes}` });
    return answer.text();
  };
  const paint = ["tools/call", { name: "paint_thing", arguments: { thing_id: 1 } }] as const;
  const read = ["resources/read", { uri: "binnacle://things/1" }] as const;
  assert.match(await ask("monitor:read", ...paint), /insufficient_scope/);
  assert.match(await ask("monitor:read alerts:write", ...paint), /"painted":true/);
  assert.match(await ask("monitor:read", ...paint), /insufficient_scope/);
  assert.match(await ask("monitor:read", ...read), /"contents"/);
  assert.match(await ask("alerts:write", ...read), /was not allowed to read/);
});

test("a change that a token does not allow is kept as refused, and what only reads is not", async (t) => {
  const writes: ToolWrite[] = [];
  const world = await startMcpWorld(t, { access, onWrite: async (write) => void writes.push(write) });
  const session = await begin(world, "7 monitor:read");
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const refused = await world.ask(call(2, "paint_thing", { thing_id: 4 }), session);
  assert.equal(refused.status, 403);
  assert.deepEqual(writes, [{ tool: "paint_thing", clientName: null, args: { thing_id: 4 }, isRefused: true }]);
  const batch = Array.from({ length: 100 }, (_, at) => call(at + 3, "paint_thing", { thing: at }));
  assert.equal((await world.ask(batch, session)).status, 403);
  // No more are kept of one connection for a while.
  assert.equal(writes.length, 20);
  assert.equal((await world.ask(call(9, "list_things", {}), { ...session, authorization: "7 alerts:write" })).status, 403);
  assert.equal(writes.length, 20);
});

test("a connection has a bounded number of sessions, and ends none of others", async (t) => {
  const clock = createFakeClock();
  const world = await startMcpWorld(t, { access, clock });
  const other = await begin(world, "1 monitor:read");
  const own: Record<string, string>[] = [];
  for (let at = 0; at < 20; at += 1) {
    await clock.advance(1);
    own.push(await begin(world, "2 monitor:read"));
  }
  const statusOf = async (session: Record<string, string> = {}): Promise<number> =>
    (await world.ask({ jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).status;
  await clock.advance(1);
  assert.equal(await statusOf(own[0]), 200);
  await clock.advance(1);
  await begin(world, "2 monitor:read");
  assert.deepEqual([await statusOf(other), await statusOf(own[0]), await statusOf(own[1]), await statusOf(own[2])], [200, 200, 404, 200]);
});

test("a connection has a bounded number of streams, and the others have theirs", async (t) => {
  const world = await startMcpWorld(t, { access });
  const listen = (grant: number): Promise<Response> => listenTo(world, `${grant} monitor:read`, ["binnacle://things/1"]);
  const own: Response[] = [];
  for (let at = 0; at < 40; at += 1) own.push(await listen(1));
  assert.deepEqual([...new Set(own.map(({ status }) => status))], [200]);
  assert.equal((await listen(1)).status, 429);
  const other = await listen(2);
  assert.equal(other.status, 200);
  await own.pop()?.body?.cancel();
  const again = await until(async () => {
    const answer = await listen(1);
    return answer.status === 200 ? answer : undefined;
  });
  await Promise.all([...own, other, again].map((each) => each.body?.cancel()));
});

test("listening needs the scope to read, and is to a bounded list", async (t) => {
  const world = await startMcpWorld(t, { access });
  assert.equal((await listenTo(world, "1 alerts:write", ["binnacle://things/1"])).status, 403);
  const many = Array.from({ length: 200 }, (_, at) => `binnacle://things/${at}?${"x".repeat(400)}`);
  assert.equal((await listenTo(world, "1 monitor:read", many)).status, 400);
  const few = await listenTo(world, "1 monitor:read", many.slice(0, 50));
  assert.equal(few.status, 200);
  await few.body?.cancel();
});

/** Of 2026-07-28, without a session. */
function listenTo(world: McpWorld, authorization: string, resourceSubscriptions: readonly string[]): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "plain client", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { notifications: { resourceSubscriptions }, _meta };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen", authorization };
  return world.ask({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }, headers);
}

const message = (at: number): { jsonrpc: "2.0"; method: string; params: { at: number } } => ({
  jsonrpc: "2.0",
  method: "noted",
  params: { at },
});

async function replayed(events: ReturnType<typeof createEvents>, lastEventId: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await events.replayEventsAfter(lastEventId, {
    send: async (_, resent) => void sent.push("params" in resent ? resent.params?.["at"] : undefined),
  });
  return sent;
}

test("the last so many events of a stream are sent again, and those of no other", async () => {
  const events = createEvents(4);
  const first = await events.storeEvent("_GET_stream", message(1));
  const other = await events.storeEvent("another", message(2));
  await events.storeEvent("_GET_stream", message(3));
  assert.deepEqual(await replayed(events, first), [3]);
  assert.deepEqual(await replayed(events, other), []);
  assert.equal(await events.getStreamIdForEventId?.(first), "_GET_stream");
  for (const at of [4, 5, 6, 7]) await events.storeEvent("_GET_stream", message(at));
  assert.deepEqual(await replayed(events, first), [4, 5, 6, 7], "what is older is gone");
});

test("an id that was not given is of no stream", async () => {
  const events = createEvents();
  for (const id of ["", "1", "x_y", "1_", "1_a b", "9".repeat(20)]) {
    assert.equal(await events.getStreamIdForEventId?.(id), undefined, id);
    await assert.rejects(events.replayEventsAfter(id, { send: async () => undefined }));
  }
});
