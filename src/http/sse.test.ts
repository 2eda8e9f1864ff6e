import assert from "node:assert/strict";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { after, afterEach, describe, it } from "node:test";
import { z } from "zod";
import { listen } from "../../test/support/event-source.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog, createTestServer } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import { ServiceError } from "../platform/errors.ts";
import type { HttpServer } from "./server.ts";
import { route } from "./route.ts";
import { encodeEvent, openEventStream } from "./sse.ts";
import type { EventStream } from "./sse.ts";

type Run = (stream: EventStream) => Promise<void>;

const servers: HttpServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
after(() => assert.equal(servers.length, 0));

async function serve(run: Run, options: Parameters<typeof createTestServer>[0] = {}) {
  const about = { method: "GET", summary: "", tag: "", stream: true, responses: { 200: "text/event-stream" } } as const;
  const farewell = { event: "resync", data: {} };
  const server = createTestServer({
    routes: [
      route({ ...about, path: "/api/v1/stream", access: "admin", handle: () => openEventStream(run, { farewell }) }),
      route({ ...about, path: "/status/events", access: "public", handle: async () => openEventStream(run) }),
      route({ ...about, path: "/api/v1/log", access: "admin", handle: () => openEventStream(run, { isLog: true }) }),
    ],
    ...options,
  });
  servers.push(server);
  const { port, url } = await server.start();
  return { server, port, url: `${url}/api/v1/stream`, publicUrl: `${url}/status/events`, logUrl: `${url}/api/v1/log` };
}

/** A client that sends a request and reads only when asked to. */
async function openSocket(port: number, path = "/api/v1/stream"): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.setEncoding("utf8").on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
  socket.on("data", (chunk: string) => (text += chunk));
  return { socket, text: () => text };
}

describe("an event stream", () => {
  it("sends events with their ids, and ends with its run", async () => {
    const { url } = await serve(async (stream) => {
      await stream.send({ id: "1", event: "log", data: { text: "a\nb" } });
      await stream.send({ event: "end", data: { reason: "stopped" } });
    });
    const client = await listen(url);
    await client.wait(({ type }) => type === "end");
    assert.deepEqual(
      client.events.map(({ id, type, data }) => [id, type, data]),
      [
        ["1", "log", { text: "a\nb" }],
        [undefined, "end", { reason: "stopped" }],
      ],
    );
  });

  it("has the headers of every response, and those that keep proxies from holding it back", async () => {
    const { url } = await serve(async () => undefined);
    const { headers } = await fetch(url);
    assert.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-accel-buffering"), "no");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.ok(headers.get("x-request-id"));
  });

  it("sends a failure as an event", async () => {
    const log = createMemoryLog();
    const failures = [new ServiceError("runtime_unavailable", "The engine is gone."), new Error("secret")];
    const { url } = await serve(() => Promise.reject(failures.shift()), { log });
    const known = await (await listen(url)).wait(({ type }) => type === "error");
    assert.deepEqual(known.data, { code: "runtime_unavailable", message: "The engine is gone." });
    const defect = await (await listen(url)).wait(({ type }) => type === "error");
    assert.equal(defect.data["code"], "internal");
    assert.doesNotMatch(JSON.stringify(defect.data), /secret/);
    assert.equal(log.lines.length, 1);
  });

  it("aborts its signal when the client leaves", async () => {
    let stream: EventStream | undefined;
    const { url } = await serve((opened) => {
      stream = opened;
      return new Promise((resolve) => opened.signal.addEventListener("abort", () => resolve()));
    });
    const client = await listen(url);
    client.close();
    await until(() => stream?.signal.aborted);
  });

  it("is not opened for a client that left before it began", async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    let given: AbortSignal | undefined;
    let ran = false;
    const server = createTestServer({
      routes: [
        route({
          method: "GET",
          path: "/api/v1/late",
          summary: "",
          tag: "",
          access: "admin",
          stream: true,
          responses: { 200: "text/event-stream" },
          async handle({ signal }) {
            given = signal;
            await waiting;
            return openEventStream(async () => {
              ran = true;
            });
          },
        }),
      ],
    });
    servers.push(server);
    const { port } = await server.start();
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /api/v1/late HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await until(() => given);
    socket.destroy();
    await until(() => given?.aborted);
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(ran, false);
    assert.match((await server.fastify.inject({ url: "/metrics" })).body, /event_streams 0/);
  });

  it("is kept alive by a comment every 15 seconds", async () => {
    const clock = createFakeClock();
    const { port } = await serve((stream) => new Promise((resolve) => stream.signal.addEventListener("abort", () => resolve())), { clock });
    const { text } = await openSocket(port);
    await clock.advance(14_999);
    assert.doesNotMatch(text(), /keep-alive\n/);
    await clock.advance(1);
    await until(() => text().includes(": keep-alive\n\n"));
    await clock.advance(15_000);
    await until(() => text().split(": keep-alive\n\n").length === 3);
  });

  it("is not ended by the request timeout", async () => {
    const clock = createFakeClock();
    const { url } = await serve(
      async (stream) => {
        await new Promise<void>((resolve) => clock.after(60_000, resolve));
        await stream.send({ event: "late", data: 1 });
      },
      { clock },
    );
    const client = await listen(url);
    await clock.advance(60_000);
    await client.wait(({ type }) => type === "late");
  });

  it("ends at once when the server stops", async () => {
    const { server, url } = await serve(() => new Promise(() => undefined));
    const client = await listen(url);
    const startedMs = performance.now();
    await server.stop();
    assert.ok(performance.now() - startedMs < 4500, "sooner than it would by itself");
    client.close();
  });

  it("waits for a client that reads slowly", async () => {
    let sent = 0;
    const event = { event: "log", data: "x".repeat(10_000) };
    const { port } = await serve(async (stream) => {
      for (; sent < 5_000 && !stream.signal.aborted; sent += 1) await stream.send(event);
    });
    const { socket, text } = await openSocket(port);
    socket.pause();
    let before = -1;
    await until(() => before === (before = sent) && sent > 0, { everyMs: 200 });
    assert.ok(sent < 5_000, "the run waits, and nothing piles up");
    socket.resume();
    await until(() => sent === 5_000 && text().endsWith("0\r\n\r\n"), { withinMs: 60_000 });
    assert.equal(text().split("event: log").length - 1, 5_000);
  });

  it("sends many events together, and waits for a slow client between two writes", async () => {
    let sent = 0;
    const events = function* () {
      for (; sent < 5_000; sent += 1) yield { event: "log", data: { number: sent, text: "x".repeat(10_000) } };
    };
    const { port } = await serve((stream) => stream.sendAll(events()));
    const { socket, text } = await openSocket(port);
    socket.pause();
    let before = -1;
    await until(() => before === (before = sent) && sent > 0, { everyMs: 200 });
    assert.ok(sent < 5_000, "all were made for a client that read none");
    socket.resume();
    await until(() => text().endsWith("0\r\n\r\n"), { withinMs: 60_000 });
    const numbers = [...text().matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: 5_000 }, (_, number) => number),
    );
  });

  it("cuts a client that lets too much pile up, and sends it the reason when it reads again", async () => {
    let stream: EventStream | undefined;
    const { port } = await serve((opened) => {
      stream = opened;
      return new Promise((resolve) => opened.signal.addEventListener("abort", () => resolve()));
    });
    const { socket, text } = await openSocket(port);
    socket.pause();
    const frames = encodeEvent({ event: "big", data: "x".repeat(100_000) });
    let pushes = 0;
    while (stream?.signal.aborted === false && pushes < 2_000) {
      stream.push(frames);
      pushes += 1;
      if (pushes % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(stream?.signal.aborted, true);
    assert.ok(pushes < 1_000, `cut after ${pushes} pushes`);
    socket.resume();
    await until(() => text().includes("event: resync"));
  });

  it("does not cut a client that reads, for one event larger than what may wait", async () => {
    const big = encodeEvent({ event: "big", data: "x".repeat(3_000_000) });
    const small = encodeEvent({ event: "small", data: "" });
    let cut = false;
    const { url } = await serve(async (stream) => {
      for (let round = 0; round < 5; round += 1) {
        stream.push(small);
        stream.push(big);
        await stream.drained();
      }
      cut = stream.signal.aborted;
      stream.push(encodeEvent({ event: "end", data: {} }));
    });
    const client = await listen(url);
    await client.wait(({ type }) => type === "end");
    assert.equal(cut, false);
    assert.deepEqual(
      client.events.map(({ type }) => type),
      [...Array.from({ length: 5 }, () => ["small", "big"]).flat(), "end"],
    );
  });

  it("cuts a client that reads nothing between two keep-alives", async () => {
    const clock = createFakeClock();
    let stream: EventStream | undefined;
    let sent = 0;
    const { port } = await serve(
      async (opened) => {
        stream = opened;
        for (; !opened.signal.aborted; sent += 1) await opened.send({ event: "log", data: "x".repeat(50_000) });
      },
      { clock },
    );
    const { socket } = await openSocket(port);
    socket.pause();
    // Until the system takes no more for it.
    let [before, same] = [-1, 0];
    await until(() => (same = before === (before = sent) ? same + 1 : 0) === 3, { everyMs: 100 });
    await clock.advance(15_000);
    assert.equal(stream?.signal.aborted, false);
    await clock.advance(15_000);
    assert.equal(stream?.signal.aborted, true);
    await clock.advance(10_000);
    await until(async () => (await servers[0]?.fastify.inject({ url: "/metrics" }))?.body.includes("event_streams 0"));
  });

  it("is refused to one client of public routes that has too many, and to no other", async () => {
    const { publicUrl } = await serve(() => new Promise(() => undefined), {
      limits: { publicStreamsPerClient: 2 },
      config: { trustedProxies: { includes: (address) => address === "127.0.0.1" } },
    });
    const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });
    const [first] = [await listen(publicUrl, from("2001:db8::1")), await listen(publicUrl, from("2001:db8::2"))];
    await assert.rejects(listen(publicUrl, from("2001:db8::3")), /429/);
    await listen(publicUrl, from("2001:db8:0:1::1"));
    first.close();
    await until(async () => {
      try {
        return await listen(publicUrl, from("2001:db8::3"));
      } catch {
        return undefined;
      }
    });
  });

  it("is refused where too many logs are followed, and others are not", async () => {
    const { url, logUrl } = await serve(() => new Promise(() => undefined), {
      limits: { logStreams: 3, logStreamsPerClient: 2 },
      config: { trustedProxies: { includes: (address) => address === "127.0.0.1" } },
    });
    const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });
    const [first] = [await listen(logUrl, from("192.0.2.1")), await listen(logUrl, from("192.0.2.1"))];
    const refused = await fetch(logUrl, { headers: from("192.0.2.1") });
    assert.deepEqual([refused.status, /"rate_limited","message":"Too many logs are followed/.test(await refused.text())], [429, true]);
    await listen(logUrl, from("192.0.2.2"));
    await assert.rejects(listen(logUrl, from("192.0.2.3")), /429/);
    await listen(url, from("192.0.2.1"));
    first.close();
    await until(() => listen(logUrl, from("192.0.2.3")).catch(() => undefined));
  });

  it("is refused when too many are open, the public's first", async () => {
    const { url, publicUrl } = await serve(() => new Promise(() => undefined), { limits: { streams: 3, publicStreams: 1 } });
    const open = [await listen(publicUrl)];
    const refused = await fetch(publicUrl);
    assert.equal(refused.status, 429);
    assert.deepEqual(z.object({ error: z.object({ code: z.string(), message: z.string() }) }).parse(await refused.json()).error, {
      code: "rate_limited",
      message: "Too many event streams are open. Close one, or try again later.",
    });
    open.push(await listen(url), await listen(url));
    assert.equal((await fetch(url)).status, 429);
    for (const each of open) each.close();
    await until(async () => {
      const response = await fetch(publicUrl);
      await response.body?.cancel();
      return response.status === 200;
    });
  });
});
