import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import type { HttpLimits } from "./http-config.ts";
import { route } from "./route.ts";
import type { HttpServer } from "./server.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(limits: Partial<HttpLimits> = {}, host = "127.0.0.1") {
  const about = { path: "/api/v1/things", summary: "", tag: "", access: "admin" } as const;
  const waiting: string[] = [];
  const aborted: string[] = [];
  const server = createTestServer({
    limits,
    config: { listen: { host, port: 0 } },
    routes: [
      route({ ...about, method: "GET", responses: { 200: z.unknown() }, handle: () => ({ ok: true }) }),
      route({
        ...about,
        method: "POST",
        responses: { 200: z.unknown() },
        body: z.strictObject({ a: z.number() }),
        handle: ({ body }) => body,
      }),
      route({
        ...about,
        method: "GET",
        path: "/api/v1/waiting",
        responses: { 200: z.unknown() },
        handle({ signal }) {
          waiting.push("asked");
          return new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              aborted.push("gone");
              resolve({});
            }),
          );
        },
      }),
    ],
  });
  servers.push(server);
  return { server, waiting, aborted, ...(await server.start()) };
}

/** Sends bytes as they are and collects what comes back until the other side closes. */
async function talk(port: number, ...parts: (string | number)[]): Promise<{ answer: string; closedAfterMs: number }> {
  const startedMs = performance.now();
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const part of parts) {
    if (typeof part === "string") socket.write(part);
    else await new Promise((resolve) => setTimeout(resolve, part));
  }
  await closed;
  return { answer, closedAfterMs: performance.now() - startedMs };
}

const GET = "GET /api/v1/things HTTP/1.1\r\nHost: localhost\r\n";

describe("a connection", () => {
  it("that sends its headers drop by drop is closed", async () => {
    const { port } = await serve({ receiveMs: 300 });
    const { answer, closedAfterMs } = await talk(port, GET, 100, "X-A: 1\r\n", 100, "X-B: 1\r\n", 100, "X-C: 1\r\n", 100, "X-D: 1\r\n");
    assert.match(answer, /^HTTP\/1\.1 408 /);
    assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/);
    assert.match(answer, /"code":"invalid_request"/);
    assert.ok(closedAfterMs < 8000);
  });

  for (const [what, path, status, code] of [
    ["what nobody takes", "/api/v1/nowhere", 404, "not_found"],
    ["more than is taken", "/api/v1/things", 413, "payload_too_large"],
  ] as const) {
    it(`that keeps sending ${what} still gets its answer, and then its end`, async () => {
      const { port } = await serve();
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`;
      const { answer, closedAfterMs } = await talk(port, head, ...Array.from({ length: 8 }, () => ["x".repeat(1_000_000), 10]).flat());
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.ok(answer.includes(code));
      assert.ok(closedAfterMs < 30_000);
    });
  }

  it("that sends its body drop by drop is closed", async () => {
    const { port } = await serve({ receiveMs: 300 });
    const head = "POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    const { answer, closedAfterMs } = await talk(port, head, 100, "{", 100, '"a"', 100, ":", 100, "1");
    assert.doesNotMatch(answer, / 200 /);
    assert.ok(closedAfterMs < 8000);
  });

  it("that says nothing is closed", async () => {
    const { port } = await serve({ receiveMs: 300 });
    assert.ok((await talk(port)).closedAfterMs < 8000);
  });

  it("that has been answered once is closed when nothing more comes", async () => {
    const { port } = await serve({ keepAliveMs: 300 });
    const { answer, closedAfterMs } = await talk(port, `${GET}\r\n`);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.ok(closedAfterMs < 8000);
  });

  const malformed: [what: string, bytes: string, status: number][] = [
    ["not HTTP", "\x16\x03\x01\x02\x00\r\n\r\n", 400],
    ["headers beyond the bound", `${GET}X-Long: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    [
      "two lengths (request smuggling)",
      "POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["no Host", "GET /api/v1/things HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an unknown method", "BREW /api/v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["a method without routes", "PROPFIND /api/v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
    ["TRACE", "TRACE /api/v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
    ["an upgrade that is not known", `${GET}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`, 200],
    ["an expectation that is not known", `${GET}Expect: the-unexpected\r\nConnection: close\r\n\r\n`, 200],
    ["HTTP/1.0 without Host", "GET /api/v1/things HTTP/1.0\r\n\r\n", 200],
  ];
  for (const [what, bytes, status] of malformed) {
    it(`with ${what} is answered ${status}, with every header`, async () => {
      const { port } = await serve();
      const { answer } = await talk(port, bytes);
      assert.match(answer, new RegExp(`^HTTP/1\\.[01] ${status} `));
      for (const header of [
        "x-content-type-options: nosniff",
        "x-frame-options: DENY",
        "referrer-policy: ",
        "content-security-policy: ",
        "x-request-id: ",
      ]) {
        assert.ok(answer.includes(`\r\n${header}`), header);
      }
      if (status !== 200) assert.match(answer, /\{"error":\{"code":"/);
    });
  }

  it("gets no second answer inside the first", async () => {
    const { port } = await serve();
    const { answer } = await talk(port, `${GET}\r\n`, 100, "\x00nonsense\r\n\r\n");
    assert.equal(answer.split("HTTP/1.1 ").length, 2);
  });

  it("that the client gives up aborts the handler's signal", async () => {
    const { port, waiting, aborted } = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /api/v1/waiting HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await until(() => waiting.length === 1);
    socket.destroy();
    await until(() => aborted.length === 1);
  });

  it("whose answer takes too long gets 503, and the work is given up", async () => {
    const { url, aborted } = await serve({ answerMs: 100 });
    const response = await fetch(`${url}/api/v1/waiting`);
    assert.equal(response.status, 503);
    await response.text();
    assert.equal(aborted.length, 1);
  });

  it("beyond the bound is dropped, and room is made for the next", async () => {
    const { port, url } = await serve({ connections: 2 });
    const idle = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    for (const socket of idle) {
      socket.on("error", () => undefined);
      socket.write(`${GET}\r\n`);
      await new Promise((resolve) => socket.once("data", resolve));
    }
    await assert.rejects(fetch(`${url}/api/v1/things`));
    await until(async () => (await fetch(`${url}/api/v1/things`).catch(() => undefined))?.ok);
  });
});

describe("connections of one client", () => {
  /** As one from this address; everybody here comes over loopback. */
  function connectionFrom(address: string): Duplex {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    return Object.assign(socket, { remoteAddress: address });
  }

  for (const [what, addressOf, other] of [
    ["an address", () => "192.0.2.1", "192.0.2.2"],
    ["an IPv6 network", (index: number) => `2001:db8::${index.toString(16)}`, "2001:db8:0:1::1"],
  ] as const)
    it(`are 256 of ${what}, and one that ends makes room for another`, async () => {
      const { server } = await serve();
      const isOpen = (socket: Duplex): boolean => {
        server.listener.servers[0]?.emit("connection", socket);
        return !socket.destroyed;
      };
      const sockets = Array.from({ length: 257 }, (_, index) => connectionFrom(addressOf(index)));
      assert.equal(sockets.filter(isOpen).length, 256);
      assert.equal(isOpen(connectionFrom(other)), true);
      const closed = once(sockets[0] ?? assert.fail(), "close");
      sockets[0]?.destroy();
      await closed;
      assert.deepEqual([isOpen(connectionFrom(addressOf(1))), isOpen(connectionFrom(addressOf(2)))], [true, false]);
    });

  it("are not counted over loopback", async () => {
    const { server } = await serve({ connectionsPerClient: 1 });
    const sockets = [connectionFrom("127.0.0.1"), connectionFrom("::1"), connectionFrom("::1")];
    for (const socket of sockets) server.listener.servers[0]?.emit("connection", socket);
    assert.ok(sockets.every(({ destroyed }) => !destroyed));
  });
});

describe("starting and stopping", () => {
  it("says in a sentence why it cannot listen", async () => {
    const { port } = await serve();
    const second = createTestServer({ config: { listen: { host: "127.0.0.1", port } } });
    await assert.rejects(second.start(), {
      name: "StartError",
      message: `Cannot listen on 127.0.0.1:${port}: another program listens there. Stop it, or choose another address with SERVICE_ADDR.`,
    });
    const nowhere = createTestServer({ config: { listen: { host: "192.0.2.1", port: 0 } } });
    await assert.rejects(nowhere.start(), /Cannot listen on 192\.0\.2\.1:0: this machine has no such address/);
  });

  it("listens on both addresses of localhost, or on one it is given", async () => {
    const { url, port } = await serve({}, "localhost");
    assert.equal((await fetch(`${url}/api/v1/things`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/things`)).status, 200);
  });

  it("waits a bounded time for pending answers, and may be called twice", async () => {
    const { server, url, waiting } = await serve({ stopMs: 200 });
    const asked = fetch(`${url}/api/v1/waiting`).catch(() => "cut off");
    await until(() => waiting.length === 1);
    const startedMs = performance.now();
    await Promise.all([server.stop(), server.stop()]);
    assert.ok(performance.now() - startedMs < 4500, "sooner than it would by itself");
    assert.equal(await asked, "cut off");
  });
});
