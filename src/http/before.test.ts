import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { ServiceError } from "../platform/errors.ts";
import { Answer, route } from "./route.ts";

/** So long that it is compressed. */
const LONG = "a talker ".repeat(1000);

/** A route that lets in who says `friend`, and breaks for who says `odd`. */
async function start(t: TestContext) {
  const handled: unknown[] = [];
  const server = createTestServer({
    routes: [
      route({
        method: "POST",
        path: "/api/v1/things",
        summary: "",
        tag: "",
        access: "admin",
        async before({ headers: { authorization } }) {
          if (authorization === "odd") throw new ServiceError("conflict", "Odd.");
          if (authorization === "talker") return new Answer(401, { who: LONG });
          return authorization === "friend" ? undefined : new Answer(401, { who: "a stranger" }, { "www-authenticate": "Bearer" });
        },
        body: z.strictObject({ a: z.number() }),
        responses: { 200: z.unknown() },
        handle({ body }) {
          handled.push(body);
          return body;
        },
      }),
    ],
  });
  const { url, port } = await server.start();
  t.after(() => server.stop());
  const post = (authorization: string, body: string, type = "application/json") =>
    fetch(`${url}/api/v1/things`, { method: "POST", body, headers: { authorization, "content-type": type } });
  return { port, post, handled };
}

describe("what a route asks before the body", () => {
  for (const [what, body, type, statusOfFriend] of [
    ["one that is right", '{"a":1}', "application/json", 200],
    ["one that breaks the schema", '{"b":1}', "application/json", 400],
    ["no JSON", "{", "application/json", 400],
    ["another type", "hello", "text/plain", 415],
    ["one that is too large", "x".repeat(2_000_000), "application/json", 413],
    ["none", "", "application/json", 400],
  ] as const) {
    it(`answers whatever the body is: ${what}`, async (t) => {
      const { post, handled } = await start(t);
      const refused = await post("stranger", body, type);
      assert.deepEqual([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
      assert.deepEqual(await refused.json(), { who: "a stranger" });
      assert.match(refused.headers.get("x-request-id") ?? "", /^[\da-f-]{36}$/);
      assert.equal((await post("odd", body, type)).status, 409);
      assert.deepEqual(handled, []);
      assert.equal((await post("friend", body, type)).status, statusOfFriend);
    });
  }

  it("is the whole answer when it is compressed first, too", async (t) => {
    const { post, handled } = await start(t);
    const refused = await post("talker", '{"a":1}');
    assert.deepEqual([refused.status, refused.headers.has("content-encoding")], [401, true]);
    assert.deepEqual(await refused.json(), { who: LONG });
    assert.deepEqual(handled, []);
  });

  it("is answered while the body has not come yet", async (t) => {
    const { port } = await start(t);
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n");
    assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it("is not lost on a client that closes and keeps sending", async (t) => {
    const { port } = await start(t);
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    socket.on("error", () => undefined);
    const head = "POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    socket.write(`${head}Content-Length: 9000000\r\n\r\n`);
    for (let part = 0; part < 8; part += 1) socket.write("x".repeat(1_000_000));
    await once(socket, "close");
    assert.match(answer, /^HTTP\/1\.1 401 [^]*a stranger/);
  });
});
