import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { DESKTOP, PHONE, startBrowser } from "../../support/browser.ts";
import { type DemoVisit, visitDemo } from "../../support/demo-visit.ts";
import { looks } from "../../support/looks.ts";
import { overflow, painted } from "../../support/page-checks.ts";
import { type StandingDemo, startStandingDemo } from "../../support/standing-demo.ts";

describe("what has eaten the memory since yesterday, in the browser", () => {
  let demo: StandingDemo;
  let browser: Browser;
  let visit: DemoVisit;
  before(async () => {
    demo = await startStandingDemo();
    browser = await startBrowser();
    visit = await visitDemo(browser, demo, { viewport: DESKTOP, colorScheme: "light" });
  });
  after(async () => {
    await browser?.close();
    await demo?.stop();
  });

  const memory = (of = visit): Locator => of.page.getByRole("region", { name: "Memory: top consumers" });
  const rows = (of = visit): Promise<string[]> => memory(of).getByRole("listitem").allInnerTexts();

  it("is a column of the top consumers", async () => {
    await visit.go({ path: "/resources", made: "app" });
    await memory().getByText("Since yesterday").waitFor();
    const shown = await rows();
    assert.equal(shown.length, 10);
    for (const text of shown) assert.match(text, /[+−]?\d+(\.\d+)? (GiB|MiB|KiB|B)\s+[+−]?\d+(\.\d+)? %$/);
    await visit.page.getByText(/now against the mean from .*10:00.* to .*11:00/).waitFor();
  });

  it("is one click away, and in the address", async () => {
    const order = visit.page.getByRole("navigation", { name: "Rank by" });
    await order.getByRole("link", { name: "Since yesterday" }).click();
    await memory().getByRole("listitem").filter({ hasText: "shop-recommendations" }).waitFor();
    assert.match(visit.page.url(), /\/resources\?by=growth$/);
    const [first] = await rows();
    assert.match(first ?? "", /^1\s+shop-recommendations[\s\S]*\+3\d\d MiB\s+\+\d\d %$/);
    await visit.page.reload();
    await memory().getByRole("listitem").first().filter({ hasText: "shop-recommendations" }).waitFor();
    assert.equal(await order.locator("[aria-current=page]").innerText(), "Since yesterday");
    await order.getByRole("link", { name: "In use now" }).click();
    await memory().getByRole("listitem").first().filter({ hasText: "analytics-clickhouse" }).waitFor();
    assert.match(visit.page.url(), /\/resources$/);
  });

  it("can be read by everyone, on every screen", async () => {
    const faults: string[] = [];
    for (const path of ["/resources", "/resources?by=growth"]) {
      await visit.go({ path, made: "app" });
      faults.push(...(await looks(visit.page, path)));
      for (const width of [1024, 1280, 1440]) {
        await visit.page.setViewportSize({ width, height: 844 });
        await painted(visit.page);
        faults.push(...(await overflow(visit.page, `${path} at ${width} px`)));
      }
    }
    const phone = await visitDemo(browser, demo, { viewport: PHONE, colorScheme: "dark" });
    await phone.go({ path: "/resources?by=growth", made: "app" });
    assert.match((await rows(phone))[0] ?? "", /^1\s+shop-recommendations[\s\S]*\+3\d\d MiB/);
    faults.push(...visit.complaints, ...phone.complaints);
    assert.deepEqual(faults, []);
  });
});
