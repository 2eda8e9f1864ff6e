import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { pressWithKeys, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused, overflow, settled } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

/** More than the list shows at once. */
const MANY = 205;
/** So many of them are over. */
const OVER = 3;
const PAGE = 50;

describe("many alerts and those of the past, in the browser", () => {
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    story = await startWebStory({ start: startWatchedServer });
    const names = Array.from({ length: MANY }, (_, index) => `job-${index + 1}`);
    const jobs: HeartbeatRecord[] = [];
    for (const name of names) jobs.push(await story.send("POST", "heartbeats", { name, interval_seconds: 300 }));
    for (const { uuid } of jobs) await story.ping(uuid, "/1");
    const count = async (): Promise<number> => (await story.send<ActiveAlerts>("GET", "alerts/active")).alerts.length;
    await until(async () => (await count()) === MANY, { what: `${MANY} alerts` });
    for (const { uuid } of jobs.slice(0, OVER)) await story.ping(uuid);
    await until(async () => (await count()) === MANY - OVER, { what: `the end of ${OVER} alerts` });
    ({ page, complaints } = await story.open("/alerts"));
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const rows = (): Locator => main().getByRole("table", { name: "Alerts" }).getByRole("row");
  const button = (name: RegExp): Locator => main().getByRole("button", { name });
  const choose = (name: string): Promise<void> => page.getByRole("menuitemradio", { name, exact: true }).click();
  const search = (): string => new URL(page.url()).search;
  const counted = (words: string): Promise<void> => main().getByText(words, { exact: true }).waitFor();

  it("shows the first of many, and the others on demand, the focus moving to the next", async () => {
    await counted(`${MANY - OVER} active`);
    const listed = main().getByRole("region", { name: "Outages" }).getByRole("listitem");
    await until(async () => (await listed.count()) === 200, { what: "the first rows" });
    assert.deepEqual(await overflow(page, "many alerts"), []);
    await button(/^Show more alerts$/).focus();
    await page.keyboard.press("Enter");
    await until(async () => (await listed.count()) === MANY - OVER, { what: "all rows" });
    await focused(listed.nth(200).getByRole("link"));
  });

  it("reads older ones on demand, the focus staying where it was", async () => {
    await main().getByRole("link", { name: "History" }).click();
    await counted(`${MANY} alerts`);
    await settled(page);
    assert.equal(await rows().count(), PAGE + 1);
    await button(/^Show older alerts$/).focus();
    await page.keyboard.press("Enter");
    await until(async () => (await rows().count()) === 2 * PAGE + 1, { what: "another page" });
    await focused(button(/^Show older alerts$/));
  });

  it("is narrowed with the mouse, and by its address", async () => {
    await button(/^Status:/).click();
    await choose("Resolved");
    await counted(`${OVER} alerts`);
    await until(() => search() === "?status=resolved");
    assert.deepEqual(await looks(page, "alerts that are over"), []);
    await button(/^Severity:/).click();
    await choose("Warning");
    await main().getByRole("heading", { name: "No results" }).waitFor();
    await page.goBack();
    await counted(`${OVER} alerts`);
    await page.goBack();
    await counted(`${MANY} alerts`);
  });

  it("is narrowed with keys, and shown whole again", async () => {
    await pressWithKeys(page, button(/^Source:/));
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { name: "No results" }).waitFor();
    await until(() => search() === "?source=kubernetes");
    await focused(button(/^Source: Kubernetes/));
    await pressWithKeys(page, main().getByRole("link", { name: "Clear filters" }));
    await counted(`${MANY} alerts`);

    await tabTo(page, button(/^Fired:/), "Shift+Tab");
    await page.keyboard.press("Space");
    await page.getByRole("menu").waitFor();
    assert.deepEqual(await looks(page, "periods", "[role=menu]"), []);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await focused(button(/^Fired: Custom range/));
    await tabTo(page, main().getByLabel("To"));
    await page.keyboard.type("01012020");
    await main().getByRole("heading", { name: "No results" }).waitFor();
    await until(() => search() === "?period=days&to=2020-01-01");
    assert.deepEqual(await looks(page, "nothing matches"), []);
    await page.keyboard.press("Delete");
    await counted(`${MANY} alerts`);
  });

  it("goes from row to row by keys, opens one and comes back to what was chosen", async () => {
    await page.goto(`${story.url}/alerts/history?entity=heartbeat:7`);
    await counted("1 alert");
    await settled(page);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { level: 1, name: "job-7 ended with exit code 1." }).waitFor();
    await page.goBack();
    await pressWithKeys(page, button(/^Only: job-7/));
    await counted(`${MANY} alerts`);
    await page.keyboard.press("k");
    await focused(rows().nth(PAGE).getByRole("link"));
    assert.deepEqual(complaints, []);
  });
});
