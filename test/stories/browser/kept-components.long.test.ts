import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { compareWithKept, keptNames, SHAPES } from "../../../tools/pictures/kept.ts";
import { startBrowser } from "../../support/browser.ts";
import { startGallery, visitGallery } from "../../support/gallery.ts";
import { quickFaults } from "../../support/page-faults.ts";

describe("all components look as they were kept", () => {
  let gallery: Awaited<ReturnType<typeof startGallery>>;
  let browser: Browser;
  const names = new Set<string>();
  before(async () => {
    gallery = await startGallery();
    browser = await startBrowser({ optimizes: true });
  });
  after(async () => {
    await browser?.close();
    await gallery?.stop();
  });

  for (const shape of SHAPES) {
    it(`at ${shape.name}`, async () => {
      const { page, pictures, complaints, close } = await visitGallery(browser, gallery, shape, { isPictured: true });
      const faults: string[] = [];
      for (const [name, picture] of await pictures()) {
        names.add(name);
        const { isSame, report } = compareWithKept(name, shape, picture);
        if (!isSame) faults.push(report());
      }
      faults.push(...(await quickFaults(page, `the components at ${shape.name}`)));
      await close();
      assert.deepEqual([...faults, ...complaints], []);
    });
  }

  it("and no other is kept", () => {
    const kept = keptNames().map((name) => name.split(".")[0] ?? "");
    assert.deepEqual(
      kept.filter((name) => name.startsWith("gallery-") && !names.has(name)),
      [],
    );
  });
});
