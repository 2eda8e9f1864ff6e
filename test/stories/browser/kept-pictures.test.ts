import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { changedPath, compareWithKept, keptNames, type Shape, SHAPES } from "../../../tools/pictures/kept.ts";
import { startBrowser } from "../../support/browser.ts";
import { demoPages } from "../../support/demo-pages.ts";
import { type DemoVisit, visitDemo } from "../../support/demo-visit.ts";
import { painted } from "../../support/page-checks.ts";
import { quickFaults } from "../../support/page-faults.ts";
import { isLong } from "../../support/repetitions.ts";
import { type StandingDemo, startStandingDemo } from "../../support/standing-demo.ts";

/** For so long a page may still come to look as it was kept. */
const COMES_WITHIN_MS = 5000;
const WANTED = SHAPES.filter(({ inGate }) => inGate || isLong());
const WIDE = shapeNamed("1440-light");
const WITH_MANY_LETTERS: ReadonlySet<string> = new Set(["overview", "containers", "container-logs"]);

describe("all pages look as they were kept", () => {
  let demo: StandingDemo;
  let browser: Browser;
  before(async () => {
    demo = await startStandingDemo();
    browser = await startBrowser({ optimizes: true });
  });
  after(async () => {
    await browser?.close();
    await demo?.stop();
  });

  for (const shape of WANTED) {
    it(`at ${shape.name}`, async () => {
      const visit = await visitDemo(browser, demo, shape, { isPictured: true });
      const faults: string[] = [];
      for (const { name, ...to } of await demoPages(demo.url)) {
        await visit.go(to);
        faults.push(...(await changesOf(visit, name, shape)), ...(await quickFaults(visit.page, `${name} at ${shape.name}`)));
      }
      const { complaints } = visit;
      await visit.close();
      assert.deepEqual([...faults, ...complaints], []);
    });
  }

  it("and no other page is kept", async () => {
    const names = new Set((await demoPages(demo.url)).map(({ name }) => name));
    const kept = keptNames().map((name) => name.split(".")[0] ?? "");
    assert.deepEqual(
      kept.filter((name) => !name.startsWith("gallery-") && !names.has(name)),
      [],
    );
  });

  it("what a person would call a change is found, and what letters do is not", async () => {
    const visit = await visitDemo(browser, demo, WIDE, { isPictured: true });
    const found: string[] = [];
    for (const { name, path, changes } of CHANGES) {
      await visit.go({ path, made: "app" });
      assert.deepEqual(await changesOf(visit, name, WIDE), []);
      for (const [what, how] of Object.entries(changes)) {
        const undo = await change(visit.page, how);
        const { isSame, report } = compareWithKept(name, WIDE, await visit.picture());
        if (!isSame) found.push(what);
        if (what === "a moved column") {
          assert.match(report(), /^containers at 1440-light: \d+ blocks changed\. Look at \/.*containers\.1440-light\.png/);
          assert.ok(existsSync(changedPath(name, WIDE)));
        }
        await undo();
      }
    }
    await visit.close();
    const asked = CHANGES.flatMap(({ changes }) => Object.keys(changes));
    assert.deepEqual(
      found,
      asked.filter((what) => !UNSEEN.has(what)),
    );
  });

  it("a browser that draws letters otherwise shows the same", async () => {
    const other = await startBrowser({ optimizes: true, flags: ["--font-render-hinting=none", "--disable-lcd-text"] });
    const visit = await visitDemo(other, demo, WIDE, { isPictured: true });
    const changed: string[] = [];
    const pages = await demoPages(demo.url);
    for (const { name, ...to } of isLong() ? pages : pages.filter((page) => WITH_MANY_LETTERS.has(page.name))) {
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

interface ChangedPage {
  name: string;
  path: string;
  /** What is done in the page, by its name. */
  changes: Readonly<Record<string, string>>;
}

const CHANGES: readonly ChangedPage[] = [
  {
    name: "containers",
    path: "/containers",
    changes: {
      "a moved column": `document.querySelectorAll("[role=row] > :nth-child(3)").forEach((cell) => set(cell, "transform", "translateX(24px)"))`,
      "a moved row": `set(document.querySelectorAll("[role=row]")[4], "transform", "translateY(8px)")`,
      "a missing icon": `set(document.querySelector("nav a svg"), "visibility", "hidden")`,
      "a missing button": `set(document.querySelector("main button"), "visibility", "hidden")`,
      "another colour of one status": `set(document.querySelector("[role=row] svg.text-ok"), "color", "var(--down)")`,
      "a shift by one pixel": `set(document.getElementById("root"), "transform", "translate(1px, 1px)")`,
      "letters with softer edges": `set(document.getElementById("root"), "filter", "blur(0.4px)")`,
    },
  },
  { name: "endpoint", path: "/endpoints/1", changes: { "another figure": `write(document.querySelector("dl dd.text-lg"), "17.46 %")` } },
];
const UNSEEN: ReadonlySet<string> = new Set(["a shift by one pixel", "letters with softer edges"]);

async function change(page: Page, how: string): Promise<() => Promise<unknown>> {
  await page.evaluate(`(() => {
    window.undo = [];
    const set = (element, name, value) => {
      const before = element.style.cssText;
      window.undo.push(() => (element.style.cssText = before));
      element.style.setProperty(name, value);
    };
    const write = (element, text) => {
      const before = [...element.childNodes];
      window.undo.push(() => element.replaceChildren(...before));
      element.replaceChildren(text);
    };
    ${how};
  })()`);
  await painted(page);
  return () => page.evaluate("window.undo.forEach((undo) => undo()); undefined");
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
