import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { DESKTOP, PHONE, startBrowser } from "../../support/browser.ts";
import { demoPages } from "../../support/demo-pages.ts";
import { type DemoVisit, visitDemo } from "../../support/demo-visit.ts";
import { startGallery, visitGallery } from "../../support/gallery.ts";
import { tabThrough } from "../../support/keyboard.ts";
import { overflow, painted, violations } from "../../support/page-checks.ts";
import { beginWalk, markStop, quickFaults, smallTargets, unreached } from "../../support/page-faults.ts";
import { type StandingDemo, startStandingDemo } from "../../support/standing-demo.ts";
import { routeAt, webRoutes } from "../../support/web-routes.ts";

const SIZES = [PHONE, { width: 1024, height: 768 }, DESKTOP, { width: 1920, height: 1080 }];
const SHAPES = SIZES.flatMap((viewport) =>
  (["light", "dark"] as const).map((colorScheme) => ({ name: `${viewport.width}-${colorScheme}`, viewport, colorScheme })),
);
/** What a window of these sizes shows at 200 %. */
const ZOOMED = [
  { width: 1440 / 2, height: 900 / 2 },
  { width: 1024 / 2, height: 768 / 2 },
];
/** The demo is neither a cluster nor a swarm: these pages say so at one address. */
const ABSENT = /^\/(?:kubernetes|swarm)\//;

describe("all pages in all sizes and themes", () => {
  let demo: StandingDemo;
  let browser: Browser;
  before(async () => {
    demo = await startStandingDemo();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await demo?.stop();
  });

  /** What `find` finds on every page, and what the console says. */
  async function faultsOfAll(visit: DemoVisit, find: (name: string) => Promise<string[]>): Promise<string[]> {
    const faults: string[] = [];
    for (const { name, ...to } of await demoPages(demo.url)) {
      await visit.go(to);
      faults.push(...(await find(name).catch((error: unknown) => [`${name}: ${String(error)}`])));
    }
    faults.push(...visit.complaints);
    await visit.close();
    return faults;
  }

  it("every page of the app is among them", async () => {
    const routes = webRoutes();
    const opened = new Set((await demoPages(demo.url)).map(({ path }) => routeAt(path.replace(/\?.*/, ""), routes)));
    assert.deepEqual(
      routes.filter((route) => !opened.has(route) && !ABSENT.test(route)),
      [],
    );
  });

  for (const shape of SHAPES) {
    it(`well made at ${shape.name}`, async () => {
      const visit = await visitDemo(browser, demo, shape);
      const faults = await faultsOfAll(visit, async (name) => [
        ...(await quickFaults(visit.page, `${name} at ${shape.name}`)),
        ...(await violations(visit.page, `${name} at ${shape.name}`)),
      ]);
      assert.deepEqual(faults, []);
    });
  }

  it("what a finger presses on a phone is 40 px high", async () => {
    const visit = await visitDemo(browser, demo, { viewport: PHONE, colorScheme: "light" });
    assert.deepEqual(await faultsOfAll(visit, (name) => smallTargets(visit.page, name)), []);
  });

  // A theme changes the colours of the focus alone: each is walked at two sizes.
  for (const shape of SHAPES.filter(({ name }) => ["390-dark", "1024-light", "1440-dark", "1920-light"].includes(name))) {
    it(`by keyboard at ${shape.name}`, async () => {
      const visit = await visitDemo(browser, demo, shape);
      const faults = await faultsOfAll(visit, async (name) => {
        await beginWalk(visit.page);
        await tabThrough(visit.page, () => markStop(visit.page));
        return unreached(visit.page, `${name} at ${shape.name}`);
      });
      assert.deepEqual(faults, []);
    });
  }

  for (const shape of SHAPES.filter(({ name }) => ["390-light", "1440-dark"].includes(name))) {
    it(`by mouse at ${shape.name}`, async () => {
      const visit = await visitDemo(browser, demo, shape);
      assert.deepEqual(await faultsOfAll(visit, (name) => openMenus(visit.page, `${name} at ${shape.name}`)), []);
    });
  }

  for (const viewport of ZOOMED) {
    it(`at 200 % of ${viewport.width * 2} px`, async () => {
      const visit = await visitDemo(browser, demo, { viewport, colorScheme: "light" });
      assert.deepEqual(await faultsOfAll(visit, (name) => overflow(visit.page, `${name} at 200 %`)), []);
    });
  }
});

describe("all components in all sizes and themes", () => {
  let gallery: Awaited<ReturnType<typeof startGallery>>;
  let browser: Browser;
  before(async () => {
    gallery = await startGallery();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.stop();
  });

  for (const shape of SHAPES) {
    it(`well made at ${shape.name}`, async () => {
      const { page, complaints, close } = await visitGallery(browser, gallery, shape);
      const where = `the components at ${shape.name}`;
      const faults = [...(await quickFaults(page, where)), ...(await violations(page, where)), ...(await openMenus(page, where))];
      for (const button of await page.locator("[data-window]").all()) {
        await button.click();
        await page.getByRole("dialog").waitFor();
        const name = `${where}: ${await button.textContent()}`;
        faults.push(...(await violations(page, name)), ...(await overflow(page, name)));
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
      }
      await close();
      assert.deepEqual([...faults, ...complaints], []);
    });
  }
});

/** Opens every menu of the page with the mouse, and closes it with Escape. */
async function openMenus(page: Page, where: string): Promise<string[]> {
  const faults: string[] = [];
  const buttons = page.locator("button[aria-haspopup=menu]:visible");
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index);
    const name = `${where}: ${(await button.textContent()) || (await button.getAttribute("aria-label"))}`;
    await button.click();
    await page.getByRole("menu").waitFor();
    await painted(page);
    faults.push(...(await violations(page, name, "[role=menu]")), ...(await overflow(page, name)));
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
  }
  return faults;
}
