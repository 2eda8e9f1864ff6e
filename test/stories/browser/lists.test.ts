import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { type MeasuredServer, startMeasured } from "../../../tools/bench/child.ts";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";

describe("a list of many containers", () => {
  let server: MeasuredServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let url: string;

  before(async () => {
    [server, browser] = await Promise.all([startMeasured("containers", ["150"]), startBrowser()]);
    url = `http://127.0.0.1:${server.port}/containers`;
    ({ page, complaints } = await openPage(browser));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const head = (name: string): Locator => page.getByRole("columnheader", { name });
  const sortBy = (name: string): Locator => head(name).getByRole("button");
  const first = (): Promise<string> => page.locator("[data-row]").first().innerText();
  const search = (): string => new URL(page.url()).search;
  const shows = (name: string): Promise<unknown> => until(async () => (await first()) === name, { what: `${name} in the first row` });

  it("is sorted by a column, the other way round, and in its groups again", async () => {
    await page.goto(url);
    await settled(page);
    await page.getByRole("status").getByText("Live").waitFor();
    await sortBy("Name").click();
    await shows("service-1");
    assert.deepEqual([search(), await head("Name").getAttribute("aria-sort")], ["?sort=name", "ascending"]);
    await page.getByRole("row").filter({ hasText: "service-10" }).getByText("project-10", { exact: true }).first().waitFor();
    assert.deepEqual(await looks(page, "sorted"), []);
    await sortBy("Name").click();
    await shows("service-150");
    assert.deepEqual([search(), await head("Name").getAttribute("aria-sort")], ["?sort=name&order=desc", "descending"]);
    await sortBy("Name").click();
    await until(() => search() === "");
    await shows("service-40");
  });

  it("shows first by state what is down, as soon as it is", async () => {
    await tabTo(page, sortBy("State"));
    await page.keyboard.press("Enter");
    await focused(sortBy("State"));
    await until(() => search() === "?sort=state");
    await server.ask({ change: 1, state: "exited" });
    await shows("service-1");
    await page.keyboard.press("j");
    await focused(page.getByRole("link", { name: "service-1", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "service-1" }).waitFor();
    await page.goBack();
    await shows("service-1");
  });

  it("is sorted from a menu on a phone", async () => {
    await page.setViewportSize(PHONE);
    await page.goto(url);
    await settled(page);
    await page.getByRole("button", { name: "Sort: Group" }).click();
    await page.getByRole("menuitemradio", { name: "State" }).click();
    await shows("service-1");
    await page.getByRole("button", { name: "Sort: State" }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
