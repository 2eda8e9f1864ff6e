import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTestServer } from "../../test/support/http-server.ts";
import { Answer, route } from "./route.ts";

const adminToken = "correct-horse-battery";
const webRoot = mkdtempSync(join(tmpdir(), "binnacle-web-"));
mkdirSync(join(webRoot, "assets"));
writeFileSync(join(webRoot, "index.html"), "<!doctype html>app");
writeFileSync(join(webRoot, "assets", "app.js"), "code");
writeFileSync(join(webRoot, "manifest.webmanifest"), "{}");
after(() => rmSync(webRoot, { recursive: true }));

const about = { summary: "", tag: "", responses: { 200: z.unknown() }, handle: () => ({}) } as const;
const routes = [
  route({ ...about, method: "GET", path: "/api/v1/things", access: "admin" }),
  route({ ...about, method: "GET", path: "/ping/{uuid}", access: "public" }),
  route({ ...about, method: "GET", path: "/api/v1/well", access: "admin", statusForStrangers: true, handle: () => ({ version: "1.2.3" }) }),
  route({
    ...about,
    method: "GET",
    path: "/api/v1/unwell",
    access: "admin",
    statusForStrangers: true,
    handle: () => new Answer(503, { reason: "no database" }),
  }),
];
const form = { "content-type": "application/x-www-form-urlencoded" };

describe("with an admin token", () => {
  const clock = createFakeClock();
  const server = createTestServer({ routes, clock, webRoot, config: { adminToken } });
  const status = async (url: string, headers: Record<string, string> = {}) => (await server.fastify.inject({ url, headers })).statusCode;
  const login = (payload: string, to = server) => to.fastify.inject({ method: "POST", url: "/login", payload, headers: form });
  const cookieOf = (response: Awaited<ReturnType<typeof login>>) => String(response.headers["set-cookie"]).split(";")[0] ?? "";

  it("the API needs it as a bearer token", async () => {
    for (const url of ["/api/v1/things", "/api/v1/nothing", "/api/v1/openapi.json", "/metrics"]) {
      const refused = await server.fastify.inject({ url });
      assert.deepEqual([refused.statusCode, refused.json().error.code], [401, "unauthorized"], url);
      assert.match(String(refused.headers["www-authenticate"]), /^Bearer/);
    }
    assert.equal(await status("/api/v1/things", { authorization: `Bearer ${adminToken}` }), 200);
    assert.equal(await status("/api/v1/things", { authorization: `bearer ${adminToken}` }), 200);
    for (const authorization of [`Bearer ${adminToken}x`, "Bearer ", "Bearer", adminToken, `Basic ${adminToken}`]) {
      assert.equal(await status("/api/v1/things", { authorization }), 401, authorization);
    }
  });

  it("what is public stays open", async () => {
    assert.equal(await status("/ping/1"), 200);
    assert.equal(await status("/manifest.webmanifest"), 200);
    assert.equal(await status("/login"), 200);
  });

  it("a kubelet learns whether we are well, and nothing else", async () => {
    for (const [url, expected, full] of [
      ["/api/v1/well", 204, 200],
      ["/api/v1/unwell", 503, 503],
    ] as const) {
      const answer = await server.fastify.inject({ url });
      assert.deepEqual([answer.statusCode, answer.body], [expected, ""], url);
      assert.equal((await server.fastify.inject({ url, method: "HEAD" })).statusCode, expected);
      const known = await server.fastify.inject({ url, headers: { authorization: `Bearer ${adminToken}` } });
      assert.equal(known.statusCode, full);
      assert.notEqual(known.body, "");
      assert.equal(await status(url, { authorization: "Bearer wrong-horse-battery" }), 401, "who says a token is asked for the right one");
    }
  });

  it("the app leads to the form and back", async () => {
    const page = await server.fastify.inject({ url: "/containers?state=exited", headers: { accept: "text/html" } });
    assert.deepEqual([page.statusCode, page.headers["location"]], [303, "/login?next=%2Fcontainers%3Fstate%3Dexited"]);
    assert.equal(await status("/assets/app.js"), 401);
    const shown = await server.fastify.inject({ url: String(page.headers["location"]) });
    assert.match(shown.body, /name="next" value="\/containers\?state=exited"/);
    const done = await login(new URLSearchParams({ token: adminToken, next: "/containers?state=exited" }).toString());
    assert.deepEqual([done.statusCode, done.headers["location"]], [303, "/containers?state=exited"]);
    assert.match(String(done.headers["set-cookie"]), /; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = cookieOf(done);
    for (const url of ["/", "/assets/app.js", "/api/v1/things", "/metrics"])
      assert.equal(await status(url, { cookie: `a=b; ${cookie}` }), 200, url);
    assert.doesNotMatch(cookie, new RegExp(adminToken));
  });

  it("a wrong token gets its error, and cannot be tried for long", async () => {
    const guarded = createTestServer({ clock: createFakeClock(), config: { adminToken } });
    const answers = [];
    for (let count = 0; count < 11; count += 1) answers.push(await login(`token=wrong${count}&next=%2F%22%3E%3Cscript%3E`, guarded));
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [...Array.from({ length: 10 }, () => 401), 429],
    );
    assert.match(answers[0]?.body ?? "", /That is not the token/);
    assert.doesNotMatch(answers[0]?.body ?? "", /<script>/);
    assert.equal(answers[0]?.headers["set-cookie"], undefined);
  });

  it("the form leads only to paths of this site", async () => {
    for (const next of [
      "//evil.example",
      "https://evil.example/",
      "/\\evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/.//evil.example",
      "/x/..//evil.example",
      "",
    ]) {
      const { body } = await server.fastify.inject({ url: `/login?next=${encodeURIComponent(next)}` });
      assert.match(body, /name="next" value="\/"/, next);
    }
  });

  it("a session ends with the token, and cannot be forged", async () => {
    const cookie = cookieOf(await login(`token=${adminToken}`));
    const other = createTestServer({ routes, clock, config: { adminToken: "another-token-of-the-admin" } });
    assert.equal((await other.fastify.inject({ url: "/api/v1/things", headers: { cookie } })).statusCode, 401);
    for (const forged of [cookie.replace(/\.\d/, ".9"), `${cookie}x`, cookie.slice(0, -1), "binnacle_session=", "binnacle_session=1.2"]) {
      assert.equal(await status("/api/v1/things", { cookie: forged }), 401, forged);
    }
  });

  it("the cookie is for HTTPS alone when the base URL is", async () => {
    const secure = createTestServer({ config: { adminToken, baseUrl: "https://status.example.org" } });
    assert.match(String((await login(`token=${adminToken}`, secure)).headers["set-cookie"]), /; Secure$/);
  });

  it("another site cannot log a visitor in", async () => {
    const headers = { ...form, "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    assert.equal((await server.fastify.inject({ method: "POST", url: "/login", payload: `token=${adminToken}`, headers })).statusCode, 403);
  });
});

it("without an admin token there is no form", async () => {
  const server = createTestServer({ routes });
  assert.equal((await server.fastify.inject({ url: "/login" })).statusCode, 404);
  assert.equal((await server.fastify.inject({ url: "/api/v1/things" })).statusCode, 200);
});
