import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { EVERYWHERE_READ, FIRST_READ } from "../../../web/preload.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startStandingDemo, type StandingDemo } from "../../support/standing-demo.ts";

/** Chromium complains of what was preloaded for nothing some seconds after the page is loaded. */
const COMPLAINT_MS = 6000;
const STREAM = "/api/v1/containers/events";
/** What Chromium calls a request that a link began. */
const PRELOADED = "other";

describe("the first view of a page", () => {
  let browser: Browser;
  let demo: StandingDemo;
  before(async () => void ([browser, demo] = await Promise.all([startBrowser(), startStandingDemo()])));
  after(() => Promise.all([browser?.close(), demo?.stop()]));

  async function visit(address: string) {
    const { page } = await openPage(browser);
    await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
    const asked: { path: string; by: string }[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push({ path: request.url().slice(demo.url.length), by: request.resourceType() }));
    page.on("console", (message) => message.text().includes("preload") && complaints.push(message.text()));
    await page.goto(demo.url + address);
    await page.getByRole("status").getByText("Live").waitFor();
    return {
      page,
      complaints,
      first: asked.slice(
        0,
        asked.findIndex(({ path }) => path.startsWith(STREAM)),
      ),
    };
  }

  it("asks for the page's scripts and data before the app begins, and for nothing in vain", async () => {
    await Promise.all(
      Object.entries(FIRST_READ).map(async ([address, reads]) => {
        const { page, complaints, first } = await visit(address);
        for (const read of [...EVERYWHERE_READ, ...reads]) {
          const found = first.find(({ path }) => path === `/api/v1/${read}`);
          assert.equal(found?.by, PRELOADED, `${address} reads ${read}`);
        }
        const scripts = first.filter(({ path }) => path.endsWith(".js")).map(({ path }) => path);
        assert.equal(new Set(scripts).size, scripts.length, address);
        assert.ok(
          scripts.findIndex((path) => path.includes("-page-")) < first.findIndex(({ by }) => by === "fetch"),
          `${address} asks for its own script first`,
        );
        await page.waitForTimeout(COMPLAINT_MS);
        assert.deepEqual(complaints, [], address);
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
});
