import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { focused, overflow, painted, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

describe("heartbeats, in the browser", () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let pingUrl: string;

  before(async () => {
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, { timezoneId: "Europe/Lisbon" }));
    await page.goto(`${program.url}/heartbeats`);
    await page.getByRole("status").getByText("Live").waitFor();
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const field = (label: string): Locator => page.getByRole("textbox", { name: label });

  async function ping(suffix = "", body?: string): Promise<void> {
    const response = await fetch(pingUrl + suffix, body === undefined ? {} : { method: "POST", body });
    assert.equal(response.status, 200);
  }

  it("teaches how to make the first one", async () => {
    await main().getByRole("heading", { name: "No heartbeats yet" }).waitFor();
    assert.match(await main().innerText(), /curl -X POST .*\/api\/v1\/heartbeats/);
    assert.deepEqual(await violations(page, "no heartbeats"), []);
  });

  it("says beside the field what is wrong, and when a line fires next", async () => {
    await main().getByRole("link", { name: "New heartbeat" }).click();
    await page.getByText("Cron schedule").click();
    await field("Cron expression").fill("61 3 * * *");
    await page.getByRole("button", { name: "Create heartbeat" }).click();
    await page.getByRole("alert").getByText("Enter a name.").waitFor();
    await page.getByRole("alert").getByText('"61" is not a value of the field minute: 0 to 59.').waitFor();
    await focused(field("Name"));
    await field("Cron expression").fill("30 3 * * *");
    await page.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
    const next = page.getByRole("list", { name: "Next 3 runs" }).getByRole("listitem");
    await next.first().getByText("02:30").waitFor();
    await next.first().getByText("(03:30 there)").waitFor();
    assert.equal(await next.count(), 3);
    assert.deepEqual(await violations(page, "the form"), []);
  });

  it("shows the server's fault at its field", async () => {
    await field("Name").fill("\u200b");
    await page.getByRole("button", { name: "Create heartbeat" }).click();
    await page.getByRole("alert").getByText("Must not be empty").waitFor();
    await field("Name").fill("nightly-backup");
    await until(async () => (await page.getByRole("alert").count()) === 0, { what: "that nothing is wrong any more" });
  });

  it("waits for the first ping, and turns green when it comes", async () => {
    await page.getByRole("button", { name: "Create heartbeat" }).click();
    await main().getByRole("heading", { name: "nightly-backup" }).waitFor();
    await page.getByText("Waiting for the first ping…").waitFor();
    await main().getByRole("link", { name: "curl", exact: true }).click();
    pingUrl = await until(async () => /http:\S+\/ping\/[-0-9a-f]{36}/.exec(await main().innerText())?.[0], { what: "its address" });
    await settled(page);
    assert.deepEqual(await violations(page, "a new heartbeat"), []);
    await ping();
    await page.getByText("First ping received.").waitFor();
    await main()
      .getByText("Reported just now.")
      .or(main().getByText(/Reported \d+ s ago/))
      .first()
      .waitFor();
  });

  it("shows a failure with its reason and its output, as text", async () => {
    await ping("/start");
    await main().getByText("Run in progress").waitFor();
    await ping("/3", "<img src=x onerror=alert(1)> no space left");
    await main()
      .getByText(/last run failed with exit code 3/)
      .waitFor();
    const row = main().getByRole("list", { name: "Pings" }).getByRole("listitem").filter({ hasText: "Exit 3" });
    await row.click();
    await row.getByText(/^POST from/).waitFor();
    assert.match(await row.locator("pre").innerText(), /^<img src=x onerror=alert\(1\)> no space left$/);
    assert.deepEqual(await violations(page, "a heartbeat that failed"), []);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Heartbeats" }).click();
    const listed = main().getByRole("row").filter({ hasText: "nightly-backup" });
    await listed.getByText("Down · exit 3").waitFor();
    await listed.getByRole("img", { name: "The last 2 runs: 1 succeeded, 1 failed" }).waitFor();
    await page.evaluate("window.neverReloaded = true");
    await ping();
    await listed.getByText("Up", { exact: true }).waitFor();
    await listed.getByRole("img", { name: "The last 3 runs: 2 succeeded, 1 failed" }).waitFor();
    assert.equal(await page.evaluate("window.neverReloaded"), true);
    assert.deepEqual(await violations(page, "the list"), []);
  });

  it("narrows the list by state and text, in its address", async () => {
    await page.getByRole("button", { name: /^State/ }).click();
    await page.getByRole("menuitemcheckbox", { name: /^Up/ }).click();
    await page.keyboard.press("Escape");
    // Keys rest as long as it has the focus.
    await page.getByRole("menu").waitFor({ state: "detached" });
    await painted(page);
    await page.keyboard.press("/");
    await focused(page.getByRole("searchbox", { name: "Filter" }));
    await page.keyboard.type("zzz");
    await main().getByRole("heading", { name: "No results" }).waitFor();
    await until(() => new URL(page.url()).search === "?status=up&q=zzz");
    await main().getByRole("link", { name: "Clear filters" }).click();
    await main().getByRole("row").filter({ hasText: "nightly-backup" }).waitFor();
    await page.keyboard.press("j");
    await main().locator(":focus").filter({ hasText: "nightly-backup" }).waitFor();
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { name: "nightly-backup" }).waitFor();
  });

  it("is paused, edited, and deleted once its name is typed", async () => {
    await main().getByRole("button", { name: "Pause" }).click();
    await main()
      .getByText(/^Not checked since/)
      .waitFor();
    await main().getByRole("button", { name: "Resume" }).click();
    await main()
      .getByText(/The next ping is expected/)
      .waitFor();
    await main().getByRole("link", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Interval").click();
    await field("Interval").fill("90 min");
    await dialog.getByRole("button", { name: "Save" }).click();
    await main().getByText("every 1 h 30 min").waitFor();
    await main().getByRole("link", { name: "Delete" }).click();
    const confirm = dialog.getByRole("button", { name: "Delete heartbeat" });
    assert.equal(await confirm.isDisabled(), true);
    assert.deepEqual(await violations(page, "the question"), []);
    await focused(dialog.getByLabel("Type nightly-backup to confirm"));
    await page.keyboard.type("nightly-backup");
    await confirm.click();
    await main().getByRole("heading", { name: "No heartbeats yet" }).waitFor();
    // The browser itself logs the answer 400 that was asked for above.
    assert.deepEqual(
      complaints.filter((text) => !text.includes("400")),
      [],
    );
  });

  it("fits a phone, in the dark too", async () => {
    const response = await fetch(`${program.url}/api/v1/heartbeats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "a-job-with-".repeat(20), cron: "0 9 * * 1-5", timezone: "America/New_York", tags: ["night"] }),
    });
    const { id } = (await response.json()) as { id: number };
    const phone = await openPage(browser, { viewport: { ...PHONE, width: 360 }, colorScheme: "dark" });
    for (const path of ["/heartbeats", "/heartbeats/new", `/heartbeats/${id}`]) {
      await phone.page.goto(program.url + path);
      await settled(phone.page);
      assert.deepEqual([...(await overflow(phone.page, path)), ...(await violations(phone.page, path))], []);
    }
    await phone.page.context().close();
  });
});
