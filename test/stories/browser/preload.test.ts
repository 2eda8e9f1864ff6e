import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { EVERYWHERE_READ, FIRST_READ } from "../../../web/preload.ts";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { shifts } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startStandingDemo, type StandingDemo } from "../../support/standing-demo.ts";

const LATE_MS = 1500;
/** As the bench of the app has it for the list of containers. */
const MOST_MOVED = 0.02;
const STREAM = "/api/v1/containers/events";
/** What Chromium calls a request that a link began. */
const PRELOADED = "other";
/** Pages that read nothing early but what all pages do. */
const OTHERS = ["/alerts", "/wall", "/settings", "/kubernetes", "/swarm"];
// What runs in the page is text: programs of Node know no page.
const NOTE_FETCHES = `
  globalThis.fetched = [];
  const { fetch } = globalThis;
  globalThis.fetch = (url, options) => {
    fetched.push(String(url));
    return fetch(url, options);
  };`;

describe("the first view of a page", () => {
  let browser: Browser;
  let demo: StandingDemo;
  before(async () => void ([browser, demo] = await Promise.all([startBrowser(), startStandingDemo()])));
  after(() => Promise.all([browser?.close(), demo?.stop()]));

  async function visit(address: string) {
    const { page } = await openPage(browser);
    await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
    const asked: { path: string; by: string }[] = [];
    page.on("request", (request) => asked.push({ path: request.url().slice(demo.url.length), by: request.resourceType() }));
    await page.addInitScript({ content: NOTE_FETCHES });
    await page.goto(demo.url + address);
    await until(() => asked.some(({ path }) => path.startsWith(STREAM)), { withinMs: 15_000, what: "the stream" });
    return {
      page,
      first: asked.slice(
        0,
        asked.findIndex(({ path }) => path.startsWith(STREAM)),
      ),
    };
  }

  it("asks for the page's scripts and data before the app begins, and for nothing in vain", async () => {
    await Promise.all(
      [...Object.keys(FIRST_READ), ...OTHERS].map(async (address) => {
        const reads = FIRST_READ[address] ?? [];
        const { page, first } = await visit(address);
        const fetched: string[] = await page.evaluate("fetched");
        for (const read of [...EVERYWHERE_READ, ...reads]) {
          const found = first.find(({ path }) => path === `/api/v1/${read}`);
          assert.equal(found?.by, PRELOADED, `${address} reads ${read}`);
          assert.ok(fetched.includes(`/api/v1/${read}`), `${address} does not read ${read}`);
        }
        const scripts = first.filter(({ path }) => path.endsWith(".js")).map(({ path }) => path);
        assert.equal(new Set(scripts).size, scripts.length, address);
        const own = first.findIndex(({ path }) => /(page|pages|tab)-[^/]+\.js$/.test(path));
        assert.ok(own >= 0 && own < first.findIndex(({ by }) => by === "fetch"), `${address} asks for its own script first`);
        await page.context().close();
      }),
    );
  });

  it("asks for no data that an address with a query may not read", async () => {
    const { first } = await visit("/containers?state=running");
    const data = first.filter(({ path, by }) => by === PRELOADED && path.startsWith("/api/"));
    assert.deepEqual(
      data.map(({ path }) => path),
      EVERYWHERE_READ.map((read) => `/api/v1/${read}`),
    );
  });

  it("reads nothing twice: its events begin where its answers end", async () => {
    const { page } = await openPage(browser);
    await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
    const asked: string[] = [];
    page.on("request", (request) => request.resourceType() !== PRELOADED && asked.push(request.url().slice(demo.url.length)));
    await page.goto(demo.url);
    await page.getByRole("status").getByText("Live").waitFor();
    // The results of checks, which are not repeated, are read again last.
    await until(() => asked.filter((path) => path === "/api/v1/endpoints").length > 1, { withinMs: 15_000, what: "the endpoints" });
    assert.match(asked.find((path) => path.startsWith(STREAM)) ?? "", /\?last_event_id=[0-9a-f]{12}-\d+$/);
    assert.equal(asked.filter((path) => path === "/api/v1/runtime/status").length, 1);
    await page.context().close();
  });

  it("loads the preview of the status page once", async () => {
    const { page } = await openPage(browser);
    await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
    let loads = 0;
    page.on("request", (request) => (loads += request.url() === `${demo.url}/status/` ? 1 : 0));
    await page.goto(`${demo.url}/status-page`);
    await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
    assert.equal(loads, 1);
    await page.context().close();
  });

  it("moves nothing on the overview, whichever of its answers comes late", async () => {
    for (const late of ["resources/hosts", "channels", "runtime/status"]) {
      const { page } = await openPage(browser, { viewport: PHONE });
      await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
      await page.route(`**/api/v1/${late}`, async (route) => {
        await sleep(LATE_MS);
        await route.continue();
      });
      await page.goto(demo.url);
      await page.getByText("All monitors").waitFor();
      await page.getByRole("status").getByText("Live").waitFor();
      const moved = await shifts(page);
      assert.ok(moved <= MOST_MOVED, `${moved} when ${late} is late`);
      await page.context().close();
    }
  });

  it("opens a window also when the server has gone since", async () => {
    const { heartbeats } = (await (await fetch(`${demo.url}/api/v1/heartbeats`)).json()) as { heartbeats: { id: number }[] };
    const { page } = await openPage(browser);
    const isLoaded = page.waitForResponse(/\/assets\/dialog-window-/);
    await page.goto(`${demo.url}/heartbeats/${heartbeats[0]?.id}`);
    await isLoaded;
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete this heartbeat?" }).waitFor();
    await page.context().close();
  });
});
