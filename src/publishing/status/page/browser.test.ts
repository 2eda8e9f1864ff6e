import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openPage, startBrowser } from "../../../../test/support/browser.ts";
import { createTestServer } from "../../../../test/support/http-server.ts";
import { overflow, violations } from "../../../../test/support/page-checks.ts";
import { openStatusPage, SETTINGS, theShop } from "../../../../test/support/status-page.ts";
import { until } from "../../../../test/support/until.ts";
import type { Component } from "../vocabulary.ts";

const PAGES = ["/status/", "/status/?embed=1", "/status/history", "/status/incidents/7", "/status/incidents/99"];
const PHONE = { width: 360, height: 740 };

describe("the public page in a browser", () => {
  let browser: Browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());

  async function open(context: TestContext, options: BrowserContextOptions = {}) {
    const opened = openStatusPage(theShop());
    opened.page.start();
    const server = createTestServer({ routes: opened.page.routes });
    const { url } = await server.start();
    const { page, complaints } = await openPage(browser, { timezoneId: "Europe/Berlin", ...options });
    context.after(async () => {
      await page.context().close();
      opened.page.stop();
      await server.stop();
    });
    const { world, clock } = opened;
    const change = async (what: () => void): Promise<void> => {
      what();
      world.changed();
      await clock.advance(300);
    };
    return { world, page, complaints, url, change };
  }

  /** Open and live. */
  async function visit(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.locator("html[data-live]").waitFor({ state: "attached" });
  }

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has nothing that axe minds, fits a phone, and complains of nothing, ${colorScheme}`, async (context) => {
      const { page, complaints, url, world, change } = await open(context, { colorScheme, viewport: PHONE });
      const faults: string[] = [];
      for (const accent of ["#2257c5", "#ffee00"]) {
        await change(() => {
          world.settings = { ...SETTINGS, accent };
        });
        for (const path of PAGES) {
          await page.goto(url + path);
          faults.push(...(await violations(page, path)), ...(await overflow(page, path)));
        }
        await page.goto(`${url}/status/`);
        await page.getByText("Get updates").click();
        await page.getByText("Choose services").click();
        faults.push(...(await violations(page, "form")), ...(await overflow(page, "form")));
      }
      // The page of what is not there is a 404, which the browser logs.
      assert.deepEqual([faults, complaints.filter((each) => !each.includes("/status/incidents/99"))], [[], []]);
    });
  }

  for (const colorScheme of ["light", "dark"] as const)
    it(`says that it has no data as soon as that is so, with its own shape and words, ${colorScheme}`, async (context) => {
      const { page, url, change, world, complaints } = await open(context, { colorScheme, viewport: PHONE });
      const set = (ids: readonly number[], facts: Partial<Component>): Promise<void> =>
        change(() => {
          world.components = world.components.map((each) => (ids.includes(each.id) ? { ...each, ...facts } : each));
        });
      await set([1, 2, 3, 4, 5, 6], { status: "operational" });
      await visit(page, `${url}/status/`);
      await set([1, 2, 3], { status: "degraded", observed: false, uptime: null });
      await page.getByRole("heading", { name: "There is no data for 3 of 6 services." }).waitFor();
      assert.match(await page.locator("#live").innerText(), /^Storefront: No data\. Checkout: No data\./);
      const colourOf = (id: string): Promise<string> => page.evaluate(`getComputedStyle(document.querySelector("${id} .s")).color`);
      const [none, well] = [await colourOf("#c-1"), await colourOf("#c-5")];
      await set([6], { status: "degraded" });
      await page.getByRole("heading", { name: "Imports is degraded." }).waitFor();
      assert.equal(new Set([none, well, await colourOf("#c-6")]).size, 3, "neither green nor amber");
      assert.equal(await page.locator("#c-1 use").getAttribute("href"), "#i-unknown");
      await set([6], { status: "operational" });
      await page.getByRole("heading", { name: "There is no data for 3 of 6 services." }).waitFor();
      const faults = [...(await violations(page, "no data")), ...(await overflow(page, "no data"))];
      await page.goto(`${url}/status/?embed=1`);
      faults.push(...(await violations(page, "embedded")), ...(await overflow(page, "embedded")));
      assert.deepEqual([faults, complaints], [[], []]);
    });

  it("is complete without JavaScript, its form too", async (context) => {
    const { page, url, change, world } = await open(context, { javaScriptEnabled: false });
    await page.goto(`${url}/status/`);
    assert.ok(await page.getByRole("heading", { name: "Checkout is down." }).isVisible());
    assert.equal(await page.getByRole("img", { name: /^Last 90 days: / }).count(), 6);
    assert.ok(await page.getByText("All times are UTC").isVisible());
    await page.getByText("Get updates").click();
    assert.ok(await page.getByLabel("E-mail address").isVisible());
    await change(() => {
      world.components = world.components.map((each) => ({ ...each, status: "operational" }));
    });
    await page.reload();
    assert.ok(await page.getByRole("heading", { name: "All services are operational." }).isVisible());
  });

  it("turns by itself, says so, and puts times into the reader's zone", async (context) => {
    const { page, url, change, world, complaints } = await open(context);
    await visit(page, `${url}/status/`);
    assert.ok(await page.getByText("Times are Europe/Berlin, days are UTC").isVisible());
    assert.match(await page.locator("#incidents .at time").first().innerText(), /05:11/);
    await page.evaluate("document.querySelector('#c-1').kept = true");
    await change(() => {
      world.components = world.components.map((each) => (each.id === 2 ? { ...each, status: "operational" } : each));
    });
    await page.getByRole("heading", { name: "Customer mail is under maintenance." }).waitFor();
    assert.match(await page.locator("#c-2").innerText(), /Operational/);
    assert.equal(await page.locator("#live").innerText(), "Checkout: Operational.");
    assert.equal(await page.evaluate("document.querySelector('#c-1').kept"), true, "what did not change was not touched");
    await change(() => {
      world.settings = { ...world.settings, title: "Another name" };
    });
    await page.getByRole("heading", { name: "Another name" }).waitFor({ timeout: 60_000 });
    assert.deepEqual(complaints, []);
  });

  it("catches up after the stream was away", async (context) => {
    const { page, url, change, world } = await open(context);
    await visit(page, `${url}/status/`);
    await page.context().setOffline(true);
    await change(() => {
      world.settings = { ...world.settings, published: false };
    });
    await change(() => {
      world.settings = { ...world.settings, published: true };
      world.components = world.components.map((each) => ({ ...each, status: "operational" }));
    });
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "All services are operational." }).waitFor({ timeout: 60_000 });
  });

  /** As the browser does around a page that it kept. */
  const comeBack = (page: Page): Promise<void> =>
    page.evaluate(`dispatchEvent(new Event("pagehide")); dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);

  it("is not live while what it missed cannot be fetched, and fetches it again", async (context) => {
    const { page, url, change, world } = await open(context);
    let isAway = true;
    await page.clock.install();
    await page.route(`${url}/status/`, async (route) => {
      if (route.request().resourceType() === "fetch") return isAway ? route.fulfill({ status: 503 }) : route.continue();
      // The document of an earlier version.
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/data-v="[^"]+"/, 'data-v="earlier"').replaceAll("Storefront", "Earlier");
      await route.fulfill({ response: answer, body });
    });
    const refused = page.waitForResponse((answer) => answer.status() === 503);
    await page.goto(`${url}/status/`);
    await refused;
    await page.locator("html:not([data-live])").waitFor({ state: "attached" });

    await change(() => {
      world.components = world.components.map((each) => (each.id === 2 ? { ...each, status: "operational" } : each));
    });
    await page.locator("#c-2").getByText("Operational").waitFor();
    assert.equal(await page.locator("html").getAttribute("data-v"), "earlier", "the event brought only what changed last");
    await comeBack(page);
    await page.waitForResponse((answer) => answer.status() === 503);
    assert.equal(await page.locator("html[data-live]").count(), 0);

    isAway = false;
    await page.clock.fastForward(40_000);
    await page.locator("#c-1").getByText("Storefront").waitFor();
    await page.locator("html[data-live]").waitFor({ state: "attached" });
    assert.notEqual(await page.locator("html").getAttribute("data-v"), "earlier");
  });

  it("keeps what is typed when its frame changes, and takes the frame after that", async (context) => {
    const { page, url, change, world } = await open(context);
    await visit(page, `${url}/status/`);
    await page.getByText("Get updates").click();
    await page.getByLabel("E-mail address").fill("ada@example.com");
    const fetched = page.waitForResponse((answer) => answer.request().resourceType() === "fetch");
    await change(() => {
      world.settings = { ...world.settings, title: "Another name" };
      world.components = world.components.map((each) => (each.id === 2 ? { ...each, status: "operational" } : each));
    });
    await fetched;
    await page.locator("#c-2").getByText("Operational").waitFor();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), "ada@example.com");
    await page.getByText("Get updates").click();
    await comeBack(page);
    await page.getByRole("heading", { name: "Another name" }).waitFor();
  });

  it("describes the day under the pointer", async (context) => {
    const { page, url } = await open(context);
    await visit(page, `${url}/status/`);
    const strip = page.locator("#c-2 .b");
    await strip.scrollIntoViewIfNeeded();
    const { width } = (await strip.boundingBox()) ?? assert.fail();
    const tip = page.locator("#tip", { hasText: /: major outage, 14 min out$/ });
    let moves = 0;
    // Scrolling takes it away again, and the event of that may come after the first move.
    await until(async () => {
      await strip.hover({ position: { x: width - 2 - (moves++ % 2), y: 10 } });
      return tip.isVisible();
    });
  });

  it("prints light, without what only a screen can use", async (context) => {
    const { page, url } = await open(context, { colorScheme: "dark" });
    await page.goto(`${url}/status/`);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(250, 250, 248)");
    assert.ok(!(await page.getByText("Get updates").isVisible()));
    assert.ok(await page.getByText("Checkout is down.").isVisible());
  });

  it("offers a feed that a browser can parse", async (context) => {
    const { page, url } = await open(context);
    await page.goto(`${url}/status/`);
    const root = await page.evaluate(
      "fetch('/status/feed.atom').then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, 'application/xml').documentElement.nodeName)",
    );
    assert.equal(root, "feed");
  });
});
