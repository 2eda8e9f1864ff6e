import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTestServer } from "../../test/support/http-server.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { Answer, route } from "./route.ts";

const BODY = Buffer.from("ready");
const READY = Object.assign(new Answer(200, BODY, { "content-type": "text/plain", etag: '"1"', "cache-control": "no-cache" }), {
  body: BODY,
});

function open(isReady = true, config = {}, clock: Clock = systemClock) {
  let usual = 0;
  const server = createTestServer({
    config,
    clock,
    routes: [
      route({
        method: "GET",
        path: "/status/",
        summary: "",
        tag: "",
        access: "public",
        responses: { 200: "text/plain" },
        ...(isReady ? { ready: () => READY } : {}),
        handle() {
          usual += 1;
          return READY;
        },
      }),
    ],
  });
  return { server, usual: () => usual };
}

async function headersOf(url: string): Promise<Record<string, string>> {
  const { headers } = await fetch(url);
  const changing = new Set(["date", "x-request-id"]);
  return Object.fromEntries([...headers].filter(([name]) => !changing.has(name)));
}

test("an answer from memory is the answer of the usual path", async (context) => {
  const [fast, slow] = [open(), open(false)];
  const [one, other] = [await fast.server.start(), await slow.server.start()];
  context.after(() => Promise.all([fast.server.stop(), slow.server.stop()]));
  assert.deepEqual(await headersOf(`${one.url}/status/`), await headersOf(`${other.url}/status/`));
  assert.deepEqual([fast.usual(), slow.usual()], [0, 1]);
  const answer = await fetch(`${one.url}/status/`);
  assert.equal(await answer.text(), "ready");
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors \*/);
});

test("what is not plain takes the usual path", async (context) => {
  const { server, usual } = open();
  const { url } = await server.start();
  context.after(() => server.stop());
  assert.equal((await fetch(`${url}/status/?x=1`)).status, 200);
  const head = await fetch(`${url}/status/`, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "5", ""]);
  assert.equal(usual(), 2);
  assert.equal((await fetch(`${url}/status/`, { method: "POST" })).status, 405);
  assert.equal(usual(), 2);
});

test("the limits hold, and are answered as usual", async (context) => {
  // However long the requests take, nothing of what is used up comes back meanwhile.
  const { server } = open(true, {}, createFakeClock());
  const { url } = await server.start();
  context.after(() => server.stop());
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await fetch(`${url}/status/`)).status));
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
  const refused = await fetch(`${url}/status/`);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
});

test("origins that may read get their headers", async (context) => {
  const { server } = open(true, { corsOrigins: ["https://app.example"] });
  const { url } = await server.start();
  context.after(() => server.stop());
  const answer = await fetch(`${url}/status/`, { headers: { origin: "https://app.example" } });
  assert.equal(answer.headers.get("access-control-allow-origin"), "https://app.example");
});

test("answers from memory are counted", async (context) => {
  const { server } = open();
  const { url } = await server.start();
  context.after(() => server.stop());
  for (let asked = 0; asked < 3; asked += 1) await fetch(`${url}/status/`);
  assert.match(await (await fetch(`${url}/metrics`)).text(), /binnacle_http_ready_answers_total\{route="\/status\/",status="200"\} 3/);
});
