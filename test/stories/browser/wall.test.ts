import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { type MeasuredServer, startMeasured } from "../../../tools/bench/child.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";

const COUNT = 150;

describe("everything that is monitored at one glance", () => {
  let server: MeasuredServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let url: string;

  before(async () => {
    [server, browser] = await Promise.all([startMeasured("containers", [String(COUNT)]), startBrowser()]);
    url = `http://127.0.0.1:${server.port}`;
    ({ page, complaints } = await openPage(browser, { reducedMotion: "reduce" }));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const tile = (name: string): Locator => page.getByRole("link", { name });

  it("has a tile for each container on the overview, with its last day, which changes as the container does", async () => {
    const wasSeen = async (): Promise<boolean> => (await (await fetch(`${url}/api/v1/overview/strips`)).text()).includes('"up"');
    // A step that has begun less than a minute ago is not in a strip yet.
    await until(wasSeen, { withinMs: 90_000, what: "that somebody watches the host" });
    await page.goto(url);
    await settled(page);
    const all = page.getByRole("region", { name: /^project-/ }).getByRole("link", { name: /: Running$/ });
    assert.equal(await all.count(), COUNT);
    await page.locator('a[title^="service-1: Running"][title*="Last 24 h: no outage"] path.fill-ok').waitFor({ state: "attached" });
    await page.getByRole("status").getByText("Live").waitFor();
    await server.ask({ change: 1, state: "exited" });
    await tile("service-1: Exited 1").waitFor();
    assert.equal(await all.count(), COUNT - 1);
  });

  it("is one stop by keys, at what is down, with arrows from there", async () => {
    await tabTo(page, tile("service-1: Exited 1"));
    await page.keyboard.press("ArrowRight");
    await focused(tile("service-41: Running"));
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "service-1" }).waitFor();
  });

  it("has a lane for each group over the last day, which opens to its things, and comes closer where it is drawn over", async () => {
    const lanes = page.getByRole("list", { name: "Timeline" });
    await page.goto(url);
    await settled(page);
    const [lane, changes] = [
      lanes.getByRole("button", { name: "project-1", exact: true }),
      page.getByRole("link", { name: "What changed in this time" }),
    ];
    await lane.click();
    await lanes.getByRole("link", { name: "service-1", exact: true }).waitFor();
    assert.equal(new URL(String(await changes.getAttribute("href")), url).searchParams.get("until"), null);
    const box = await lane.boundingBox();
    assert.ok(box !== null);
    const [x, y] = [box.x + box.width + 300, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 100, y);
    await page.mouse.up();
    await page.locator('a[href*="until="]').filter({ hasText: "What changed in this time" }).waitFor();
    await page.getByRole("button", { name: "Last 24 h", exact: true }).click();
    await page.locator('a:not([href*="until="])').filter({ hasText: "What changed in this time" }).waitFor();
    await lanes.getByRole("link", { name: "service-1", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "service-1" }).waitFor();
  });

  it("fills a screen on a wall, dark, without a frame, and turns its pages", async () => {
    await page.goto(url);
    await settled(page);
    await page.getByRole("link", { name: "Wall view" }).click();
    await page.getByRole("link", { name: "Exit", exact: true }).waitFor();
    await page.getByRole("heading", { level: 1, name: "1 container needs attention" }).waitFor();
    await page.getByRole("list", { name: "Needs attention" }).getByText("service-1", { exact: true }).waitFor();
    await page.locator('a[title*="Last 24 h: "] path').first().waitFor({ state: "attached" });
    assert.equal(await page.getByRole("navigation").count(), 0);
    const turned = page.getByText(/^Page \d of \d$/);
    const first = await turned.innerText();
    await page
      .getByText(/^Page \d of \d$/)
      .filter({ hasNotText: first })
      .waitFor({ timeout: 30_000 });
    assert.deepEqual(await looks(page, "the wall"), []);
    assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
    await page.keyboard.press("Escape");
    await page.getByRole("navigation").first().waitFor();
    await until(() => page.evaluate("!('theme' in document.documentElement.dataset)"), { what: "the theme that was chosen" });
    assert.deepEqual(complaints, []);
  });

  it("shows nothing as healthy once the server is out of reach", async () => {
    await page.goto(`${url}/wall`);
    await page.getByRole("heading", { level: 1, name: "1 container needs attention" }).waitFor();
    await server.stop();
    await page.getByRole("heading", { level: 1, name: "When last seen: 1 container needs attention" }).waitFor({ timeout: 30_000 });
    await page
      .getByRole("link", { name: /: Last known: Running$/ })
      .first()
      .waitFor();
    assert.equal(await page.getByRole("link", { name: /^[^:]+: Running$/ }).count(), 0);
  });
});
