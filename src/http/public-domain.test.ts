import assert from "node:assert/strict";
import { request } from "node:http";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { createTestServer, type TestHttpConfig } from "../../test/support/http-server.ts";
import type { AuditedOperation } from "./audit.ts";
import { Answer, route } from "./route.ts";

const DOMAIN = "status.example.com";
const PAGE = Buffer.from("the page");
const READY = Object.assign(new Answer(200, PAGE, { "content-type": "text/plain" }), { body: PAGE });

const about = { summary: "", tag: "", responses: { 200: z.unknown() } } as const;
const text = { ...about, access: "public", responses: { 200: "text/plain" } } as const;
const routes = [
  route({
    ...text,
    method: "GET",
    path: "/status/",
    ready: () => READY,
    handle: ({ query }) => `the page, ${JSON.stringify(query)}`,
    query: z.object({ embed: z.string().optional() }),
  }),
  route({ ...text, method: "GET", path: "/status/api", handle: () => "the JSON" }),
  route({ ...about, access: "public", method: "POST", path: "/status/subscribe", form: true, handle: () => ({}) }),
  route({ ...about, access: "public", method: "POST", path: "/ping/{uuid}", params: z.object({ uuid: z.string() }), handle: () => ({}) }),
  route({ ...about, access: "admin", method: "GET", path: "/api/v1/things", handle: () => ({}) }),
  route({ ...about, access: "admin", method: "POST", path: "/api/v1/things", handle: () => ({}) }),
  route({ ...about, access: "open", method: "GET", path: "/api/v1/health", handle: () => ({}) }),
  route({ ...about, access: "public", method: "POST", path: "/mcp", handle: () => ({}) }),
];

interface Asked {
  method?: string;
  path?: string;
  host?: string;
  headers?: Record<string, string>;
}

/** A server on a port, asked under any host name. */
async function open(context: TestContext, { domain = DOMAIN as string | null, config = {} as TestHttpConfig } = {}) {
  const refused: AuditedOperation[] = [];
  const audit = { record: async (...operations: AuditedOperation[]) => void refused.push(...operations) };
  const world = { domain };
  const server = createTestServer({ routes, config, audit, publicDomain: () => world.domain });
  const { port } = await server.start();
  context.after(() => server.stop());
  function ask({
    method = "GET",
    path = "/",
    host = DOMAIN,
    headers = {},
  }: Asked): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
    return new Promise((resolve, reject) => {
      const asked = request({ port, method, path, headers: { host, accept: "text/html", ...headers } }, (answer) => {
        let body = "";
        answer.on("data", (chunk: Buffer) => (body += String(chunk)));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }));
      });
      asked.on("error", reject);
      asked.end();
    });
  }
  return { ask, world, refused };
}

describe("the domain of the public status page", () => {
  it("shows the page at its root and below /status", async (context) => {
    const { ask } = await open(context);
    const root = await ask({});
    assert.deepEqual([root.status, root.body], [200, "the page"]);
    assert.match(String(root.headers["content-security-policy"]), /frame-ancestors \*/, "as the page has it elsewhere");
    assert.equal(root.headers["x-frame-options"], undefined);
    assert.deepEqual(
      [(await ask({ path: "/?embed=1" })).body, (await ask({ path: "/status/api" })).body],
      ['the page, {"embed":"1"}', "the JSON"],
    );
    assert.equal((await ask({ method: "HEAD" })).status, 200);
    assert.equal((await ask({ method: "POST", path: "/status/subscribe" })).status, 200);
    assert.equal((await ask({ method: "DELETE" })).status, 405, "as the page answers it elsewhere");
  });

  for (const host of [DOMAIN, `${DOMAIN}:443`, "Status.Example.COM", `${DOMAIN}.`, `${DOMAIN}.:8443`])
    it(`has nothing else of the server, as ${host}`, async (context) => {
      // Each request comes from another address, so that the limits do not matter.
      const { ask } = await open(context, { config: { trustedProxies: { includes: () => true } } });
      assert.equal((await ask({ host })).body, "the page");
      let clients = 0;
      for (const path of [
        "/api/v1/things",
        "/api/v1/health",
        "/api/v1/openapi.json",
        "/%61pi/v1/things",
        "//api/v1/things",
        "/status/../api/v1/things",
        "/status/%2e%2e/api/v1/things",
        "/statuspage",
        "/status-page",
        "/status;/api/v1/things",
        "/containers",
        "/index.html",
        "/assets/app.js",
        "/manifest.webmanifest",
        "/login",
        "/metrics",
        "/mcp",
        "/oauth/authorize",
        "/.well-known/oauth-authorization-server",
        "/ping/1",
        `http://${DOMAIN}/api/v1/things`,
      ])
        for (const method of ["GET", "POST", "OPTIONS"]) {
          clients += 1;
          const { status, headers } = await ask({ host, method, path, headers: { "x-forwarded-for": `10.0.0.${clients}` } });
          assert.equal(status, 404, `${method} ${path}`);
          assert.equal(headers["allow"], undefined, `${method} ${path}`);
        }
    });

  it("answers 404 before it asks who comes, and keeps nothing of it", async (context) => {
    const { ask, refused } = await open(context, { config: { adminToken: "correct-horse-battery" } });
    const headers = { authorization: "Bearer correct-horse-battery", "content-type": "application/json" };
    for (const method of ["GET", "POST"]) {
      assert.equal((await ask({ method, path: "/api/v1/things" })).status, 404);
      assert.equal((await ask({ method, path: "/api/v1/things", headers })).status, 404);
    }
    assert.deepEqual(refused, []);
  });

  it("has the limits of the public", async (context) => {
    const { ask } = await open(context);
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await ask({ path: "/api/v1/things" })).status));
    assert.deepEqual([...new Set(statuses)].sort(), [404, 429]);
  });

  it("leaves every other name as it is", async (context) => {
    const { ask, world } = await open(context, { config: { baseUrl: "https://binnacle.example.com" } });
    for (const host of ["localhost", "127.0.0.1:8080", "binnacle.example.com"]) {
      assert.equal((await ask({ host, path: "/api/v1/things" })).status, 200, host);
      assert.notEqual((await ask({ host })).body, "the page", host);
    }
    for (const host of [`x${DOMAIN}`, `${DOMAIN}.evil.example`, `evil@${DOMAIN}`, "evil.example"])
      assert.equal((await ask({ host, path: "/api/v1/things" })).status, 421, host);
    world.domain = null;
    assert.equal((await ask({ path: "/api/v1/things" })).status, 421, "it is nobody's name once it is taken away");
    assert.equal((await ask({})).status, 421);
    world.domain = "other.example.com";
    assert.equal((await ask({ host: "other.example.com" })).body, "the page");
    assert.equal((await ask({})).status, 421);
  });

  it("is what a trusted proxy says that it was asked for, and what Host says, whichever is the domain", async (context) => {
    const trusting = await open(context, { config: { trustedProxies: { includes: () => true } } });
    for (const forwarded of [DOMAIN, `${DOMAIN}:443`, `${DOMAIN}, inner.example`, `elsewhere.example, ${DOMAIN}`]) {
      const headers = { "x-forwarded-host": forwarded };
      assert.equal((await trusting.ask({ host: "localhost", headers })).body, "the page", forwarded);
      assert.equal((await trusting.ask({ host: "localhost", path: "/api/v1/things", headers })).status, 404, forwarded);
    }
    const escaping = { "x-forwarded-host": "localhost" };
    assert.equal((await trusting.ask({ path: "/api/v1/things", headers: escaping })).status, 404, "no header leads out of it");
    const { ask } = await open(context);
    assert.equal((await ask({ host: "localhost", path: "/api/v1/things", headers: { "x-forwarded-host": DOMAIN } })).status, 200);
  });
});
