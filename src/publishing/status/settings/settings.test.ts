import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { declaredRoutes } from "../../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { createMemoryLog, createTestServer } from "../../../../test/support/http-server.ts";
import type { Event } from "../../../events.ts";
import { createBus } from "../../../platform/bus.ts";
import type { Database } from "../../../storage/database.ts";
import { createSettings } from "./index.ts";

const PATH = "/api/v1/status/settings";
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

function dataUrl(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString("base64")}`;
}

const ANY_HOST = { allowedHosts: ["nas.example.org"], listen: { host: "0.0.0.0", port: 0 } };

function dependencies(database: Database) {
  return { database, bus: createBus<Event>(createMemoryLog()), clock: createFakeClock(), baseUrl: "https://status.example.org" };
}

async function open(database: Database) {
  const shared = dependencies(database);
  const events: Event[] = [];
  shared.bus.subscribe("test", (event) => void events.push(event));
  const settings = createSettings(shared);
  await settings.start();
  const server = createTestServer({ routes: settings.routes });
  return { settings, server, events, routes: declaredRoutes(server, settings.routes) };
}

onBothDatabases((databases) => {
  describe("settings of the status page", () => {
    it("begin with a published page, and are kept", async () => {
      const database = await databases.create();
      const { routes, events, settings } = await open(database);
      const first = await routes.check("GET", PATH);
      assert.deepEqual(
        { published: first["published"], title: first["title"], has_logo: first["has_logo"], public_url: first["public_url"] },
        { published: true, title: "Status", has_logo: false, public_url: "https://status.example.org/status/" },
      );
      let changes = 0;
      settings.onChange(() => (changes += 1));
      const body = { title: "Shop", accent: "#FF8800", homepage_url: "https://shop.example.org", published: false, show_uptime: false };
      const changed = await routes.check("PUT", PATH, {}, body);
      assert.deepEqual({ ...changed, ...body, accent: "#ff8800", updated_at: "2026-03-01T12:00:00.000Z" }, changed);
      assert.deepEqual(
        events.map(({ type }) => type),
        ["status.settings_updated"],
      );
      assert.equal(changes, 1);

      const again = await open(database);
      assert.deepEqual(await again.routes.check("GET", PATH), changed);
      assert.equal(again.settings.current().feedId, settings.current().feedId, "ids of the feed stay");
    });

    it("change only what is sent, and take links away with null", async () => {
      const { routes } = await open(await databases.create());
      await routes.check("PUT", PATH, {}, { title: "Shop", support_url: "https://shop.example.org/help" });
      const { title, support_url: support } = await routes.check("PUT", PATH, {}, { support_url: null, description: "All of it" });
      assert.deepEqual({ title, support }, { title: "Shop", support: null });
    });

    it("have a domain, with which the addresses of the page begin", async () => {
      const database = await databases.create();
      const { routes, settings } = await open(database);
      assert.deepEqual([settings.domain(), (await routes.check("GET", PATH))["domain"]], [null, null]);
      const changed = await routes.check("PUT", PATH, {}, { domain: "Status.Example.COM" });
      assert.deepEqual([changed["domain"], changed["public_url"]], ["status.example.com", "https://status.example.com/"]);
      assert.equal(settings.domain(), "status.example.com");
      assert.equal((await routes.check("PUT", PATH, {}, { title: "Shop" }))["domain"], "status.example.com", "it stays");
      assert.equal((await open(database)).settings.domain(), "status.example.com");
      const asThatOfTheServer = createSettings({ ...dependencies(database), baseUrl: "https://status.example.com" });
      await asThatOfTheServer.start();
      assert.equal(asThatOfTheServer.domain(), null, "a base URL that came to be the same keeps the app");

      const { domain, public_url: url } = await routes.check("PUT", PATH, {}, { domain: null });
      assert.deepEqual([domain, url, settings.domain()], [null, "https://status.example.org/status/", null]);
    });

    it("refuse a domain that is none, or a name of the app", async () => {
      const { routes, settings } = await open(await databases.create());
      for (const [domain, message] of [
        ["https://status.example.com", /^Must not have a scheme/],
        ["status.example.com/page", /^Must not have a path/],
        ["status.example.com/", /^Must not have a path/],
        ["status.example.com:8443", /^Must not have a port/],
        ["192.0.2.1", /not an IP address$/],
        ["2001:db8::1", /not an IP address$/],
        ["status", /^Must have a dot/],
        ["localhost", /^Must have a dot/],
        ["bücher.example", /^Must be in its ASCII form/],
        ["", /^Must be a host name/],
        ["status.example.com.", /^Must be a host name/],
        ["-status.example.com", /^Must be a host name/],
        ["status_page.example.com", /^Must be a host name/],
        ["status..example.com", /^Must be a host name/],
        ["status.example.com, other.example.com", /^Must be a host name/],
        [`${"a".repeat(64)}.example.com`, /^Must be a host name/],
        [`${"a.".repeat(126)}com`, /^Must have at most 253 characters/],
      ] as const) {
        const { status, body } = await routes.ask("PUT", PATH, { domain });
        const { code, details } = body["error"] as { code: string; details: { path: string; message: string }[] };
        assert.deepEqual([status, code, details.map(({ path }) => path)], [400, "validation_failed", ["domain"]], domain);
        assert.match(details[0]?.message ?? "", message, domain);
      }
      for (const [domain, headers, message] of [
        ["status.example.org", {}, /SERVICE_BASE_URL/],
        ["STATUS.example.org", {}, /SERVICE_BASE_URL/],
        ["nas.example.org", { host: "nas.example.org:8080" }, /that you use now/],
        ["nas.example.org", { host: "localhost", origin: "https://nas.example.org" }, /that you use now/],
      ] as const) {
        const { fastify } = createTestServer({ routes: settings.routes, config: ANY_HOST });
        const answer = await fastify.inject({
          method: "PUT",
          url: PATH,
          headers: { "sec-fetch-site": "same-origin", ...headers },
          payload: { domain },
        });
        const { code, details } = answer.json().error;
        assert.deepEqual([answer.statusCode, code, details[0].path], [409, "unusable_values", "domain"], domain);
        assert.match(details[0].message, message);
      }
      for (const domain of ["xn--bcher-kva.example", "a.b.c.example.com", "status.example.xn--p1ai", "1.example"])
        assert.equal((await routes.check("PUT", PATH, {}, { domain }))["domain"], domain);
    });

    it("clean texts, and refuse what is none", async () => {
      const { routes } = await open(await databases.create());
      const { title } = await routes.check("PUT", PATH, {}, { title: " <b>Shop</b>\u202e\u200f \u0007status " });
      assert.equal(title, "<b>Shop</b> status");
      for (const [body, path] of [
        [{ title: "\u202e" }, "title"],
        [{ title: "x".repeat(101) }, "title"],
        [{ accent: "red" }, "accent"],
        [{ accent: "#12345" }, "accent"],
        [{ homepage_url: "javascript:alert(1)" }, "homepage_url"],
        [{ support_url: "data:text/html,x" }, "support_url"],
        [{ feed_id: "x" }, "feed_id"],
        [{ logo: "data:image/svg+xml;base64,PHN2Zz4=" }, "logo"],
        [{ logo: dataUrl("image/png", Buffer.from("<script>alert(1)</script>")) }, "logo"],
        [{ logo: dataUrl("image/png", Buffer.concat([PNG, Buffer.alloc(100_000)])) }, "logo"],
      ] as const) {
        const { status, body: answer } = await routes.ask("PUT", PATH, body);
        const { code, details } = answer["error"] as { code: string; details: { path: string }[] };
        // Its bytes show whether it is a picture, and a small one.
        const refusal = "logo" in body && body.logo.startsWith("data:image/png") ? [409, "unusable_values"] : [400, "validation_failed"];
        assert.deepEqual([status, code, details[0]?.path], [...refusal, path], JSON.stringify(body).slice(0, 80));
      }
    });

    it("take a logo of 100 kB, and none that is a byte larger", async () => {
      const { routes, server } = await open(await databases.create());
      const largest = Buffer.concat([PNG, Buffer.alloc(100_000 - PNG.length)]);
      const { logo_url: url } = await routes.check("PUT", PATH, {}, { logo: dataUrl("image/png", largest) });
      const { status, body } = await routes.ask("PUT", PATH, { logo: dataUrl("image/png", Buffer.concat([largest, Buffer.alloc(1)])) });
      assert.equal(status, 409);
      assert.partialDeepStrictEqual(body, { error: { details: [{ path: "logo", message: "Must be at most 100 kB" }] } });
      assert.deepEqual((await server.fastify.inject({ url: String(url) })).rawPayload, largest);
    });

    it("serve the logo as what its bytes are, while the page is published", async () => {
      const { routes, server } = await open(await databases.create());
      assert.equal((await routes.ask("GET", "/status/logo")).status, 404);
      const { logo_url: url } = await routes.check("PUT", PATH, {}, { logo: dataUrl("image/jpeg", PNG) });
      const logo = await server.fastify.inject({ url: String(url) });
      assert.equal(logo.statusCode, 200);
      assert.deepEqual(logo.rawPayload, PNG);
      assert.equal(logo.headers["content-type"], "image/png");
      assert.equal(logo.headers["x-content-type-options"], "nosniff");
      assert.equal(logo.headers["cache-control"], "public, max-age=31536000, immutable");
      const known = await server.fastify.inject({ url: "/status/logo?v=old", headers: { "if-none-match": String(logo.headers["etag"]) } });
      assert.equal(known.statusCode, 304);
      assert.equal(known.headers["cache-control"], "no-cache");
      // A proxy that compresses makes tags weak.
      const listed = { "if-none-match": `"other", W/${String(logo.headers["etag"])}` };
      assert.equal((await server.fastify.inject({ url: "/status/logo", headers: listed })).statusCode, 304);

      await routes.check("PUT", PATH, {}, { published: false });
      assert.equal((await routes.ask("GET", "/status/logo")).status, 404);
      await routes.check("PUT", PATH, {}, { published: true, logo: null });
      assert.equal((await routes.ask("GET", "/status/logo")).status, 404);
    });
  });
});
