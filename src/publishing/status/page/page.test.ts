import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../../test/support/http-server.ts";
import { aComponent, anIncident, aWork, days, NOW, openStatusPage, theShop, type World } from "../../../../test/support/status-page.ts";
import { parseXml } from "../../../../test/support/xml.ts";
import { COMPONENT_STATUSES } from "../vocabulary.ts";
import { publicStatus } from "./api.ts";

function open(context: TestContext, start: Partial<World> = theShop()) {
  const { world, page, clock } = openStatusPage(start, createFakeClock(NOW));
  page.start();
  context.after(() => page.stop());
  const server = createTestServer({ routes: page.routes, clock });
  const get = async (url: string, headers: Record<string, string> = {}) => {
    // The limits of the specification are not what is tested here.
    await clock.advance(100);
    return server.fastify.inject({ url, headers });
  };
  return { world, page, clock, server, get, html: async (url = "/status/") => (await get(url)).body };
}

const PATHS = [
  "/status",
  "/status/",
  "/status/?embed=1",
  "/status/history",
  "/status/incidents/7",
  "/status/api",
  "/status/events",
  "/status/feed.atom",
  "/status/badge.svg",
  "/status/badge/2.svg",
  "/status/icon.svg",
  "/status/app.js",
];

describe("the public status page", () => {
  it("says where there is no data, in every form, and calls it neither well nor broken", async (context) => {
    const start = theShop();
    const components = start.components?.map((each) =>
      each.status === "operational" ? each : { ...each, status: "degraded" as const, observed: false, uptime: null },
    );
    const { get, html } = open(context, { ...start, components: components ?? [], works: [] });
    const page = await html();
    assert.match(page, /<li class="c" id="c-2">.*?<span class="s unknown"><svg[^>]*><use href="#i-unknown"\/><\/svg>No data<\/span>/);
    assert.match(page, /<section id="banner" class="unknown".*?There is no data for 3 of 6 services\./);
    assert.match(page, /<div class="gh" id="g-2">.*?class="s unknown"/);
    assert.ok(!/class="s degraded"/.test(page));
    const answer = (await get("/status/api")).json();
    publicStatus.parse(answer);
    assert.partialDeepStrictEqual(answer, { status: "degraded", observed: false, message: "There is no data for 3 of 6 services." });
    assert.partialDeepStrictEqual(answer.groups[0].components[1], { name: "Checkout", status: "degraded", observed: false, uptime: null });
    assert.partialDeepStrictEqual(answer.groups[0].components[0], { status: "operational", observed: true });
    for (const path of ["/status/badge.svg", "/status/badge/2.svg"]) assert.match((await get(path)).body, />no data<\/text>/);
    assert.match((await get("/status/?embed=1")).body, /No data/);
  });

  it("says what is, without any script", async (context) => {
    const { html } = open(context);
    const page = await html();
    for (const text of [
      "<title>Shop status</title>",
      "Checkout is down.",
      "3 of 6 services affected",
      "Payments fail at checkout",
      "We are rolling back.",
      "Mail server upgrade",
      "Database maintenance",
      "Partial outage",
      "99.81 %",
      "Slow search",
      "No incidents.",
      'href="/status/history"',
      'href="/status/feed.atom"',
      'href="/status/api"',
      'href="https://shop.example.org"',
      'href="https://shop.example.org/help"',
      'action="/status/subscribe"',
      'name="component-2"',
    ]) {
      assert.ok(page.includes(text), text);
    }
    assert.equal(page.match(/<svg class="b"/g)?.length, 6);
    assert.equal(page.match(/role="img" aria-label="Last 90 days: /g)?.length, 6);
    assert.deepEqual(page.match(/<script[^>]*>/g), [`<script src="${/\/status\/app\.js\?v=\w+/.exec(page)?.[0]}" defer>`]);
    assert.ok(!/ on\w+="/.test(page), "no handlers in attributes");
    for (const landmark of ["<header", "<main", "<nav", "<footer", "<h1", "<h2", 'role="status"', 'lang="en"'])
      assert.ok(page.includes(landmark), landmark);
  });

  it("is a calm page when nothing is there, and when all is well", async (context) => {
    const { html, world, clock } = open(context, {});
    assert.match(await html(), /Nothing is listed here yet\./);
    assert.match(await html(), /No services are listed yet\./);
    assert.ok(!(await html()).includes("/status/subscribe"), "no form without mails");
    world.components = [aComponent({ id: 1 })];
    world.changed();
    await clock.advance(300);
    assert.match(await html(), /All services are operational\./);
  });

  it("takes at most 50 kB with 25 components of 90 days, whatever happened on them", async (context) => {
    const components = Array.from({ length: 25 }, (_, at) =>
      aComponent({
        id: at + 1,
        groupId: (at % 4) + 1,
        name: `A service with a longer name ${at}`,
        description: "What it does for those who use it",
        uptime: 0.9987,
        days: days(
          Object.fromEntries(
            days()
              .keys()
              .map((day) => [day, (day + at) % 4 === 0 ? (COMPONENT_STATUSES[(day + at) % 5] ?? null) : "operational"]),
          ),
        ),
      }),
    );
    const groups = [1, 2, 3, 4].map((id) => ({ id, name: `Group ${id}` }));
    const { get } = open(context, { ...theShop(), groups, components });
    const { rawPayload } = await get("/status/");
    assert.ok(rawPayload.length <= 50_000, `${rawPayload.length} bytes`);
    assert.ok(rawPayload.length > 25_000, "with all that is on it");
    const compressed = await get("/status/", { "accept-encoding": "br" });
    assert.ok(compressed.rawPayload.length <= 12_000, `${compressed.rawPayload.length} bytes compressed`);
  });

  it("escapes what people wrote", async (context) => {
    const evil = `<script>alert("x")</script><b>&'`;
    const { html, get } = open(context, {
      groups: [{ id: 1, name: evil }],
      components: [aComponent({ id: 1, groupId: 1, name: evil, description: evil, status: "degraded" })],
      incidents: [
        anIncident({
          id: 7,
          title: evil,
          components: [1],
          updates: [{ id: 1, status: "investigating", message: evil, at: NOW, editedAt: null }],
        }),
      ],
      works: [aWork({ id: 1, title: evil, description: evil, components: [1] })],
      settings: { ...(theShop().settings ?? assert.fail()), title: evil, description: evil },
    });
    for (const path of ["/status/", "/status/?embed=1", "/status/history", "/status/incidents/7", "/status/incidents/8"]) {
      const page = await html(path);
      assert.ok(!/<script>|<b>&'/.test(page), path);
      assert.ok(page.includes("&#60;script&#62;alert(&#34;x&#34;)"), path);
    }
    for (const path of ["/status/feed.atom", "/status/badge.svg", "/status/badge/1.svg"]) parseXml((await get(path)).body);
  });

  it("answers with the type, the policy and the freshness that each needs", async (context) => {
    const { get } = open(context);
    const types = {
      "/status/": "text/html; charset=utf-8",
      "/status/history": "text/html; charset=utf-8",
      "/status/incidents/7": "text/html; charset=utf-8",
      "/status/api": "application/json; charset=utf-8",
      "/status/feed.atom": "application/atom+xml; charset=utf-8",
      "/status/badge.svg": "image/svg+xml",
      "/status/badge/2.svg": "image/svg+xml",
      "/status/app.js": "text/javascript; charset=utf-8",
    };
    for (const [path, type] of Object.entries(types)) {
      const { headers, statusCode } = await get(path);
      assert.equal(statusCode, 200, path);
      assert.equal(headers["content-type"], type, path);
      assert.match(String(headers["content-security-policy"]), /script-src 'self';.*frame-ancestors \*/);
      assert.equal(headers["x-frame-options"], undefined);
      assert.equal(headers["cache-control"], path === "/status/feed.atom" ? "public, max-age=60" : "no-cache");
      assert.equal(headers["access-control-allow-origin"], path === "/status/api" ? "*" : undefined);
    }
    const moved = await get("/status");
    assert.deepEqual([moved.statusCode, moved.headers.location], [301, "/status/"]);
    const script = /\/status\/app\.js\?v=\w+/.exec((await get("/status/")).body)?.[0] ?? "";
    assert.equal((await get(script)).headers["cache-control"], "public, max-age=31536000, immutable");
  });

  it("is found at its domain, once it has one", async (context) => {
    const { html, get, world, clock } = open(context);
    const linksOf = async () => [
      /<link rel="canonical" href="([^"]+)">/.exec(await html())?.[1],
      ...[...(await get("/status/feed.atom")).body.matchAll(/<link rel="(?:self|alternate)"[^>]* href="([^"]+)"/g)]
        .map(([, url]) => url)
        .slice(0, 3),
    ];
    const base = "https://status.example.org/status";
    await clock.advance(100);
    assert.deepEqual(await linksOf(), [`${base}/`, `${base}/feed.atom`, `${base}/`, `${base}/incidents/7`]);
    world.settings = { ...world.settings, domain: "status.shop.example" };
    world.settingsChanged();
    await clock.advance(100);
    const origin = "https://status.shop.example";
    assert.deepEqual(await linksOf(), [`${origin}/`, `${origin}/status/feed.atom`, `${origin}/`, `${origin}/status/incidents/7`]);
    world.settings = { ...world.settings, domain: "status.example.org" };
    world.settingsChanged();
    await clock.advance(100);
    assert.equal((await linksOf())[0], `${base}/`, "the host of the server is no domain");
  });

  it("has the font of the app, which browsers keep", async (context) => {
    const { get, html, world } = open(context);
    const url = /@font-face\{font-family:Inter;[^}]*font-display:optional;src:url\(([^)]+)\)/.exec(await html())?.[1] ?? "";
    for (const path of ["/status/", "/status/?embed=1", "/status/history", "/status/incidents/99"])
      assert.ok((await html(path)).includes(`<link rel="preload" href="${url}" as="font" crossorigin>`), path);
    const font = await get(url, { "accept-encoding": "br, gzip" });
    assert.deepEqual([font.statusCode, font.headers["content-type"], font.headers["content-encoding"]], [200, "font/woff2", undefined]);
    assert.equal(font.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(font.rawPayload.toString("latin1", 0, 4), "wOF2");
    assert.ok(font.rawPayload.length < 60_000, `${font.rawPayload.length} bytes`);
    const other = await get("/status/font.woff2?v=older");
    assert.deepEqual([other.statusCode, other.headers["cache-control"]], [200, "no-cache"]);
    assert.equal((await get("/status/font.woff2", { "if-none-match": String(font.headers.etag) })).statusCode, 304);
    world.settings = { ...world.settings, published: false };
    world.settingsChanged();
    assert.equal((await get(url)).statusCode, 200, "the pages behind the links of mails use it too");
  });

  it("sends what the reader takes: identity, gzip, brotli, or only that it has it", async (context) => {
    const { get, world, clock } = open(context);
    const plain = await get("/status/");
    const tag = String(plain.headers.etag);
    const gzip = await get("/status/", { "accept-encoding": "gzip, br;q=0" });
    const brotli = await get("/status/", { "accept-encoding": "gzip, deflate, br" });
    assert.deepEqual([gzip.headers["content-encoding"], brotli.headers["content-encoding"]], ["gzip", "br"]);
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body);
    for (const asked of [tag, `"other", ${tag}`, tag.slice(2), "*"]) {
      const { statusCode, body, headers } = await get("/status/", { "if-none-match": asked });
      assert.deepEqual([statusCode, body, headers.etag], [304, "", tag], asked);
    }
    for (const path of ["/status/api", "/status/feed.atom", "/status/badge/1.svg", "/status/history", "/status/incidents/7"]) {
      const known = await get(path, { "if-none-match": String((await get(path)).headers.etag) });
      assert.equal(known.statusCode, 304, path);
    }
    world.components = world.components.map((each) => ({ ...each, status: "operational" }));
    world.changed();
    await clock.advance(300);
    assert.equal((await get("/status/", { "if-none-match": tag })).statusCode, 200);
  });

  it("shows programs the same by its schema", async (context) => {
    const { get, world, clock } = open(context);
    const first = publicStatus.strict().parse((await get("/status/api")).json());
    assert.deepEqual(
      { status: first.status, message: first.message, groups: first.groups.map(({ name, status }) => [name, status]) },
      {
        status: "partial_outage",
        message: "Checkout is down.",
        groups: [
          ["Shop", "partial_outage"],
          ["Back office", "maintenance"],
        ],
      },
    );
    assert.deepEqual(
      first.groups[0]?.components.map(({ uptime_90d: uptimes, uptime }) => [uptimes.length, uptime]),
      [
        [90, 100],
        [90, 99.81],
        [90, 100],
      ],
    );
    assert.deepEqual(
      [first.incidents.map(({ id }) => id), first.maintenance.map(({ id, active }) => [id, active])],
      [
        [7, 5],
        [
          [1, true],
          [2, false],
        ],
      ],
    );
    assert.equal(first.updated_at, NOW.toISOString());
    await clock.advance(120_000);
    assert.equal((await get("/status/api")).json().updated_at, first.updated_at, "nothing changed");
    world.components = world.components.map((each) => ({ ...each, status: "operational" }));
    world.changed();
    await clock.advance(300);
    assert.notEqual((await get("/status/api")).json().updated_at, first.updated_at);
  });

  it("does not exist while it is not published", async (context) => {
    const { get, world, clock, server } = open(context);
    world.settings = { ...world.settings, published: false };
    world.changed();
    for (const path of PATHS) {
      assert.equal((await get(path)).statusCode, 404, path);
      await clock.advance(100);
      assert.equal((await server.fastify.inject({ method: "HEAD", url: path })).statusCode, 404, `HEAD ${path}`);
    }
    assert.equal((await get("/status/api")).headers["access-control-allow-origin"], "*", "scripts of other sites may know it");
    world.settings = { ...world.settings, published: true };
    world.settingsChanged();
    for (const path of PATHS.filter((each) => each !== "/status/events")) assert.notEqual((await get(path)).statusCode, 404, path);
  });

  it("keeps the past by month, from the first incident to today", async (context) => {
    const { get, world, clock } = open(context);
    world.incidents.push(
      anIncident({ id: 1, title: "In August", createdAt: new Date("2026-08-31T23:59:59Z"), resolvedAt: NOW, status: "resolved" }),
    );
    world.changed();
    await clock.advance(300);
    const august = await get("/status/history?month=2026-08");
    assert.match(august.body, /In August/);
    assert.match(august.body, /rel="next" href="\/status\/history\?month=2026-09"/);
    assert.ok(!august.body.includes('rel="prev"'));
    assert.match((await get("/status/history?month=2026-09")).body, /No incidents in this month\./);
    const november = await get("/status/history");
    assert.match(november.body, /Payments fail at checkout[\s\S]*Slow search/);
    assert.ok(!november.body.includes('rel="next"'));
    for (const month of ["2026-12", "2026-07", "2026-13", "x", "2026-8", "9999999999"]) {
      const { statusCode, body } = await get(`/status/history?month=${month}`);
      assert.deepEqual([statusCode, body.includes("There is nothing of this month.")], [404, true], month);
    }
  });

  it("has a page for each incident, and a sentence where there is none", async (context) => {
    const { get, world, clock } = open(context);
    assert.match((await get("/status/incidents/5")).body, /Searches take longer than usual\./);
    assert.equal((await get("/status/incidents/99")).statusCode, 404);
    assert.equal((await get("/status/incidents/x")).statusCode, 400);
    world.components = world.components.map((each) => (each.id === 3 ? { ...each, visible: false } : each));
    world.changed();
    assert.equal((await get("/status/incidents/5")).statusCode, 404, "it is about a hidden component alone, at once");
    await clock.advance(300);
    for (const path of ["/status/", "/status/api", "/status/history", "/status/feed.atom"]) {
      assert.ok(!/Search|search/.test((await get(path)).body), path);
    }
  });

  it("renders when something changed, and not when somebody looks", async (context) => {
    const { world, server, clock } = open(context);
    await clock.advance(1000);
    const before = world.boardsRead;
    for (let asked = 0; asked < 500; asked += 1) {
      const remoteAddress = `10.0.${asked >> 4}.${asked % 16}`;
      for (const url of ["/status/", "/status/api", "/status/feed.atom", "/status/badge.svg"]) {
        const { statusCode } = await server.fastify.inject({ url, remoteAddress });
        assert.equal(statusCode, 200);
      }
    }
    assert.equal(world.boardsRead, before);
    const looked = world.lookups;
    await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        server.fastify.inject({ url: "/status/incidents/7", remoteAddress: `10.1.${at >> 4}.${at % 16}` }),
      ),
    );
    assert.equal(world.lookups, looked + 1, "a page of the past is made once");

    for (let change = 0; change < 200; change += 1) world.changed();
    await clock.advance(49);
    assert.equal(world.boardsRead, before + 1, "the incident's page alone looked");
    await clock.advance(1);
    const once = world.boardsRead;
    for (let change = 0; change < 200; change += 1) {
      world.changed();
      await clock.advance(5);
    }
    // The page and the feed, each at most every 250 ms.
    assert.ok(world.boardsRead - once <= 10, `${world.boardsRead - once} in a second of changes without end`);
  });

  it("moves on at midnight by itself", async (context) => {
    const { html, clock } = open(context);
    assert.match(await html(), /datetime="2026-11-21">21 Nov/);
    clock.jump(new Date("2026-11-22T00:00:01Z"));
    await clock.advance(60_000);
    assert.match(await html(), /datetime="2026-11-22">22 Nov/);
  });

  it("says nothing of uptime where that is not wanted", async (context) => {
    const { html } = open(context, { ...theShop(), settings: { ...(theShop().settings ?? assert.fail()), showUptime: false } });
    assert.ok(!/class="b"|\d %/.test((await html()).replace(/<style>.*<\/style>/s, "")));
  });

  it("never says of a day that nothing happened when something did", async (context) => {
    const many = Array.from({ length: 30 }, (_, at) =>
      anIncident({ id: at + 1, createdAt: new Date(NOW.getTime() - at * 8 * 3_600_000), status: "resolved", resolvedAt: NOW }),
    );
    const { html } = open(context, { incidents: many });
    const page = await html();
    assert.ok(!page.includes("No incidents."));
    assert.match(page, /All incidents of this month/);
  });

  it("is short in a frame", async (context) => {
    const { html } = open(context);
    const page = await html("/status/?embed=1");
    assert.match(page, /<body class="embed">/);
    assert.match(page, /<base target="_blank">/);
    for (const absent of ["<header", "<footer", "Get updates", "Slow search"]) assert.ok(!page.includes(absent), absent);
    assert.match(page, /Checkout is down\./);
  });
});
