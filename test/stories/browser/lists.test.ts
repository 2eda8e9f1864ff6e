import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { HeartbeatList } from "../../../src/monitoring/heartbeats/answers.ts";
import { type MeasuredServer, startMeasured } from "../../../tools/bench/child.ts";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled } from "../../support/page-checks.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";
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
  const first = (): Promise<string> => page.locator("[data-row]:not([aria-expanded])").first().innerText();
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

  describe("in groups", () => {
    const heads = (): Locator => page.locator("[data-row][aria-expanded]");
    const names = (): Promise<string[]> => page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => row.textContent ?? ""));
    const groupOf = (row: Locator): Promise<string> => row.evaluate((element) => element.textContent ?? "");

    before(async () => {
      await page.goto(url);
      await settled(page);
      await heads().first().waitFor();
    });

    it("folds the group that is read by a key, and remembers it", async () => {
      const [firstHead = "", ...rows] = await names();
      await page.keyboard.press("j");
      await focused(page.locator('[data-row="1"]'));
      assert.equal(await groupOf(page.locator('[data-row="1"]')), rows[0]);
      await page.keyboard.press("f");
      await focused(heads().first());
      assert.deepEqual([await groupOf(heads().first()), await heads().first().getAttribute("aria-expanded")], [firstHead, "false"]);
      // The next line is the head of the next group: nothing of the folded one is there.
      assert.equal(await page.locator('[data-row="1"]').getAttribute("aria-expanded"), "true");
      await page.reload();
      await settled(page);
      await until(async () => (await heads().first().getAttribute("aria-expanded")) === "false", { what: "the fold after a reload" });
    });

    it("stops at the head of a folded group, and opens it by Enter", async () => {
      await page.keyboard.press("j");
      await focused(heads().first());
      await page.keyboard.press("Enter");
      await until(async () => (await heads().first().getAttribute("aria-expanded")) === "true");
      await focused(heads().first());
      await page.keyboard.press("j");
      await focused(page.locator('[data-row="1"]'));
    });

    it("folds all groups by a key, and opens them again", async () => {
      await page.keyboard.press("Shift+F");
      await until(async () => (await page.locator("[data-row]").count()) === (await heads().count()), { what: "heads alone" });
      await focused(heads().first());
      await page.keyboard.press("j");
      await focused(page.locator('[data-row="1"]'));
      assert.deepEqual(await looks(page, "folded"), []);
      await page.keyboard.press("Shift+F");
      await until(async () => (await names()).length > (await heads().count()), { what: "rows below the heads" });
    });

    it("folds by the mouse, and the head stays under it", async () => {
      const second = heads().nth(1);
      await second.scrollIntoViewIfNeeded();
      const above = [await groupOf(heads().first()), await groupOf(second)];
      await page.evaluate("window.scrollTo(0, 2000)");
      // The head of what is being read sticks below the heads of the columns.
      const stuck = page.locator(".sticky [data-row]");
      await stuck.waitFor();
      // It is drawn a moment after the scrolling.
      await until(async () => !above.includes(await groupOf(stuck)), { what: "the head of what is being read" });
      const read = await groupOf(stuck);
      const stoodAt = (await stuck.boundingBox())?.y ?? 0;
      await stuck.click();
      const same = heads().filter({ hasText: new RegExp(`^${read}$`) });
      await until(async () => (await same.getAttribute("aria-expanded")) === "false");
      await until(async () => Math.abs(((await same.boundingBox())?.y ?? 0) - stoodAt) <= 1, {
        what: async () => `the head at ${stoodAt}; it is at ${(await same.boundingBox())?.y}`,
      });
    });

    it("folds and unfolds all from the menu", async () => {
      await page.getByRole("button", { name: "Display" }).click();
      await page.getByRole("menuitem", { name: "Fold all groups", exact: true }).click();
      await until(async () => (await page.locator("[data-row]").count()) === (await heads().count()), { what: "heads alone" });
      await page.getByRole("button", { name: "Display" }).click();
      await page.getByRole("menuitem", { name: "Unfold all groups" }).click();
      await until(async () => (await names()).length > (await heads().count()), { what: "rows below the heads" });
    });

    it("shows what was looked for, though its group is folded", async () => {
      await page.keyboard.press("Shift+F");
      await page.getByRole("searchbox", { name: "Filter" }).fill("service-12");
      await page.getByRole("link", { name: "service-12", exact: true }).waitFor();
      assert.equal(await heads().count(), 0);
      await page.getByRole("searchbox", { name: "Filter" }).fill("");
      await heads().first().waitFor();
      assert.equal(await page.getByRole("link", { name: "service-12", exact: true }).count(), 0);
      await page.locator("h1").click();
      await page.keyboard.press("Shift+F");
    });
  });

  it("has the focus where it was for whoever comes back, however far down", async () => {
    await page.goto(url);
    await settled(page);
    await page.locator("[data-row]").first().waitFor();
    for (let row = 0; row < 40; row += 1) await page.keyboard.press("j");
    const reached = page.locator("[data-row]:focus");
    await reached.waitFor();
    const name = await reached.innerText();
    const scrolled = await page.evaluate<number>("scrollY");
    assert.ok(scrolled > 500, `scrolled by ${scrolled}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.goBack();
    await focused(page.getByRole("link", { name, exact: true }));
    assert.equal(await page.evaluate<number>("scrollY"), scrolled);
    // From there on.
    await page.keyboard.press("k");
    await until(async () => ![name, ""].includes(await reached.innerText()));
  });

  it("has lower rows when compact ones are chosen, there and in other lists", async () => {
    await page.goto(url);
    await settled(page);
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: /^service-/ }) })
      .first();
    const height = async (): Promise<number> => (await row.boundingBox())?.height ?? 0;
    await row.waitFor();
    assert.equal(await height(), 36);
    await tabTo(page, page.getByRole("button", { name: "Display" }));
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Compact rows" }).waitFor();
    const isReached = (): Promise<boolean> =>
      page.getByRole("menuitemradio", { name: "Compact rows" }).evaluate((item) => item.matches(":focus"));
    // The menu takes the focus a moment after it is there.
    await until(async () => (await isReached()) || (await page.keyboard.press("ArrowDown").then(isReached)), { everyMs: 100 });
    await page.keyboard.press("Enter");
    await until(async () => (await height()) === 28, { what: async () => `rows of 28 px; they have ${await height()}` });
    await page.reload();
    await row.waitFor();
    assert.equal(await height(), 28);
    assert.deepEqual(await looks(page, "compact"), []);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("rows comfortable");
    await page.getByRole("option", { name: "Rows: comfortable" }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await height()) === 36);
  });

  it("shows the columns that were chosen, and keeps them in the address and in saved views", async () => {
    const openMenu = async (name: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("menu").waitFor();
    };
    const choose = (role: "menuitem" | "menuitemradio", name: string): Promise<void> => page.getByRole(role, { name }).click();
    const dialog = page.getByRole("dialog");
    const images = page.getByRole("columnheader", { name: "Image" });
    const views = page.getByRole("list", { name: "Saved views" }).getByRole("listitem");
    await page.goto(`${url}?sort=name`);
    await shows("service-1");
    await openMenu("Display");
    for (const name of ["Image", "Restarts"]) await page.getByRole("menuitemcheckbox", { name }).click();
    await images.waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    assert.equal(search(), "?sort=name&columns=ports,cpu,memory,uptime,since");

    await openMenu("Saved views");
    await choose("menuitem", "Save this view");
    await focused(dialog.getByRole("textbox", { name: "Save this view as" }));
    await page.keyboard.type("By name");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "View: By name" }).waitFor();

    // The browser remembers the columns, also where the address says nothing.
    await page.goto(url);
    await page.locator("[data-row]").first().waitFor();
    await images.waitFor({ state: "hidden" });
    await openMenu("Saved views");
    await choose("menuitemradio", "By name");
    await shows("service-1");
    assert.equal(new URLSearchParams(search()).get("sort"), "name");

    await openMenu("View: By name");
    await choose("menuitem", "Edit saved views");
    await views.first().waitFor();
    assert.deepEqual(await looks(page, "saved views", "[role=dialog]"), []);
    await views.getByRole("button", { name: "Rename By name" }).click();
    await focused(dialog.getByRole("textbox", { name: "Rename By name" }));
    await page.keyboard.type("All of them");
    await page.keyboard.press("Enter");
    await dialog.getByText("Renamed By name to All of them").waitFor();
    await views.getByRole("button", { name: "Delete All of them" }).click();
    await views.waitFor({ state: "detached" });
    await focused(dialog.getByRole("button", { name: "Undo" }));
    await page.keyboard.press("Enter");
    await views.filter({ hasText: "All of them" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "View: All of them" }).waitFor();
    await page.evaluate(`localStorage.removeItem("binnacle.columns.containers")`);
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

describe("the lists of what is set up manually", () => {
  let story: WebStory;

  before(async () => {
    story = await startWebStory();
    for (const name of ["backup", "report"]) await story.send("POST", "heartbeats", { name, interval_seconds: 300 });
    for (const name of ["operations", "nights"])
      await story.send("POST", "channels", { name, type: "webhook", url: `http://127.0.0.1:9/${name}` });
    for (const name of ["one", "two"]) {
      await story.send("POST", "status/components", { name, monitor_type: "heartbeat", monitor_id: 1 });
      await story.send("POST", "status/incidents", { title: name, severity: "minor", status: "investigating", message: "We look at it." });
    }
  });
  after(() => story?.stop());

  const PLACES: readonly [path: string, rows: string][] = [
    ["/heartbeats", "[role=table] [role=rowgroup] [role=row]"],
    ["/notifications", "ul[aria-label=Channels] > li"],
    ["/status-page/incidents", "ul[aria-label='Open incidents'] > li"],
    ["/settings/audit", "table[aria-label='Audit log'] > tbody > tr"],
  ];
  for (const [path, rows] of PLACES) {
    it(`are gone through by j and k: ${path}`, async () => {
      const { page, complaints } = await story.open(path);
      const row = (index: number): Locator => page.locator(rows).nth(index);
      const reaches = (index: number): Promise<unknown> =>
        until(() => row(index).evaluate((element) => element.matches(":focus-within")), { what: `the focus in row ${index}` });
      await row(1).waitFor();
      await page.keyboard.press("j");
      await reaches(0);
      await page.keyboard.press("j");
      await reaches(1);
      await page.keyboard.press("k");
      await reaches(0);
      // There is none before the first.
      await page.keyboard.press("k");
      await reaches(0);
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
  }

  it("open a row by Enter", async () => {
    const { page } = await story.open("/notifications");
    const first = page.locator("ul[aria-label=Channels] > li").first();
    const name = (await first.getByRole("link").first().innerText()).trim();
    await page.keyboard.press("j");
    await focused(first.getByRole("link").first());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
  });

  describe("are selected: heartbeats", () => {
    const NAMES = ["chosen-1", "chosen-2", "chosen-3"];
    let page: Page;
    const ids: number[] = [];

    const toolbar = (): Locator => page.getByRole("toolbar", { name: "Selected heartbeats" });
    const rowOf = (name: string): Locator => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    const note = (text: string | RegExp): Locator => page.getByRole("status").getByText(text);
    const statuses = async (): Promise<string> =>
      (await story.send<HeartbeatList>("GET", "heartbeats")).heartbeats
        .filter(({ name }) => NAMES.includes(name))
        .map(({ name, status }) => `${name} ${status}`)
        .join(", ");

    before(async () => {
      for (const name of NAMES) ids.push((await story.send<{ id: number }>("POST", "heartbeats", { name, interval_seconds: 300 })).id);
      ({ page } = await story.open("/heartbeats?q=chosen"));
      for (const name of NAMES) await rowOf(name).waitFor();
    });
    it("are paused together by keys, and taken back together", async () => {
      for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
      await toolbar().getByText("2 selected").waitFor();
      assert.deepEqual(await looks(page, "selected heartbeats"), []);
      await page.keyboard.press("p");
      await note("Paused 2 heartbeats").waitFor();
      await toolbar().waitFor({ state: "detached" });
      await rowOf("chosen-1").getByText("Paused").waitFor();
      await page.keyboard.press("u");
      await page.getByText("Paused").first().waitFor({ state: "detached" });
      assert.equal(await statuses(), "chosen-1 new, chosen-2 new, chosen-3 new");
    });

    it("are selected from one to the other with Shift, and those that fail are named", async () => {
      await rowOf("chosen-1").getByRole("checkbox").click();
      await rowOf("chosen-3")
        .getByRole("checkbox")
        .click({ modifiers: ["Shift"] });
      await toolbar().getByText("3 selected").waitFor();
      await toolbar().getByRole("button", { name: "Pause" }).click();
      await note("Paused 3 heartbeats").waitFor();
      await story.send("DELETE", `heartbeats/${ids[1]}`);
      // As when the page is left, which sends at once.
      await page.evaluate(`window.dispatchEvent(new Event("pagehide"))`);
      await note(/^Not paused: chosen-2 \(/).waitFor();
      await until(async () => (await statuses()) === "chosen-1 paused, chosen-3 paused", { what: statuses });
      await page.getByRole("button", { name: "Dismiss" }).click();
    });

    it("are deleted together once their number was typed", async () => {
      await page.keyboard.press("Shift+X");
      await toolbar().getByText("2 selected").waitFor();
      await toolbar().getByRole("button", { name: "Delete" }).click();
      await focused(page.getByRole("textbox", { name: "Type 2 heartbeats to confirm" }));
      await page.keyboard.type("2 heartbeats");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No results" }).waitFor();
      assert.equal(await statuses(), "");
    });
  });
});
