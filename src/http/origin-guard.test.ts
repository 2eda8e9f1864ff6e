import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createTestServer, type TestHttpConfig } from "../../test/support/http-server.ts";

import { route } from "./route.ts";

const about = { path: "/api/v1/things", summary: "", tag: "", access: "admin", responses: { 200: z.unknown() } } as const;
const routes = [route({ ...about, method: "GET", handle: () => ({}) }), route({ ...about, method: "POST", handle: () => ({}) })];

async function ask(config: TestHttpConfig, method: "GET" | "POST" | "OPTIONS", headers: Record<string, string>) {
  const server = createTestServer({ routes, config });
  const response = await server.fastify.inject({ method, url: "/api/v1/things", headers });
  return { status: response.statusCode, headers: response.headers, code: response.body === "" ? undefined : response.json().error?.code };
}

describe("Host, while bound to loopback", () => {
  const hosts: [host: string, status: number][] = [
    ["localhost:8080", 200],
    ["LOCALHOST", 200],
    ["localhost.", 200],
    ["127.0.0.1:8080", 200],
    ["127.8.8.8", 200],
    ["[::1]:8080", 200],
    ["status.example.org", 200],
    ["box.lan:8080", 200],
    ["evil.example", 421],
    ["localhost.evil.example", 421],
    ["127.0.0.1.evil.example", 421],
    ["evil.example@localhost", 421],
    ["localhost:80:80", 421],
    ["10.0.0.1", 421],
    ["0.0.0.0:8080", 421],
    ["nas", 421],
  ];
  for (const [host, status] of hosts) {
    it(`${host} is answered ${status}`, async () => {
      const config = { baseUrl: "https://status.example.org", allowedHosts: ["box.lan"] };
      const answer = await ask(config, "GET", { host });
      assert.equal(answer.status, status);
      if (status === 421) assert.equal(answer.code, "misdirected_request");
    });
  }
});

describe("Host, while bound to other addresses", () => {
  const open = { listen: { host: "0.0.0.0", port: 0 }, baseUrl: "https://status.example.org", allowedHosts: ["box.lan"] };
  for (const [host, status] of [
    ["localhost:8080", 200],
    ["status.example.org", 200],
    ["BOX.lan:8080", 200],
    ["nas:8080", 200],
    ["binnacle", 200],
    ["192.168.1.7:8080", 200],
    ["[fd00::7]:8080", 200],
    ["evil.example", 421],
    ["evil.example:8080", 421],
    ["192.168.1.7.evil.example", 421],
    ["[fd00::7].evil.example", 421],
    ["evil.example@localhost", 421],
    ["evil@nas", 421],
  ] as const) {
    it(`${host} is answered ${status}`, async () => {
      const answer = await ask(open, "GET", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" });
      assert.equal(answer.status, status);
      if (status === 421) assert.equal(answer.code, "misdirected_request");
    });
  }

  const paths: [path: string, isChecked: boolean][] = [
    ["/api/v1/things", true],
    ["/api/v1/nowhere", true],
    ["/%61pi/v1/things", true],
    ["/", true],
    ["/containers", true],
    ["/login", true],
    ["/mcp", true],
    ["/pingpong", true],
    ["/ping/1", false],
    ["/status", false],
    ["/status/badge", false],
    ["/metrics", false],
    ["/api/v1/health", false],
    ["/api/v1/ready?now", false],
    ["/api/v1/healthy", true],
    ["/api/v1/status/incidents", true],
  ];
  for (const [url, isChecked] of paths) {
    it(`is ${isChecked ? "checked" : "not checked"} for ${url}`, async () => {
      const { fastify } = createTestServer({ routes, config: open });
      const answer = await fastify.inject({ method: "GET", url, headers: { host: "evil.example" } });
      assert.equal(answer.statusCode === 421, isChecked);
    });
  }

  it("says what to set", async () => {
    const { fastify } = createTestServer({ routes, config: open });
    const answer = await fastify.inject({ method: "POST", url: "/api/v1/things", headers: { host: "evil.example" } });
    assert.match(answer.json().error.message, /SERVICE_BASE_URL.*SERVICE_ALLOWED_HOSTS/);
  });
});

describe("unsafe methods", () => {
  const host = "localhost:8080";
  const cases: [what: string, headers: Record<string, string>, status: number, config?: TestHttpConfig][] = [
    ["from a program", {}, 200],
    ["from our page", { "sec-fetch-site": "same-origin", origin: "http://localhost:8080" }, 200],
    ["from our page behind a proxy that rewrites Host", { "sec-fetch-site": "same-origin", origin: "https://status.example.org" }, 200],
    ["typed into the browser", { "sec-fetch-site": "none" }, 200],
    ["from another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
    ["from a sibling site", { "sec-fetch-site": "same-site", origin: "http://other.localhost:8080" }, 403],
    ["from another site that sends no Origin", { "sec-fetch-site": "cross-site" }, 403],
    ["from another site in an old browser", { origin: "https://evil.example" }, 403],
    ["from another port in an old browser", { origin: "http://localhost:9090" }, 403],
    ["from our page in an old browser", { origin: "http://localhost:8080" }, 200],
    ["from a sandboxed page", { origin: "null" }, 403],
    [
      "from the base URL",
      { "sec-fetch-site": "cross-site", origin: "https://status.example.org" },
      200,
      { baseUrl: "https://status.example.org" },
    ],
    [
      "from a listed origin",
      { "sec-fetch-site": "cross-site", origin: "https://app.example" },
      200,
      { corsOrigins: ["https://app.example"] },
    ],
    ["from any origin under *", { "sec-fetch-site": "cross-site", origin: "https://app.example" }, 403, { corsOrigins: "*" }],
  ];
  for (const [what, headers, status, config] of cases) {
    it(`${what}: ${status}`, async () => assert.equal((await ask(config ?? {}, "POST", { host, ...headers })).status, status));
  }

  it("only: reading from another site is the browser's business", async () => {
    assert.equal((await ask({}, "GET", { host, "sec-fetch-site": "cross-site", origin: "https://evil.example" })).status, 200);
  });
});

describe("CORS", () => {
  const origin = "https://app.example";
  const preflight = { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" };

  it("unset: no header at all", async () => {
    for (const [method, headers] of [
      ["GET", { origin }],
      ["OPTIONS", preflight],
    ] as const) {
      const answer = await ask({}, method, headers);
      assert.deepEqual(
        Object.keys(answer.headers).filter((name) => /^(access-control|vary)/.test(name)),
        [],
      );
    }
  });

  it("*: any origin may read", async () => {
    const answer = await ask({ corsOrigins: "*" }, "GET", { origin });
    assert.equal(answer.headers["access-control-allow-origin"], "*");
    assert.equal(answer.headers["vary"], undefined);
    assert.equal((await ask({ corsOrigins: "*" }, "OPTIONS", preflight)).headers["access-control-allow-methods"], "GET, HEAD");
  });

  it("a list: those origins, and Vary: Origin always", async () => {
    const config = { corsOrigins: ["https://other.example", origin] };
    const listed = await ask(config, "GET", { origin });
    assert.deepEqual([listed.headers["access-control-allow-origin"], listed.headers["vary"]], [origin, "Origin"]);
    const stranger = await ask(config, "GET", { origin: "https://evil.example" });
    assert.deepEqual([stranger.headers["access-control-allow-origin"], stranger.headers["vary"]], [undefined, "Origin"]);
    const allowed = await ask({ ...config, adminToken: "the-token-of-the-admin" }, "OPTIONS", preflight);
    assert.deepEqual([allowed.status, allowed.headers["access-control-allow-methods"]], [204, "GET, HEAD, POST"]);
    const refused = await ask(config, "OPTIONS", { ...preflight, origin: "https://evil.example" });
    assert.deepEqual([refused.status, refused.headers["access-control-allow-methods"]], [204, undefined]);
  });
});
