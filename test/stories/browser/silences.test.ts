import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { SilenceList } from "../../../src/alerting/suppression/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { pick } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)>";

/** As a field of the page has it, nine hours ahead. */
function anHourAgo(): string {
  return new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 16);
}

describe("silences and maintenance windows, in the browser", () => {
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    story = await startWebStory({ start: startWatchedServer });
    const { uuid } = await story.send<HeartbeatRecord>("POST", "heartbeats", { name: "nightly-backup", interval_seconds: 300 });
    await story.ping(uuid, "/1");
    ({ page, complaints } = await story.open("/notifications/silences", { timezoneId: "Asia/Tokyo" }));
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const inDialog = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  const rows = (name: string): Locator => main().getByRole("list", { name, exact: true }).getByRole("listitem");
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  it("shows while a silence is put together what it would keep quiet", async () => {
    await main().getByText("No active silences.").waitFor();
    await main().getByText("No planned maintenance.").waitFor();
    await look("no silences");
    await button("New silence").click();
    await inDialog("Silence").click();
    await dialog().getByText("Add at least one matcher.").waitFor();
    await look("a silence that lacks all");
    await dialog().getByLabel("Severity").selectOption({ label: "Critical" });
    await dialog().getByText("Silences 1 active alert now:").waitFor();
    await dialog().getByText("nightly-backup ended with exit code 1.").waitFor();
    await dialog().getByLabel("Until").fill("2026-01-01T00:00");
    assert.equal(await dialog().getByLabel("Reason").getAttribute("aria-required"), null);
    await dialog().getByLabel("Reason").fill(MARKUP);
    await inDialog("Silence").click();
    await page.getByRole("alert").first().waitFor();
    await look("a silence with faults");
    await inDialog("8 h").click();
    await inDialog("Silence").click();
    await rows("Silences").getByText("Critical alerts").waitFor();
    await rows("Silences")
      .filter({ hasText: /Active, (8 h|7 h 59 min) left/ })
      .waitFor();
    const { silences } = await story.send<SilenceList>("GET", "silence");
    assert.equal(silences[0]?.reason, MARKUP);
  });

  it("is made by keys alone, for what an alert proposes, and cancelled", async () => {
    await page.goto(`${story.url}/alerts/1`);
    await pressWithKeys(page, main().getByRole("link", { name: "Silence" }));
    await dialog().waitFor();
    await dialog().getByRole("button", { name: "Remove nightly-backup" }).waitFor();
    await tabTo(page, dialog().getByLabel("Reason"));
    await page.keyboard.type("Known");
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "hidden" });
    const made = rows("Silences").filter({ hasText: "Known" });
    await made.waitFor();
    await look("few silences");
    await pressWithKeys(page, made.getByRole("button", { name: /^End now ?: silence Known$/ }));
    await page.getByRole("dialog").getByRole("button", { name: "End now" }).click();
    await rows("Silences").filter({ hasText: "Known" }).waitFor({ state: "detached" });
    await notLost(page);
    await pressWithKeys(page, main().getByText("Ended (1)"));
    await rows("Past silences").getByText("Cancelled", { exact: true }).waitFor();
    await tabThrough(page);
  });

  it("plans a maintenance window with the mouse", async () => {
    await button("Plan maintenance").click();
    await inDialog("Plan maintenance").click();
    await fault("Enter a title.");
    await fault("Choose at least one.");
    await dialog().getByLabel("Title").fill("\u200b");
    await pick(page, dialog().getByRole("combobox", { name: "Monitors" }), "nightly");
    await inDialog("Plan maintenance").click();
    await fault("Must not be empty");
    await look("a window with a fault");
    await dialog().getByLabel("Title").fill(`Kernel ${MARKUP}`);
    await dialog().getByLabel("From").fill("2026-01-01T22:00");
    await inDialog("8 h").click();
    await dialog().getByText("Visitors see these times in their own time zone.").waitFor();
    await inDialog("8 h").focus();
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
    await page.keyboard.press("Escape");
    await focused(question.getByRole("button", { name: "Keep editing" }));
    await look("a window that would be lost");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await focused(inDialog("8 h"));
    assert.equal(await dialog().getByLabel("Title").inputValue(), `Kernel ${MARKUP}`);
    await page.mouse.click(5, 400);
    await pressWithKeys(page, question.getByRole("button", { name: "Discard" }));
    await dialog().waitFor({ state: "detached" });
    await focused(button("Plan maintenance"));
  });

  it("plans, changes, ends and deletes a window by keys", async () => {
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("Title"));
    await page.keyboard.type("Move");
    await tabTo(page, dialog().getByRole("combobox", { name: "Monitors" }));
    await page.keyboard.type("nightly");
    await page.getByRole("option", { name: "nightly-backup" }).waitFor();
    await page.keyboard.press("Enter");
    await pressWithKeys(page, inDialog("Plan maintenance"));
    const row = rows("Maintenance windows").filter({ hasText: "Move" });
    await row.getByText("Upcoming").waitFor();
    await focused(button("Plan maintenance"));
    await look("a window to come");

    await pressWithKeys(page, row.getByRole("button", { name: "Edit Move" }));
    await focused(dialog().getByLabel("Title"));
    await dialog().getByLabel("From").fill(anHourAgo());
    await pressWithKeys(page, inDialog("Save"));
    await row.getByText("Active").waitFor();
    await focused(row.getByRole("button", { name: "Edit Move" }));
    await pressWithKeys(page, row.getByRole("button", { name: "End now Move" }));
    await row.waitFor({ state: "detached" });
    await notLost(page);
    await pressWithKeys(page, main().getByText("Ended (1)").last());
    await pressWithKeys(page, rows("Past maintenance windows").getByRole("button", { name: "Delete Move" }));
    await pressWithKeys(page, inDialog("Delete window"));
    await rows("Past maintenance windows").waitFor({ state: "detached" });
    await notLost(page);
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|09)/.test(text)),
      [],
    );
  });
});
