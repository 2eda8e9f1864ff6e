import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { looks } from "../../support/looks.ts";
import { settled } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { startZoo } from "../../support/zoo.ts";

describe("the logs of all containers", () => {
  let engine: TestEngine;
  let zoo: Awaited<ReturnType<typeof startZoo>>;
  let program: Program;
  let browser: Browser;

  before(async () => {
    engine = await startEngine();
    [zoo, browser] = await Promise.all([startZoo(engine), startBrowser()]);
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    await until(async () => (await found("ledger")) >= 2 && (await found("cart")) >= 20, { withinMs: 60_000, everyMs: 300 });
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await zoo?.removeAll();
    await engine?.stop();
  });

  async function found(text: string): Promise<number> {
    const { lines } = await program.get<{ lines: unknown[] }>(`/api/v1/logs/search?q=${text}`);
    return lines.length;
  }

  const lines = (page: Page) => page.getByRole("list", { name: "Lines" }).getByRole("listitem");

  it("finds an error in all of them in two steps, and leads to the log of its container at that time", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(program.url);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Logs", exact: true }).click();
    await page.getByRole("searchbox", { name: "Search all logs" }).fill("LEDGER");
    await page.getByText(/^\d+ lines in \d+ logs$/).waitFor();
    await until(async () => {
      const texts = await lines(page).allTextContents();
      return texts.length >= 2 && texts.every((text) => text.includes("checkout-api") && text.includes("cannot reach the ledger"));
    });
    assert.ok((await lines(page).locator("mark").count()) >= 2);
    assert.match(page.url(), /\/logs\?q=LEDGER$/);
    const time = await lines(page).last().locator("time").getAttribute("datetime");
    await lines(page)
      .last()
      .getByRole("link", { name: /checkout-api/ })
      .click();
    await page.getByRole("region", { name: /^Log of .*checkout-api/ }).waitFor();
    const selected = page.getByRole("region", { name: /^Log of/ }).locator(`time[datetime="${time}"]`);
    await selected.waitFor();
    await page.getByText(/^\d+ of \d+$/).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("narrows by level, group and time, with mouse and keyboard, and keeps that in the address", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/logs`);
    await page.getByRole("button", { name: /^Level:/ }).click();
    await page.getByRole("menuitemradio", { name: "errors", exact: true }).click();
    await until(async () => {
      const texts = await lines(page).allTextContents();
      return texts.length > 0 && texts.every((text) => text.includes("fatal"));
    });
    await page.goto(`${program.url}/logs?q=backed`);
    await lines(page).first().waitFor();
    await page.getByRole("button", { name: /^Group:/ }).click();
    await page.getByRole("menuitemradio", { name: /shop/ }).click();
    await page.getByRole("heading", { name: "No lines" }).waitFor();

    await page.goto(`${program.url}/logs?group=shop`);
    const bars = page.getByRole("group", { name: /^Lines over time/ }).getByRole("button");
    await until(async () => (await bars.count()) > 3);
    await page.getByText(/^First lines \d/).waitFor();
    await bars.nth(0).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=.*until=/);
    const [since = 0, end = 0] = ["since", "until"].map((name) => Date.parse(new URL(page.url()).searchParams.get(name) ?? ""));
    assert.equal(end - since, 1000);
    await until(async () => {
      const times = await lines(page)
        .locator("time")
        .evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute("datetime") ?? "")));
      return times.length > 0 && times.every((at) => at >= since && at < end);
    });
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("shows the last hour by the server's clock in a browser whose clock is two hours ahead", async () => {
    const { page, complaints } = await openPage(browser);
    await page.clock.install({ time: Date.now() + 7_200_000 });
    await page.goto(`${program.url}/logs?q=heap&period=1h`);
    await lines(page).first().waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("shows the lines around one", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/logs?q=heap`);
    await lines(page).last().getByRole("button", { name: "Details and lines around it" }).click();
    const around = page.getByRole("group", { name: /^Lines around it in/ });
    await around
      .getByText(/GET \//)
      .first()
      .waitFor();
    assert.ok((await around.getByText(/GET \//).count()) >= 5);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("shows fields as columns, and narrows by them", async () => {
    const written = ['{"status":503,"path":"/pay","user":"<b>x</b>"}', '{"status":200,"path":"/ok"}', '{"status":503,"path":"/half'];
    await zoo.run("paying", ["--network", "none"], "sh", "-c", written.map((line) => `echo '${line}'`).join("; "));
    await until(async () => (await found("/half")) === 1, { withinMs: 30_000, everyMs: 300 });
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/logs?q=path`);
    const rows = page.getByRole("list", { name: "Lines" }).getByRole("listitem");
    await until(async () => (await rows.count()) === 3);
    await page.getByRole("button", { name: /^Columns:/ }).click();
    await page.getByRole("menuitemcheckbox", { name: /status/ }).click();
    await page.getByRole("menuitemcheckbox", { name: /user/ }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/columns=status,user/);
    await page.getByText("<b>x</b>", { exact: true }).waitFor();
    // Half an object is a line as before.
    await rows.getByText('{"status":503,"path":"/half').waitFor();

    const filter = page.getByRole("textbox", { name: "Filter by fields" });
    await filter.fill("status>>500");
    await page.getByText(/^At character 1: expected a condition such as/).waitFor();
    assert.equal(await rows.count(), 3);
    await filter.fill("status>=500");
    await until(async () => (await rows.count()) === 1);
    await rows.getByRole("button", { name: "Details and lines around it" }).click();
    await rows
      .getByText(written[0] ?? "", { exact: true })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Only lines with path=/pay" }).click();
    await page.waitForURL((url) => url.searchParams.get("fields") === "status>=500 path=/pay");
    await until(async () => (await filter.inputValue()) === "status>=500 path=/pay" && (await rows.count()) === 1);
    await page.reload();
    await page.getByText("<b>x</b>", { exact: true }).waitFor();
    const faults = await looks(page, "/logs in columns");
    assert.deepEqual([...faults, ...complaints], []);
    await page.context().close();
  });

  it("folds lines into patterns, each of which leads to its lines", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/logs?group=shop`);
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Patterns" }).click();
    const patterns = page.getByRole("list", { name: "Patterns" }).getByRole("listitem");
    const carts = patterns.filter({ hasText: "GET /cart/number number number ms" });
    await carts.waitFor();
    assert.deepEqual(await page.locator("[aria-label=Views] [aria-current=page]").allTextContents(), ["Patterns"]);
    assert.match((await carts.textContent()) ?? "", /^\d+×/);
    await patterns.filter({ hasText: "fatal: cannot reach the ledger" }).waitFor();
    assert.deepEqual(await looks(page, "/logs?view=patterns"), []);
    await carts.getByRole("link").click();
    await page.waitForURL((url) => url.searchParams.get("q") === "info  GET /cart/" && !url.searchParams.has("view"));
    await until(async () => (await lines(page).count()) >= 10);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("says which logs were not searched", async () => {
    const { page } = await openPage(browser, { viewport: PHONE });
    await page.route("**/api/v1/logs/search*", async (route) => {
      const response = await route.fetch();
      const gap = {
        container_id: 1,
        container_name: "far",
        agent_id: null,
        reason: "unreadable",
        message: "It is offline.",
        searched_since: null,
      };
      await route.fulfill({ response, json: { ...(await response.json()), is_complete: false, gaps: [gap], gaps_total: 1 } });
    });
    await page.goto(`${program.url}/logs?q=heap`);
    await page.getByText("1 log not searched completely").waitFor();
    await page.getByText("1 log: It is offline.").click();
    await page.getByText("far on Local").waitFor();
    await page.context().close();
  });

  it("is well made and readable, wide and narrow, light and dark", async () => {
    const { page, complaints } = await openPage(browser);
    const faults: string[] = [];
    for (const path of ["/logs", "/logs?q=heap", "/logs?q=nothing-is-written-so&level=error"]) {
      await page.goto(program.url + path);
      await page.getByText(/^\d+ lines? in \d+ logs?$/).waitFor();
      await settled(page);
      faults.push(...(await looks(page, path)));
    }
    assert.deepEqual([...faults, ...complaints], []);
    await page.context().close();
  });
});
