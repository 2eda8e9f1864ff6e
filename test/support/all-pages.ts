import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page, ViewportSize } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { demoPages } from "./demo-pages.ts";
import { visitDemo } from "./demo-visit.ts";
import { menuFaults } from "./menus.ts";
import { quickFaults, walkByTab } from "./page-faults.ts";
import { type StandingDemo, startStandingDemo } from "./standing-demo.ts";
import { themeFaults } from "./themes.ts";

/** A click that does not succeed is a fault of its page; the other pages follow. */
const ACTS_WITHIN_MS = 10_000;

export interface AllPages {
  url(): string;
  /** What `find` finds on every page of the demo in a window of this size, and what the console says meanwhile. */
  faults(viewport: ViewportSize, find: (page: Page, name: string) => Promise<string[]>): Promise<string[]>;
}

/** Declares tests of all pages of the demo, at one moment. */
export function onAllPages(title: string, body: (pages: AllPages) => void): void {
  describe(title, () => {
    let demo: StandingDemo;
    let browser: Browser;
    before(async () => {
      demo = await startStandingDemo();
      // All pages are opened in one window, whose scripts run long enough to be worth optimizing.
      browser = await startBrowser({ optimizes: true });
    });
    after(async () => {
      await browser?.close();
      await demo?.stop();
    });
    body({
      url: () => demo.url,
      async faults(viewport, find) {
        const visit = await visitDemo(browser, demo, { viewport, colorScheme: "light" });
        visit.page.setDefaultTimeout(ACTS_WITHIN_MS);
        const faults: string[] = [];
        for (const { name, ...to } of await demoPages(demo.url)) {
          const where = `${name} at ${viewport.width}`;
          try {
            await visit.go(to);
            faults.push(...(await find(visit.page, where)));
          } catch (error) {
            faults.push(`${where}: ${String(error)}`);
          }
        }
        faults.push(...visit.complaints);
        await visit.close();
        return faults;
      },
    });
  });
}

/** Declares what holds for every page in a window of this size: how it looks in both themes, its menus, and its stops of Tab. */
export function testAllPagesAt(viewport: ViewportSize): void {
  onAllPages(`all pages at ${viewport.width} px`, (pages) => {
    it("well made in both themes", async () => {
      const faults = await pages.faults(viewport, (page, name) => themeFaults(page, name, { more: () => quickFaults(page, name) }));
      assert.deepEqual(faults, []);
    });

    it("by mouse, in both themes", async () => {
      assert.deepEqual(await pages.faults(viewport, menuFaults), []);
    });

    it("by keyboard", async () => {
      assert.deepEqual(await pages.faults(viewport, walkByTab), []);
    });
  });
}
