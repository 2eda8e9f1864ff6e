import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { startMcpWorld, type McpWorld } from "../../../test/support/mcp-core.ts";
import { type McpAccess, McpRefusal, openAccess } from "../access.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

test("a stranger learns how to become none before the body is read, whatever it is", async (t) => {
  const access: McpAccess = {
    ...openAccess,
    admit: () => Promise.reject(new McpRefusal(401, { challenge: 'Bearer resource_metadata="x"', message: "A token is needed." })),
  };
  const world = await startMcpWorld(t, { access });
  for (const [what, body, headers, method] of [
    ["a message", PING, {}, "POST"],
    ["no JSON", "{", {}, "POST"],
    ["another type", "hello", { "content-type": "text/plain" }, "POST"],
    ["2 MB", "x".repeat(2_000_000), {}, "POST"],
    ["too deep", "[".repeat(100), {}, "POST"],
    ["nothing", undefined, {}, "POST"],
    ["a body where none belongs", { hello: "world" }, {}, "DELETE"],
    ["a stream", undefined, {}, "GET"],
  ] as const) {
    const answer = await world.ask(body, headers, method);
    assert.equal(answer.headers.get("www-authenticate"), 'Bearer resource_metadata="x"', what);
    assert.deepEqual([answer.status, await answer.json()], [401, { error: { code: "unauthorized", message: "A token is needed." } }], what);
  }
});

async function statusUnder({ url }: McpWorld, host: string, method: string): Promise<string> {
  const socket = connect(Number(url.port), "127.0.0.1");
  const body = method === "POST" ? JSON.stringify(PING) : "";
  socket.write(
    `${method} /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAccept: application/json, text/event-stream\r\n` +
      `X-Forwarded-For: 192.0.2.${host.length}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? "";
}

test("a name that another site may have pointed here is refused, also where the server listens on every address", async (t) => {
  const listen = { host: "0.0.0.0", port: 0 };
  const world = await startMcpWorld(t, { http: { listen, baseUrl: "https://monitor.example.org", allowedHosts: ["box.lan"] } });
  for (const method of ["POST", "GET", "DELETE"]) {
    for (const host of ["evil.example", "monitor.example.org.evil.example"]) {
      assert.equal(await statusUnder(world, host, method), "421", `${method} ${host}`);
    }
    // Without a session there is nothing to do, which only those who are let in learn.
    for (const host of ["monitor.example.org", "box.lan:8080", "localhost:8080", "192.168.1.7:8080"]) {
      assert.equal(await statusUnder(world, host, method), "400", `${method} ${host}`);
    }
  }
});
