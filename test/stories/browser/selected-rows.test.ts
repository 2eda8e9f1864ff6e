import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import { looks } from "../../support/looks.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("alerts that are selected", () => {
  const NAMES = ["backup", "invoice", "report"];
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  const toolbar = (): Locator => page.getByRole("toolbar", { name: "Selected alerts" });
  const rowOf = (name: string): Locator => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  const acknowledged = async (): Promise<string> =>
    (await story.send<ActiveAlerts>("GET", "alerts/active")).alerts
      .filter(({ acknowledged_at }) => acknowledged_at !== null)
      .map(({ entity_name }) => entity_name)
      .toSorted()
      .join(" ");

  before(async () => {
    story = await startWebStory({ start: startWatchedServer });
    for (const name of NAMES) {
      const { uuid } = await story.send<{ uuid: string }>("POST", "heartbeats", { name, interval_seconds: 300 });
      await story.ping(uuid, "/1");
    }
    ({ page, complaints } = await story.open("/alerts"));
    await page.evaluate(`localStorage.setItem("binnacle.reader-name", "Ada")`);
    await page.reload();
    for (const name of NAMES) await rowOf(name).waitFor();
  });
  after(() => story?.stop());

  it("are acknowledged together by keys, and taken back together", async () => {
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await toolbar().getByText("2 selected").waitFor();
    assert.deepEqual(await looks(page, "selected alerts"), []);
    await page.keyboard.press("a");
    await page.getByRole("status").getByText("Acknowledged 2 alerts").waitFor();
    await toolbar().waitFor({ state: "detached" });
    await page.keyboard.press("u");
    const open = page.getByRole("main").getByRole("button", { name: /^Acknowledge/ });
    await until(async () => (await open.count()) === NAMES.length, { what: "three alerts to acknowledge" });
    assert.equal(await acknowledged(), "");
  });

  it("are let go by Escape", async () => {
    await page.keyboard.press("x");
    await toolbar().getByText("1 selected").waitFor();
    await page.keyboard.press("Escape");
    await toolbar().waitFor({ state: "detached" });
  });

  it("are acknowledged together by the mouse", async () => {
    for (const name of ["backup", "report"]) await rowOf(name).getByRole("checkbox").click();
    await toolbar().getByRole("button", { name: "Acknowledge" }).click();
    await page.getByRole("status").getByText("Acknowledged 2 alerts").waitFor();
    // Who leaves the page has made up their mind.
    await page.reload();
    await until(async () => (await acknowledged()) === "backup report", {
      what: async () => `two alerts; there are ${await acknowledged()}`,
    });
    assert.deepEqual(complaints, []);
  });
});
