import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../contract/time.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTestServer } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import { route } from "./route.ts";
import type { HttpServer } from "./server.ts";
import { openEventStream } from "./sse.ts";

const adminToken = "correct-horse-battery";
const about = { summary: "", tag: "", access: "admin" } as const;
const routes = [
  route({ ...about, method: "GET", path: "/api/v1/things", responses: { 200: z.unknown() }, handle: () => ({}) }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/stream",
    stream: true,
    responses: { 200: "text/event-stream" },
    handle: () =>
      openEventStream(async (stream) => {
        await stream.send({ event: "hello", data: {} });
        await new Promise((resolve) => stream.signal.addEventListener("abort", resolve));
      }),
  }),
];

function open(config: { baseUrl?: string } = {}) {
  const clock = createFakeClock();
  const server = createTestServer({ routes, clock, config: { adminToken, ...config } });
  const inject = server.fastify.inject.bind(server.fastify);
  return {
    clock,
    server,
    async login(): Promise<string> {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return cookieOf(await inject({ method: "POST", url: "/login", payload: `token=${adminToken}`, headers }));
    },
    things: (cookie: string) => inject({ url: "/api/v1/things", headers: { cookie } }),
    logout: (cookie: string) => inject({ method: "POST", url: "/logout", headers: { cookie } }),
    endAll: (headers: Record<string, string>) => inject({ method: "DELETE", url: "/api/v1/sessions", headers }),
  };
}

function cookieOf({ headers }: { headers: Record<string, unknown> }): string {
  return String(headers["set-cookie"] ?? "").split(";")[0] ?? "";
}

describe("a session of the login form", () => {
  it("is worth nothing once it was logged out of, wherever its cookie was copied to", async () => {
    const { login, things, logout } = open();
    const [one, other] = [await login(), await login()];
    const copy = one;
    assert.equal((await things(copy)).statusCode, 200);
    const out = await logout(one);
    assert.equal(out.statusCode, 303);
    assert.match(String(out.headers["set-cookie"]), /=; Max-Age=0/);
    assert.equal((await things(copy)).statusCode, 401);
    assert.equal((await things(other)).statusCode, 200, "the other session stays");
  });

  it("ends with all others when all are ended, and a new one begins", async () => {
    const { clock, login, things, endAll } = open();
    const cookies = [await login(), await login()];
    assert.equal((await endAll({})).statusCode, 401);
    assert.equal((await endAll({ authorization: `Bearer ${adminToken}` })).statusCode, 204);
    for (const cookie of cookies) assert.equal((await things(cookie)).statusCode, 401);
    await clock.advance(1);
    assert.equal((await things(await login())).statusCode, 200);
  });

  it("ends with all others also when the clock was ahead at its login, and a new one begins when it was at the end", async () => {
    const { clock, login, things, endAll } = open();
    const all = { authorization: `Bearer ${adminToken}` };
    const start = clock.now().getTime();
    clock.jump(new Date(start + HOUR_MS));
    const early = await login();
    clock.jump(new Date(start));
    await endAll(all);
    assert.equal((await things(early)).statusCode, 401);
    clock.jump(new Date(start + 2 * HOUR_MS));
    assert.equal((await things(early)).statusCode, 401, "also once the clock is there");
    await endAll(all);
    clock.jump(new Date(start + HOUR_MS));
    const [one, other] = [await login(), await login()];
    assert.equal((await things(one)).statusCode, 200);
    await endAll(all);
    await endAll(all);
    assert.equal((await things(other)).statusCode, 401);
  });

  it("slides for seven days, is renewed at most once an hour, and ends after thirty", async () => {
    const { clock, login, things } = open();
    const first = await login();
    clock.jump(new Date(clock.now().getTime() + HOUR_MS - 1000));
    assert.equal((await things(first)).headers["set-cookie"], undefined);
    clock.jump(new Date(clock.now().getTime() + 6 * DAY_MS));
    let cookie = cookieOf(await things(first));
    assert.notEqual(cookie, "");
    clock.jump(new Date(clock.now().getTime() + 2 * DAY_MS));
    assert.equal((await things(first)).statusCode, 401, "seven days after it was last renewed");
    for (let days = 8; days < 30; days += 1) {
      const answer = await things(cookie);
      assert.equal(answer.statusCode, 200, `day ${days}`);
      cookie = cookieOf(answer) || cookie;
      clock.jump(new Date(clock.now().getTime() + DAY_MS));
    }
    assert.equal((await things(cookie)).statusCode, 401, "thirty days after its login");
  });

  it("is over at the end of its seven days, to the millisecond", async () => {
    const { clock, login, things } = open();
    const cookie = await login();
    const endsAtMs = clock.now().getTime() + 7 * DAY_MS;
    clock.jump(new Date(endsAtMs - 1));
    assert.equal((await things(cookie)).statusCode, 200);
    clock.jump(new Date(endsAtMs));
    assert.equal((await things(cookie)).statusCode, 401);
  });

  it("that is renewed stays the one that logout ends", async () => {
    const { clock, login, things, logout } = open();
    const first = await login();
    clock.jump(new Date(clock.now().getTime() + 2 * HOUR_MS));
    const renewed = cookieOf(await things(first));
    await logout(renewed);
    assert.equal((await things(first)).statusCode, 401);
  });

  it("has a cookie bound to this host under https", async () => {
    const { login } = open({ baseUrl: "https://status.example.org" });
    assert.match(await login(), /^__Host-binnacle_session=/);
    const { server } = open({ baseUrl: "https://status.example.org" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await server.fastify.inject({ method: "POST", url: "/login", payload: `token=${adminToken}`, headers });
    assert.match(String(answer.headers["set-cookie"]), /; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  it("takes its open streams with it", async () => {
    const { server, login, logout } = open();
    const { url } = await server.start();
    try {
      const [one, other] = [await login(), await login()];
      const streams = { one: await read(url, one), other: await read(url, other), token: await readAs(url, `Bearer ${adminToken}`) };
      await logout(one);
      await until(() => streams.one.ended());
      assert.deepEqual([streams.other.ended(), streams.token.ended()], [false, false]);
      assert.equal((await fetch(`${url}/api/v1/stream`, { headers: { cookie: one } })).status, 401);
      await endAllBy(server);
      await until(() => streams.other.ended());
      assert.equal(streams.token.ended(), false);
    } finally {
      await server.stop();
    }
  });

  it("is looked at again by its open streams each day", async () => {
    const { server, clock, login } = open();
    const { url } = await server.start();
    try {
      const stream = await read(url, await login());
      await clock.advance(DAY_MS);
      await until(() => stream.ended());
    } finally {
      await server.stop();
    }
  });
});

async function endAllBy({ fastify }: HttpServer): Promise<void> {
  await fastify.inject({ method: "DELETE", url: "/api/v1/sessions", headers: { authorization: `Bearer ${adminToken}` } });
}

function read(url: string, cookie: string) {
  return readFrom(url, { cookie });
}

function readAs(url: string, authorization: string) {
  return readFrom(url, { authorization });
}

/** An open stream, after its first event. */
async function readFrom(url: string, headers: Record<string, string>) {
  const answer = await fetch(`${url}/api/v1/stream`, { headers });
  assert.equal(answer.status, 200);
  const reader = answer.body?.getReader();
  assert.ok(reader !== undefined);
  await reader.read();
  let ended = false;
  void (async () => {
    while (!(await reader.read()).done);
  })()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return { ended: () => ended };
}
