import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { discoverOAuth, modernRequest } from "../support/mcp-oauth.ts";
import { addressOf, CLIENT, type McpProgram, startMcpProgram } from "../support/mcp-program.ts";

const NO_ENGINE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
const FOREIGN = "https://evil.example";

interface Reply {
  status: number;
  headers: string;
  body: string;
}

describe("what a stranger sends to /mcp", () => {
  let program: McpProgram;
  let token: string;
  let other: string;

  before(async () => {
    program = await startMcpProgram({ env: NO_ENGINE });
    const client = await discoverOAuth(program);
    token = (await client.authorize("monitor:read")).access_token;
    other = (await client.authorize("monitor:read")).access_token;
  });
  after(() => program?.stop());

  let requests = 0;

  /** Sends a request as it stands, from a separate address: fetch would tidy it up. */
  function send(method: string, path: string, headers: Readonly<Record<string, string>>, body = ""): Promise<Reply> {
    const all = {
      host: `127.0.0.1:${program.port}`,
      connection: "close",
      "x-forwarded-for": addressOf((requests += 1) + 0x80_00_00),
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve) => {
      const socket = connect(program.port, "127.0.0.1");
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      // A reset while we still write is an answer too: "close" follows.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        const [top = "", ...rest] = Buffer.concat(chunks).toString().split("\r\n\r\n");
        resolve({ status: Number(top.slice(9, 12)), headers: top.toLowerCase(), body: rest.join("\r\n\r\n") });
      });
      socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
      socket.write(body);
    });
  }

  const bearer = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });
  const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    send("POST", "/mcp", { ...JSON_HEADERS, ...bearer(token), ...headers }, body);
  const modern = (method: string, params: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const request = modernRequest(1, method, params);
    return send("POST", "/mcp", { ...request.headers, ...bearer(token), ...headers }, request.body);
  };
  const rpc = (method: string, params: object = {}): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const HELLO = rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "manual", version: "1" } });
  /** Begins a session in the manner of 2025. */
  async function beginSession(): Promise<Record<string, string>> {
    const { status, headers, body } = await post(HELLO);
    assert.equal(status, 200, body);
    const id = /^mcp-session-id: (\S+)/m.exec(headers)?.[1];
    assert.ok(id !== undefined, headers);
    return { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  }
  async function stillServes(): Promise<void> {
    assert.equal((await fetch(`${program.url}/api/v1/health`)).status, 200);
    assert.equal((await modern("tools/list")).status, 200);
  }

  const NESTED = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const garbage: [what: string, body: () => string, expected: RegExp][] = [
    ["nothing", () => "", /invalid_request|-32700|-32600|Mcp-Session-Id/],
    ["what is not JSON", () => "{", /invalid_request|-32700/],
    ["a number", () => "7", /-32600|-32700|invalid_request/],
    ["a thousand brackets and more", () => NESTED, /-3260|-32700|invalid_request/],
    ["no version of JSON-RPC", () => '{"id":1,"method":"tools/list"}', /-32600|-32700/],
    ["an id that is none", () => '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}', /-32600|-32700/],
    ["a method that is none", () => '{"jsonrpc":"2.0","id":1,"method":{"a":1}}', /-32600|-32700/],
    ["an empty batch", () => "[]", /-32600|-32700/],
    ["a request outside of a session", () => rpc("tools/list"), /Mcp-Session-Id/],
  ];
  for (const [what, body, expected] of garbage) {
    it(`${what}: refused`, async () => {
      const answer = await post(body());
      assert.equal(answer.status, 400, answer.body.slice(0, 500));
      assert.match(answer.body, expected);
      await stillServes();
    });
  }

  it("a message of 2 MB is refused before it was sent", async () => {
    const { status, body } = await post(rpc("tools/list"), { "content-length": "2000000" });
    assert.deepEqual([status, /payload_too_large/.test(body)], [413, true], body);
    await stillServes();
  });

  it("a batch is refused where the protocol has none", async () => {
    const batch = JSON.stringify([JSON.parse(rpc("tools/list")), JSON.parse(rpc("tools/list"))]);
    const session = await beginSession();
    const inSession = await post(batch, session);
    assert.deepEqual([inSession.status, /-32600/.test(inSession.body)], [400, true], inSession.body);
    const { headers } = modernRequest(1, "tools/list");
    const ofToday = await post(batch, headers);
    assert.equal(ofToday.status, 400, ofToday.body);
    await stillServes();
  });

  it("a method, a tool, a prompt or a resource that is not there is an answer of the protocol", async () => {
    const unknown: [method: string, params: object, expected: RegExp][] = [
      ["no/such/method", {}, /-32601/],
      ["tools/call", { name: "no_such_tool", arguments: {} }, /no_such_tool|-32602/],
      ["tools/call", { name: "__proto__", arguments: {} }, /-32602|isError/],
      ["tools/call", { name: "constructor", arguments: {} }, /-32602|isError/],
      ["prompts/get", { name: "no_such_prompt" }, /-32602/],
      ["resources/read", { uri: "binnacle://containers/999999" }, /-32002|-32602/],
      ["resources/read", { uri: "file:///etc/passwd" }, /-32002|-32602/],
      ["resources/read", { uri: "binnacle://containers/../../etc/passwd" }, /-32002|-32602/],
    ];
    const session = await beginSession();
    for (const [method, params, expected] of unknown) {
      const ofToday = await modern(method, params);
      assert.match(ofToday.body, expected, `${method} ${JSON.stringify(params)}`);
      assert.ok(ofToday.status < 500, `${method}: ${ofToday.status}`);
      const inSession = await post(rpc(method, params), session);
      assert.match(inSession.body, expected, `${method} ${JSON.stringify(params)} in a session`);
    }
    await stillServes();
  });

  it("arguments that are wrong are reported to the model, with their names", async () => {
    const wrong: [tool: string, args: unknown, expected: RegExp][] = [
      ["get_container", {}, /container_id/],
      ["get_container", { container_id: "1" }, /container_id/],
      ["get_container", { container_id: 1e300 }, /container_id/],
      ["get_container", { container_id: 1, also: true }, /also/],
      ["get_container_logs", { container_id: 1, lines: 100_000 }, /lines/],
      ["list_containers", { cursor: "after-0x7" }, /cursor/],
      ["list_containers", { limit: 1_000_000 }, /limit/],
      ["list_containers", { agent_id: "somebody" }, /agent_id/],
      ["what_changed", { since: "yesterday" }, /since/],
    ];
    for (const [name, args, expected] of wrong) {
      const { status, body } = await modern("tools/call", { name, arguments: args });
      assert.ok(status < 500, body);
      assert.match(body, expected, `${name} ${JSON.stringify(args)}`);
      assert.match(body, /"isError":true|-32602/, body);
    }
    // Nothing is revealed of what is there, but where to look.
    assert.match((await modern("tools/call", { name: "get_container", arguments: { container_id: 4711 } })).body, /list_containers/);
    await stillServes();
  });

  it("session ids that are not the sender's", async () => {
    const session = await beginSession();
    assert.equal((await post(rpc("tools/list"), session)).status, 200);
    const ids = [randomUUID(), "1", "x".repeat(4000), "../../etc/passwd", "__proto__"];
    for (const id of ids)
      for (const method of ["POST", "GET", "DELETE"]) {
        const headers = { ...JSON_HEADERS, ...bearer(token), ...session, "mcp-session-id": id };
        const { status, body } = await send(method, "/mcp", headers, method === "POST" ? rpc("tools/list") : "");
        assert.deepEqual([status, /no such session/i.test(body)], [404, true], `${method} ${id.slice(0, 40)}: ${status} ${body}`);
      }
    // Another's session is as if it were not there.
    for (const method of ["POST", "GET", "DELETE"]) {
      const headers = { ...JSON_HEADERS, ...session, ...bearer(other) };
      const { status } = await send(method, "/mcp", headers, method === "POST" ? rpc("tools/list") : "");
      assert.equal(status, 404, method);
    }
    assert.equal((await post(rpc("tools/list"), session)).status, 200);
    const ended = await send("DELETE", "/mcp", { ...JSON_HEADERS, ...bearer(token), ...session });
    assert.ok(ended.status === 200 || ended.status === 204, String(ended.status));
    assert.equal((await post(rpc("tools/list"), session)).status, 404);
    for (const method of ["GET", "DELETE"]) assert.equal((await send(method, "/mcp", { ...JSON_HEADERS, ...bearer(token) })).status, 400);
    await stillServes();
  });

  it("tokens that are none, or stand where they do not belong: 401 with where to get one, and in no log", async () => {
    const { body, headers } = modernRequest(1, "tools/list");
    const stranger = "c3RyYW5nZXItdG9rZW4tb2YtdGhlLXRlc3RzLTAwMDAwMDA";
    const attempts: [what: string, path: string, headers: Record<string, string>][] = [
      ["none", "/mcp", {}],
      ["one that was never given", "/mcp", bearer(stranger)],
      ["an empty one", "/mcp", { authorization: "Bearer " }],
      ["a long one", "/mcp", bearer("x".repeat(8000))],
      ["the client's own secret", "/mcp", bearer(CLIENT.secret)],
      ["credentials", "/mcp", { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` }],
      ["a good one in the query", `/mcp?access_token=${token}`, {}],
      ["a good one in the path", `/mcp?token=${token}`, {}],
    ];
    for (const [what, path, more] of attempts) {
      const answer = await send("POST", path, { ...headers, ...more }, body);
      assert.equal(answer.status, 401, `${what}: ${answer.body}`);
      assert.match(answer.headers, /^www-authenticate: bearer .*resource_metadata="http:\/\/127\.0\.0\.1:\d+\/\.well-known\//m, what);
    }
    for (const secret of [token, other, stranger, CLIENT.secret, btoa(`${CLIENT.id}:${CLIENT.secret}`)])
      assert.ok(!program.log().includes(secret), "a secret stands in the log");
  });

  it("another site's page, and a name that is not ours", async () => {
    const foreign = { origin: FOREIGN, "sec-fetch-site": "cross-site" };
    for (const [what, answer] of [
      ["a call", await modern("tools/list", {}, foreign)],
      ["a stream", await send("GET", "/mcp", { ...bearer(token), ...foreign, accept: "text/event-stream" })],
      ["an end", await send("DELETE", "/mcp", { ...bearer(token), ...foreign })],
    ] as const) {
      assert.equal(answer.status, 403, `${what}: ${answer.body}`);
      assert.match(answer.body, /cross_origin_refused/, what);
      assert.doesNotMatch(answer.headers, /^access-control-allow-origin:/m, what);
    }
    for (const host of ["evil.example", `evil.example:${program.port}`]) {
      const answer = await modern("tools/list", {}, { host });
      assert.equal(answer.status, 421, `${host}: ${answer.body}`);
      assert.match(answer.body, /misdirected_request/, host);
    }
    const preflight = await send("OPTIONS", "/mcp", { ...foreign, "access-control-request-method": "POST" });
    assert.doesNotMatch(preflight.headers, /^access-control-allow-origin: (\*|https:\/\/evil)/m);
  });

  it("10 requests a second and 20 at once are answered of each address, and nobody else waits", async () => {
    const { body, headers } = modernRequest(1, "tools/list");
    const from = (address: string): Promise<Reply> =>
      send("POST", "/mcp", { ...headers, ...bearer(token), "x-forwarded-for": address }, body);
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, () => from("192.0.2.7")));
    const seconds = (performance.now() - startedMs) / 1000;
    const served = answers.filter(({ status }) => status === 200).length;
    assert.ok(served >= 20 && served <= 20 + Math.ceil(10 * seconds), `${served} of 60 in ${seconds} s`);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.every(({ status, headers: received }) => status === 429 && /^retry-after: 1$/m.test(received)));
    assert.equal((await from("192.0.2.8")).status, 200);
    // The same for what guards it.
    const askedMs = performance.now();
    const asked = await Promise.all(Array.from({ length: 40 }, () => send("GET", "/oauth/authorize", { "x-forwarded-for": "192.0.2.9" })));
    const passed = asked.filter(({ status }) => status !== 429).length;
    assert.ok(passed >= 20 && passed <= 20 + Math.ceil((performance.now() - askedMs) / 100), `${passed} of 40`);
  });

  it("1,000 calls at once from 1,000 addresses are all answered, and the server keeps running", { timeout: 120_000 }, async () => {
    const call = async (number: number): Promise<string> => {
      const request = modernRequest(number, "tools/call", { name: "list_containers", arguments: {} });
      const answer = await program.fetch(program.mcpUrl, {
        method: "POST",
        headers: { ...request.headers, ...bearer(number % 2 === 0 ? token : other) },
        body: request.body,
      });
      const text = await answer.text();
      const { id, result, error } = JSON.parse(text) as { id?: number; result?: { isError?: boolean }; error?: { code: number | string } };
      if (answer.status === 200 && result !== undefined && result.isError !== true) {
        assert.equal(id, number, "an answer to somebody else");
        return "served";
      }
      // More than wait for their turn: answered so, and nothing else.
      assert.match(text, /Too many|rate_limited/, `${answer.status} ${text}`);
      assert.ok(error !== undefined || result?.isError === true);
      return "refused";
    };
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, number) => call(number + 1)));
    assert.ok(
      answers.filter((each) => each === "served").length >= 20,
      `${answers.filter((each) => each === "served").length} were served`,
    );
    assert.equal(await call(1001), "served");
    await stillServes();
    assert.equal(program.process.exitCode, null);
  });
});
