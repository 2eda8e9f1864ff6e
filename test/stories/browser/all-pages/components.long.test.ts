import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { DESKTOP, PHONE, startBrowser } from "../../../support/browser.ts";
import { startGallery, visitGallery } from "../../../support/gallery.ts";
import { menuFaults } from "../../../support/menus.ts";
import { overflow } from "../../../support/page-checks.ts";
import { quickFaults } from "../../../support/page-faults.ts";
import { themeFaults } from "../../../support/themes.ts";

const SIZES = [PHONE, { width: 1024, height: 768 }, DESKTOP, { width: 1920, height: 1080 }];

describe("all components in all sizes and both themes", () => {
  let gallery: Awaited<ReturnType<typeof startGallery>>;
  let browser: Browser;
  before(async () => {
    gallery = await startGallery();
    browser = await startBrowser({ optimizes: true });
  });
  after(async () => {
    await browser?.close();
    await gallery?.stop();
  });

  for (const viewport of SIZES) {
    it(`well made at ${viewport.width}`, async () => {
      const { page, complaints, close } = await visitGallery(browser, gallery, { viewport, colorScheme: "light" });
      const where = `the components at ${viewport.width}`;
      const faults = await themeFaults(page, where, { more: () => quickFaults(page, where) });
      faults.push(...(await menuFaults(page, where)));
      for (const button of await page.locator("[data-window]").all()) {
        const name = `${where}: ${await button.textContent()}`;
        await button.click();
        await page.getByRole("dialog").waitFor();
        faults.push(...(await themeFaults(page, name, { more: () => overflow(page, name) })));
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
      }
      await close();
      assert.deepEqual([...faults, ...complaints], []);
    });
  }
});
