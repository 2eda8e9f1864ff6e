import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createMemoryLog } from "../../../test/support/http-server.ts";
import { createSlowTool, startMcpWorld, type McpWorld } from "../../../test/support/mcp-core.ts";
import { until } from "../../../test/support/until.ts";
import { type Grant, type McpAccess, McpRefusal } from "../access.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plain client", version: "1" } },
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };
/** What every request carries since 2026-07-28. */
const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "plain client", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN_HEADERS = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

async function sessionOf({ ask }: McpWorld, { protocolVersion = "2025-11-25", ...headers }: Record<string, string> = {}): Promise<string> {
  const answer = await ask({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } }, headers);
  const id = answer.headers.get("mcp-session-id");
  assert.ok(id !== null, await answer.text());
  return id;
}

async function errorOf(answer: Response): Promise<{ status: number; code: unknown }> {
  const body = (await answer.json()) as { error?: { code: unknown } };
  return { status: answer.status, code: body.error?.code };
}

test("messages that are none, or not for this session, are refused by their kind", async (t) => {
  const world = await startMcpWorld(t);
  const id = await sessionOf(world);
  const inSession = { "mcp-session-id": id };
  const cases: [what: string, body: unknown, headers: Record<string, string>, status: number, code: unknown, method?: string][] = [
    ["no session", LIST, {}, 400, -32_000],
    ["a session that nobody has", LIST, { "mcp-session-id": "ca3bbce8-fb5f-4481-8fd0-9146b1035de3" }, 404, -32_001],
    ["a session id that is none", LIST, { "mcp-session-id": "../../etc" }, 404, -32_001],
    ["GET without a session", undefined, {}, 400, -32_000, "GET"],
    ["GET of a session that nobody has", undefined, { "mcp-session-id": "x" }, 404, -32_001, "GET"],
    ["DELETE without a session", undefined, {}, 400, -32_000, "DELETE"],
    ["DELETE of a session that nobody has", undefined, { "mcp-session-id": "x" }, 404, -32_001, "DELETE"],
    ["a second initialize", INITIALIZE, inSession, 400, -32_600],
    ["a version that nobody speaks", LIST, { ...inSession, "mcp-protocol-version": "1999-01-01" }, 400, -32_000],
    ["an event id that nobody gave", undefined, { ...inSession, "last-event-id": "nonsense" }, 400, -32_000, "GET"],
    ["a batch where the version has none", [LIST], inSession, 400, -32_600],
    ["an unknown method", { ...LIST, method: "tools/burn" }, inSession, 200, -32_601],
    ["not JSON-RPC", { hello: "world" }, inSession, 400, -32_600],
    ["a number", "5", inSession, 400, -32_600],
    ["no JSON", "{", inSession, 400, "invalid_request"],
    ["no body", "", inSession, 400, -32_700],
    [
      "a key that reaches for the prototype",
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"a":1}}',
      inSession,
      400,
      "invalid_request",
    ],
    ["too deep", "[".repeat(100) + "]".repeat(100), inSession, 400, "invalid_request"],
    ["too large", { ...LIST, params: { cursor: "x".repeat(1_100_000) } }, inSession, 413, "payload_too_large"],
    ["another type", JSON.stringify(LIST), { ...inSession, "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ["an answer that is not wanted", LIST, { ...inSession, accept: "text/html" }, 406, -32_000],
    ["no arguments but a list", { ...LIST, method: "tools/call", params: { name: "list_things", arguments: [] } }, inSession, 200, -32_602],
    ["today's version without its members", LIST, MODERN_HEADERS, 400, -32_602],
    [
      "today's unknown method",
      { ...LIST, method: "tools/burn", params: { _meta: MODERN_META } },
      { ...MODERN_HEADERS, "mcp-method": "tools/burn" },
      404,
      -32_601,
    ],
    [
      "headers that say otherwise",
      { ...LIST, params: { _meta: MODERN_META } },
      { ...MODERN_HEADERS, "mcp-method": "prompts/list" },
      400,
      -32_020,
    ],
    [
      "a version of the future",
      { ...LIST, params: { _meta: { ...MODERN_META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } } },
      { ...MODERN_HEADERS, "mcp-protocol-version": "2099-01-01" },
      400,
      -32_022,
    ],
    ["a batch of today", [{ ...LIST, params: { _meta: MODERN_META } }], MODERN_HEADERS, 400, -32_600],
  ];
  for (const [what, body, headers, status, code, method] of cases) {
    assert.deepEqual(await errorOf(await world.ask(body, headers, method)), { status, code }, what);
  }
  const wellFormed = await world.ask(LIST, inSession);
  assert.equal(wellFormed.status, 200, "the session lives on");
});

test("batches are answered where the version has them, and bounded", async (t) => {
  const world = await startMcpWorld(t);
  const headers = { "mcp-session-id": await sessionOf(world, { protocolVersion: "2025-03-26" }) };
  const batch = (length: number): object[] => Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  const answered = await world.ask(batch(20), headers);
  assert.deepEqual(
    ((await answered.json()) as { id: number }[]).map(({ id }) => id).toSorted((one, other) => one - other),
    batch(20).map((_, id) => id),
  );
  assert.deepEqual(await errorOf(await world.ask(batch(21), headers)), { status: 400, code: -32_600 });
  assert.deepEqual(await errorOf(await world.ask([...batch(1), ...batch(1)], headers)), { status: 400, code: -32_600 }, "an id twice");
});

test("an id that waits for its answer is not taken again", async (t) => {
  const slow = createSlowTool();
  const world = await startMcpWorld(t, { tools: [slow.tool] });
  const headers = { "mcp-session-id": await sessionOf(world) };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow_thing" } };
  const first = world.ask(call, headers);
  const running = await until(() => slow.calls[0]);
  assert.deepEqual(await errorOf(await world.ask(call, headers)), { status: 400, code: -32_600 });
  running.finish();
  assert.equal((await first).status, 200);
});

test("a call under way ends with its session", async (t) => {
  const slow = createSlowTool();
  const world = await startMcpWorld(t, { tools: [slow.tool] });
  const headers = { "mcp-session-id": await sessionOf(world) };
  const call = world.ask({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow_thing" } }, headers);
  const running = await until(() => slow.calls[0]);
  await world.ask(undefined, headers, "DELETE");
  assert.deepEqual(await errorOf(await call), { status: 404, code: -32_001 });
  assert.equal(running.signal.aborted, true);
});

test("a call that takes too long is given up", async (t) => {
  const slow = createSlowTool();
  const clock = createFakeClock();
  const world = await startMcpWorld(t, { tools: [slow.tool], clock });
  const headers = { "mcp-session-id": await sessionOf(world) };
  const answer = world.ask({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow_thing" } }, headers);
  const running = await until(() => slow.calls[0]);
  await clock.advance(30_000);
  const { result } = (await (await answer).json()) as { result: { isError: boolean; content: { text: string }[] } };
  assert.equal(result.isError, true);
  assert.match(result.content[0]?.text ?? "", /longer than 30 seconds/);
  assert.equal(running.signal.aborted, true);
});

test("a change whose answer does not come within two minutes may have been made", async (t) => {
  const slow = createSlowTool();
  const clock = createFakeClock();
  const grant: Grant = { id: 1, scopes: ["monitor:read", "alerts:write"], clientName: null };
  const access: McpAccess = { ...createAccess(), admit: async () => grant };
  let noted = 0;
  // It was made, and what is kept of it takes for ever.
  const onWrite = (): Promise<void> => new Promise(() => (noted += 1));
  const world = await startMcpWorld(t, { tools: [{ ...slow.tool, writes: true }], access, clock, onWrite });
  const headers = { "mcp-session-id": await sessionOf(world) };
  const answer = world.ask({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow_thing" } }, headers);
  (await until(() => slow.calls[0])).finish();
  await until(() => noted === 1);
  await clock.advance(120_000);
  const late = await answer;
  assert.equal(late.status, 503);
  assert.match(((await late.json()) as { error: { message: string } }).error.message, /may still be made: look whether it was/);
});

test("another site's page is refused for every method, a listed one and ours are not", async (t) => {
  const world = await startMcpWorld(t, { http: { corsOrigins: ["https://assistant.example"] } });
  const id = await sessionOf(world);
  for (const method of ["POST", "GET", "DELETE"]) {
    const body = method === "POST" ? LIST : undefined;
    const refused = await errorOf(await world.ask(body, { "mcp-session-id": id, origin: "https://evil.example" }, method));
    assert.deepEqual(refused, { status: 403, code: "cross_origin_refused" }, method);
  }
  assert.equal((await world.ask(LIST, { "mcp-session-id": id, origin: "https://assistant.example" })).status, 200);
  assert.equal((await world.ask(LIST, { "mcp-session-id": id, origin: world.url.origin })).status, 200);
});

/** Two people, of whom the second may only look; `paula` is known by her token. */
function createAccess(): McpAccess {
  const grants = new Map<string, Grant>([
    ["Bearer paula", { id: 1, scopes: ["monitor:read", "alerts:write"], clientName: null }],
    ["Bearer otto", { id: 2, scopes: ["monitor:read"], clientName: "plain client" }],
  ]);
  const challenge = 'Bearer resource_metadata="https://monitor.example/.well-known/oauth-protected-resource/mcp"';
  return {
    async admit(authorization) {
      const grant = grants.get(authorization ?? "");
      if (grant === undefined) throw new McpRefusal(401, { challenge, message: "A token is needed." });
      return grant;
    },
    insufficient: (scopes) =>
      new McpRefusal(403, { challenge: `${challenge}, error="insufficient_scope", scope="${scopes.join(" ")}"`, message: "Not allowed." }),
  };
}

test("without a token every method is refused with the address to get one, also with a token in the query", async (t) => {
  const world = await startMcpWorld(t, { access: createAccess() });
  for (const [method, query] of [
    ["POST", ""],
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "?access_token=paula"],
  ] as const) {
    const answer = await fetch(new URL(`/mcp${query}`, world.url), {
      method,
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...(method === "POST" ? { body: JSON.stringify(INITIALIZE) } : {}),
    });
    assert.match(answer.headers.get("www-authenticate") ?? "", /resource_metadata=/);
    assert.deepEqual(await errorOf(answer), { status: 401, code: "unauthorized" }, `${method} ${query}`);
  }
});

test("a session belongs to the grant that opened it", async (t) => {
  const world = await startMcpWorld(t, { access: createAccess() });
  const paula = { authorization: "Bearer paula" };
  const id = await sessionOf(world, paula);
  const otto = { authorization: "Bearer otto", "mcp-session-id": id };
  for (const [body, method] of [
    [LIST, "POST"],
    [undefined, "GET"],
    [undefined, "DELETE"],
  ] as const) {
    assert.deepEqual(await errorOf(await world.ask(body, otto, method)), { status: 404, code: -32_001 }, method);
  }
  assert.equal((await world.ask(LIST, { ...paula, "mcp-session-id": id })).status, 200);
  await world.mcp.endGrant(1);
  assert.deepEqual(await errorOf(await world.ask(LIST, { ...paula, "mcp-session-id": id })), { status: 404, code: -32_001 }, "taken back");
});

test("a tool that writes needs its scope, in both ages and in a batch", async (t) => {
  const world = await startMcpWorld(t, { access: createAccess() });
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "paint_thing", arguments: { thing_id: 1 } } };
  const modern = { ...call, params: { ...call.params, _meta: MODERN_META } };
  const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "paint_thing" };
  for (const [who, status] of [
    ["otto", 403],
    ["paula", 200],
  ] as const) {
    const authorization = `Bearer ${who}`;
    const headers = { authorization, "mcp-session-id": await sessionOf(world, { authorization, protocolVersion: "2025-03-26" }) };
    for (const [body, sent] of [
      [call, headers],
      [[call], headers],
      [modern, { authorization, ...modernHeaders }],
    ] as const) {
      const answer = await world.ask(body, sent);
      assert.equal(answer.status, status, `${who}: ${JSON.stringify(body)}`);
      if (status === 403)
        assert.match(answer.headers.get("www-authenticate") ?? "", /error="insufficient_scope", scope="monitor:read alerts:write"/);
      else assert.match(await answer.text(), /"painted":true/);
    }
  }
});

test("a client's name is reported once it changes", async (t) => {
  const named: [number, string][] = [];
  const world = await startMcpWorld(t, { access: createAccess(), onClientNamed: (...change) => void named.push(change) });
  await sessionOf(world, { authorization: "Bearer paula" });
  await sessionOf(world, { authorization: "Bearer otto" });
  await world.ask({ ...LIST, params: { _meta: MODERN_META } }, { authorization: "Bearer paula", ...MODERN_HEADERS });
  assert.deepEqual(named, [
    [1, "plain client"],
    [1, "plain client"],
  ]);
});

test("sessions are bounded: the one that was used longest ago ends, and an idle one does", async (t) => {
  const clock = createFakeClock();
  const world = await startMcpWorld(t, { clock });
  const ids: string[] = [];
  for (let at = 0; at < 101; at += 1) {
    ids.push(await sessionOf(world));
    await clock.advance(1);
  }
  const statusOf = async (id = ""): Promise<number> => (await world.ask(LIST, { "mcp-session-id": id })).status;
  assert.deepEqual([await statusOf(ids[0]), await statusOf(ids[1]), await statusOf(ids[100])], [404, 200, 200]);
  await clock.advance(29 * 60_000);
  assert.equal(await statusOf(ids[1]), 200);
  await clock.advance(5 * 60_000);
  assert.deepEqual([await statusOf(ids[1]), await statusOf(ids[100])], [200, 404]);
});

test("nothing of what was refused is logged as a defect", async (t) => {
  const log = createMemoryLog();
  const world = await startMcpWorld(t, { log });
  const headers = { "mcp-session-id": await sessionOf(world) };
  for (const body of ["{", "[]", "null", '{"jsonrpc":"2.0"}', LIST]) await world.ask(body, headers);
  assert.deepEqual(
    log.lines.filter(({ level }) => level === "error"),
    [],
  );
});
