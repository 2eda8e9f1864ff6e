import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { InsightList } from "../../../src/monitoring/security/answers.ts";
import type { UpdateList } from "../../../src/monitoring/updates/answers.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

/** The demo, where two containers run one image, and findings are of several kinds. */
describe("updates and findings, sorted and in groups", () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  before(async () => {
    [program, browser] = await Promise.all([startProgram({ env: { SERVICE_DEMO: "true" } }), startBrowser()]);
    await until(
      async () => (await program.get<UpdateList>("/api/v1/updates?sort=fixed&order=desc&limit=1")).updates[0]?.cves?.fixed_by_update,
    );
    ({ page, complaints } = await openPage(browser));
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const search = (): string => new URL(page.url()).search;
  const press = (...keys: string[]): Promise<void> =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  async function choose(menu: string, choice: string): Promise<void> {
    await page.getByRole("button", { name: menu }).click();
    await page.getByRole("menuitemradio", { name: choice, exact: true }).click();
  }

  describe("updates", () => {
    const shown = (): Promise<string[]> => page.locator("a[data-row]").allInnerTexts();
    const wanted = async (query: string): Promise<string[]> =>
      (await program.get<UpdateList>(`/api/v1/updates?${query}`)).updates.map(({ container_name: name }) => name);
    /** Only the rows near the window are in the page. */
    const shows = (query: string): Promise<unknown> =>
      until(async () => {
        const [names, all] = [await shown(), await wanted(query)];
        return names.length > 5 && names.every((name, index) => name === all[index]);
      });
    const head = (name: string): Locator => page.getByRole("columnheader", { name });
    const image = (): Locator => page.getByRole("button", { name: /storefront ?2 containers$/ });
    const storefronts = (): Locator => page.locator("a[data-row]").filter({ hasText: "shop-storefront" });

    before(async () => {
      await page.goto(`${program.url}/updates`);
      await settled(page);
      await page.getByRole("button", { name: "Update available" }).waitFor();
    });

    it("are sorted by a column, the other way round, and by status again", async () => {
      await shows("");
      await head("Container").getByRole("button").click();
      await shows("sort=name");
      assert.deepEqual([search(), await head("Container").getAttribute("aria-sort")], ["?sort=name", "ascending"]);
      await head("Container").getByRole("button").click();
      await shows("sort=name&order=desc");
      assert.equal(search(), "?sort=name&order=desc");
      await head("Risk").getByRole("button").click();
      await shows("sort=risk&order=desc");
      await head("Vulnerabilities").getByRole("button").click();
      await page
        .getByText(/^\d+ of \d+$/)
        .first()
        .waitFor();
      await shows("sort=fixed&order=desc");
    });

    it("have their order when one comes back", async () => {
      await press("j", "Enter");
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("link", { name: "Go to container" }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.goBack();
      await page.goBack();
      await shows("sort=fixed&order=desc");
      assert.equal(search(), "?sort=fixed");
      await head("Vulnerabilities").getByRole("button").click();
      await head("Vulnerabilities").getByRole("button").click();
      await page.getByRole("button", { name: "Update available" }).waitFor();
      assert.equal(search(), "");
    });

    it("are one row for each image, which opens by the mouse", async () => {
      await choose("Group: None", "Image");
      await image().waitFor();
      assert.equal(search(), "?group=image");
      assert.equal(await storefronts().count(), 0);
      assert.deepEqual(await looks(page, "by image"), []);
      await page.setViewportSize(DESKTOP);
      await image().click();
      await until(async () => (await storefronts().count()) === 2);
      await image().click();
      await until(async () => (await storefronts().count()) === 0);
    });

    it("open by the keyboard too, and lead to the details", async () => {
      await page.goto(`${program.url}/updates?group=image&q=storefront`);
      await settled(page);
      await image().waitFor();
      await press("j");
      await focused(image());
      await press("Enter");
      await until(async () => (await storefronts().count()) === 2);
      assert.deepEqual(await looks(page, "an open image"), []);
      await page.setViewportSize(DESKTOP);
      await press("j");
      await focused(storefronts().first());
      await press("j", "k");
      await focused(storefronts().first());
      await press("Enter");
      await page.getByRole("dialog", { name: "shop-storefront-1" }).waitFor();
      await press("Escape");
      await press("f");
      await until(async () => (await storefronts().count()) === 0);
      await focused(image());
    });

    it("are pinned and unpinned together", async () => {
      const actions = page.getByRole("button", { name: /^Actions for 2 containers of .*storefront$/ });
      await actions.click();
      await page.getByRole("menuitem", { name: "Pin 2 containers to current version" }).click();
      const dialog = page.getByRole("dialog", { name: "Pin 2 containers" });
      await dialog.getByText(/^2 containers of .*storefront stay at 4\./).waitFor();
      await dialog.getByLabel(/^Reason/).fill("The sale is on");
      await press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("row").filter({ has: image() }).getByText("Pinned", { exact: true }).waitFor();
      assert.deepEqual(await wanted("status=pinned&search=storefront&sort=name"), ["shop-storefront-1", "shop-storefront-2"]);
      await actions.click();
      await page.getByRole("menuitem", { name: "Unpin 2 containers" }).click();
      await until(async () => (await wanted("status=available&search=storefront")).length === 2);
    });

    it("are sorted from a menu on a phone", async () => {
      await page.setViewportSize(PHONE);
      await page.goto(`${program.url}/updates`);
      await settled(page);
      await choose("Sort: Status", "Age");
      await page.getByRole("button", { name: "Sort: Age" }).waitFor();
      await shows("sort=published&order=desc");
      await page.getByRole("button", { name: "Sort: Age" }).click();
      await page.getByRole("menuitem", { name: "Reverse order" }).click();
      await shows("sort=published&order=asc");
      assert.equal(search(), "?sort=published&order=asc");
      await page.setViewportSize(DESKTOP);
    });
  });

  describe("findings", () => {
    const rows = (): Locator => page.getByRole("list", { name: "Findings" }).locator("[data-finding]");
    const heads = (): Locator => page.getByRole("list", { name: "Findings" }).locator("[data-group] [aria-expanded]");
    const wanted = async (query: string) => (await program.get<InsightList>(`/api/v1/security/insights?${query}`)).insights;

    async function open(query: string): Promise<void> {
      await page.goto(`${program.url}/security${query}#findings`);
      await settled(page);
      await page.getByRole("list", { name: "Findings" }).waitFor();
    }

    it("are sorted from a menu, and the other way round", async () => {
      const titles = (): Promise<string[]> => rows().locator("a").allInnerTexts();
      await open("");
      await choose("Sort: Severity", "Container");
      const names = (await wanted("sort=name")).map(({ container_name: name }) => name);
      await until(async () => (await titles()).join() === names.join());
      await page.getByRole("button", { name: "Sort: Container" }).click();
      await page.getByRole("menuitem", { name: "Reverse order" }).click();
      const reversed = (await wanted("sort=name&order=desc")).map(({ container_name: name }) => name);
      await until(async () => (await titles()).join() === reversed.join());
      assert.equal(search(), "?sort=name&order=desc");
    });

    it("are grouped by kind, opened and selected by the keyboard", async () => {
      await open("");
      await choose("Group: None", "Kind");
      const kinds = new Set((await wanted("")).map(({ type }) => type));
      await until(async () => (await heads().count()) === kinds.size);
      assert.deepEqual([search(), await rows().count()], ["?group=type", 0]);
      await heads().first().focus();
      await press("Enter");
      await rows().first().waitFor();
      const count = await rows().count();
      await press("x");
      const bar = page.getByRole("toolbar", { name: "Selected findings" });
      await bar.getByText(`${count} selected`).waitFor();
      await press("j", "x");
      await bar.getByText(`${count - 1} selected`).waitFor();
      await press("k", "x");
      await bar.getByText(`${count} selected`).waitFor();
      assert.deepEqual(await looks(page, "findings by kind"), []);
      await page.setViewportSize(DESKTOP);
      await press("Escape", "j", "f");
      await focused(heads().first());
      assert.equal(await rows().count(), 0);
      await press("F");
      await until(async () => (await rows().count()) === (await wanted("")).length);
      await press("F");
      await until(async () => (await rows().count()) === 0);
    });

    it("are grouped by image and by container, opened and acknowledged by the mouse", async () => {
      await open("?group=image");
      const images = new Set((await wanted("")).map(({ image }) => image));
      await until(async () => (await heads().count()) === images.size);
      await choose("Group: Image", "Container");
      const ids = new Set((await wanted("")).map(({ container_id: id }) => id));
      await until(async () => (await heads().count()) === ids.size);
      await page.getByRole("button", { name: "Unfold all" }).click();
      await until(async () => (await rows().count()) === (await wanted("")).length);
      assert.deepEqual(await looks(page, "findings by container"), []);
      await page.setViewportSize(PHONE);
      await page.getByRole("button", { name: "Fold all", exact: true }).click();
      await heads().first().click();
      await rows().first().waitFor();
      const name = await heads().first().innerText();
      await page.getByRole("button", { name: new RegExp(`^Acknowledge \\d+ of ${name}$`) }).click();
      await page.getByRole("dialog").getByLabel("Reason").waitFor();
      await page.keyboard.press("Escape");
      assert.deepEqual(complaints, []);
    });
  });
});
