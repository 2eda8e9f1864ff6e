import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { compareWithKept, changedPath, keptNames, type Shape, SHAPES } from "../../../tools/pictures/kept.ts";
import { startBrowser } from "../../support/browser.ts";
import { demoPages } from "../../support/demo-pages.ts";
import { type DemoVisit, visitDemo } from "../../support/demo-visit.ts";
import { startGallery, visitGallery } from "../../support/gallery.ts";
import { painted } from "../../support/page-checks.ts";
import { quickFaults } from "../../support/page-faults.ts";
import { isLong } from "../../support/repetitions.ts";
import { type StandingDemo, startStandingDemo } from "../../support/standing-demo.ts";

/** For so long a page may still come to look as it was kept. */
const COMES_WITHIN_MS = 5000;
const WANTED = SHAPES.filter(({ inGate }) => inGate || isLong());
const WIDE = shapeNamed("1440-light");

describe("all pages look as they were kept", () => {
  let demo: StandingDemo;
  let gallery: Awaited<ReturnType<typeof startGallery>>;
  let browser: Browser;
  /** What is compared in any shape. */
  const names = new Set<string>();
  before(async () => {
    demo = await startStandingDemo();
    gallery = await startGallery();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.stop();
    await demo?.stop();
  });

  for (const shape of WANTED) {
    it(`at ${shape.name}`, async () => {
      const visit = await visitDemo(browser, demo, shape);
      const faults: string[] = [];
      for (const { name, ...to } of await demoPages(demo.url)) {
        names.add(name);
        await visit.go(to);
        faults.push(...(await changesOf(visit, name, shape)), ...(await quickFaults(visit.page, `${name} at ${shape.name}`)));
      }
      const { complaints } = visit;
      await visit.close();
      assert.deepEqual([...faults, ...complaints], []);
    });

    it(`the components at ${shape.name}`, async () => {
      const { page, pictures, complaints, close } = await visitGallery(browser, gallery, shape, "?pictured");
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

  it("and nothing else is kept", () => {
    assert.deepEqual(
      keptNames().filter((kept) => !names.has(kept.split(".")[0] ?? "")),
      [],
    );
  });

  it("a moved column, a missing icon and another colour of a status are found, one pixel's shift is not", async () => {
    const visit = await visitDemo(browser, demo, WIDE);
    await visit.go({ path: "/containers", made: "app" });
    assert.deepEqual(await changesOf(visit, "containers", WIDE), []);
    const found: Record<string, boolean> = {};
    for (const [what, how] of Object.entries(CHANGES)) {
      const undo = await change(visit.page, how);
      const { isSame, report } = compareWithKept("containers", WIDE, await visit.picture());
      found[what] = !isSame;
      if (!isSame && what === "a moved column") {
        assert.match(report(), /^containers at 1440-light: \d+ blocks changed\. Look at \/.*containers\.1440-light\.png/);
        assert.ok(existsSync(changedPath("containers", WIDE)));
      }
      await undo();
    }
    await visit.close();
    assert.deepEqual(found, {
      "a moved column": true,
      "a missing icon": true,
      "another colour of one status": true,
      "a shift by one pixel": false,
      "letters with softer edges": false,
    });
  });

  it("a browser that draws letters otherwise shows the same", async () => {
    const other = await startBrowser({ flags: ["--font-render-hinting=none", "--disable-lcd-text"] });
    const visit = await visitDemo(other, demo, WIDE);
    const changed: string[] = [];
    const pages = await demoPages(demo.url);
    for (const { name, ...to } of isLong()
      ? pages
      : pages.filter((page) => ["overview", "containers", "container-logs"].includes(page.name))) {
      await visit.go(to);
      changed.push(...(await changesOf(visit, name, WIDE)));
    }
    await visit.close();
    await other.close();
    assert.deepEqual(changed, []);
  });
});

function shapeNamed(name: string): Shape {
  const shape = SHAPES.find((each) => each.name === name);
  if (shape === undefined) throw new Error(`no shape is called ${name}`);
  return shape;
}

/** What is done to the list of containers, in the page. */
const CHANGES: Readonly<Record<string, string>> = {
  "a moved column": `document.querySelectorAll("[role=row] > :nth-child(3)").forEach((cell) => set(cell, "transform", "translateX(24px)"))`,
  "a missing icon": `set(document.querySelector("nav a svg"), "visibility", "hidden")`,
  "another colour of one status": `set(document.querySelector("[role=row] svg.text-ok"), "color", "var(--down)")`,
  "a shift by one pixel": `set(document.getElementById("root"), "transform", "translate(1px, 1px)")`,
  "letters with softer edges": `set(document.getElementById("root"), "filter", "blur(0.4px)")`,
};

async function change(page: Page, how: string): Promise<() => Promise<unknown>> {
  await page.evaluate(`(() => {
    window.changed = [];
    const set = (element, name, value) => {
      window.changed.push([element, element.style.cssText]);
      element.style.setProperty(name, value);
    };
    ${how};
  })()`);
  await painted(page);
  return () => page.evaluate("window.changed.forEach(([element, before]) => (element.style.cssText = before))");
}

async function changesOf(visit: DemoVisit, name: string, shape: Shape): Promise<string[]> {
  const deadline = performance.now() + COMES_WITHIN_MS;
  for (;;) {
    const { isSame, report } = compareWithKept(name, shape, await visit.picture());
    if (isSame) return [];
    if (performance.now() > deadline) return [report()];
    await visit.page.waitForTimeout(200);
  }
}
