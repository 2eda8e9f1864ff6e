import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { IncidentList, IncidentRecord } from "../../../src/publishing/status/incidents/answers.ts";
import { escape, pick } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
/** A text that only the server finds to be empty. */
const INVISIBLE = "\u200b";

describe("incidents and maintenance of the status page, in the browser", () => {
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    story = await startWebStory();
    await story.send("POST", "heartbeats", { name: "checkout-job", interval_seconds: 300 });
    await story.send("POST", "status/components", { name: "Checkout", monitor_type: "heartbeat", monitor_id: 1 });
    ({ page, complaints } = await story.open("/status-page/incidents"));
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const link = (name: string): Locator => main().getByRole("link", { name, exact: true });
  const inDialog = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  const rows = (name: string): Locator => main().getByRole("list", { name, exact: true }).getByRole("listitem");
  const updates = (): Locator => rows("Updates, latest first");
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  it("reports an incident with the mouse, and says at the field what is wrong", async () => {
    await main().getByText("No past incidents.").waitFor();
    await look("no incidents");
    await link("Report incident").click();
    await inDialog("Publish").click();
    await fault("Enter a title.");
    await fault("Enter a message.");
    await look("an incident that lacks all");
    await pick(page, dialog().getByRole("combobox", { name: "Components" }), "Checkout");
    await inDialog("Not available").click();
    await dialog().getByLabel("Title").fill(INVISIBLE);
    await inDialog("Publish").click();
    await fault("Must not be empty");
    await focused(dialog().getByLabel("Title"));
    await dialog().getByLabel("Title").fill(`Payments fail ${MARKUP}`);
    await dialog().getByText("Major", { exact: true }).click();
    await inDialog("Publish").click();
    await main()
      .getByRole("heading", { level: 2, name: `Payments fail ${MARKUP}` })
      .waitFor();
    await focused(link("Report incident"));
    await updates().getByText("Checkout is not available. We are looking into it and will post an update within 30 minutes.").waitFor();
    await look("an incident");
  });

  it("posts, edits and deletes an update by keys", async () => {
    await pressWithKeys(page, button("Post update"));
    await main().getByRole("form", { name: "Update" }).waitFor();
    await notLost(page);
    await tabTo(page, main().getByRole("radio", { name: "Investigating" }));
    await page.keyboard.press("ArrowRight");
    await focused(main().getByRole("radio", { name: "Identified" }));
    await pressWithKeys(page, main().getByRole("form").getByRole("button", { name: "Post update" }));
    await fault("Enter a message.");
    await focused(main().getByLabel("Message"));
    await look("an update with a fault");
    await page.keyboard.type("The cause is found.");
    await pressWithKeys(page, main().getByRole("form").getByRole("button", { name: "Post update" }));
    await updates().nth(1).waitFor();
    await notLost(page);

    await pressWithKeys(page, button("Edit the update: Identified"));
    await tabTo(page, dialog().getByLabel("Message"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("The cause is known.");
    await pressWithKeys(page, inDialog("Save"));
    await updates().first().getByText("The cause is known.").waitFor();
    await focused(button("Edit the update: Identified"));
    await pressWithKeys(page, button("Delete the update: Identified"));
    await escape(page);
    await focused(button("Delete the update: Identified"));
    await page.keyboard.press("Enter");
    await pressWithKeys(page, inDialog("Delete update"));
    await updates().nth(1).waitFor({ state: "detached" });
    await notLost(page);
  });

  it("resolves it, opens it again, changes it and deletes it", async () => {
    await button("Resolve").click();
    await main().getByLabel("Message").fill("Payments work again.");
    await button("Resolve it").click();
    await button("Reopen").waitFor();
    await look("an incident that is over");
    await link("All incidents").click();
    await rows("Past incidents").getByText("Payments work again.").waitFor();
    await look("few incidents");
    await pressWithKeys(page, link(`Payments fail ${MARKUP}`));
    await pressWithKeys(page, button("Reopen"));
    await pressWithKeys(page, main().getByLabel("Message"), "a");
    await pressWithKeys(page, button("Reopen it"));
    await button("Post update").waitFor();
    await pressWithKeys(page, button(`Edit Payments fail ${MARKUP}`));
    await focused(dialog().getByLabel("Title"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Payments fail");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { level: 2, name: "Payments fail", exact: true }).waitFor();
    await focused(button("Edit Payments fail"));
    await tabThrough(page);
    await pressWithKeys(page, button("Delete Payments fail"));
    await pressWithKeys(page, inDialog("Delete incident"));
    await main().getByText("No past incidents.").waitFor();
    assert.deepEqual((await story.send<IncidentList>("GET", "status/incidents")).incidents, []);
  });

  it("holds many, older ones on demand", async () => {
    for (let number = 1; number <= 60; number += 1) {
      const body = { title: `Outage ${number} ${MARKUP}`, severity: "minor", message: "It is over.", status: "resolved" };
      await story.send<IncidentRecord>("POST", "status/incidents", body);
    }
    await page.reload();
    await rows("Past incidents").first().waitFor();
    const { length: shown } = await rows("Past incidents").all();
    await look("many incidents");
    await pressWithKeys(page, button("Show older incidents"));
    await rows("Past incidents").nth(shown).waitFor();
    await notLost(page);
  });

  it("plans maintenance on a day of the calendar by keys, and changes it from there", async () => {
    await page.getByRole("navigation", { name: "Status page" }).getByRole("link", { name: "Maintenance" }).click();
    await main().getByText("No planned maintenance.").waitFor();
    await look("no maintenance");
    await tabTo(page, main().getByRole("button", { name: /, today$/ }));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const day = await page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("Title"));
    await page.keyboard.press("Enter");
    await fault("Choose at least one.");
    await page.keyboard.type("Move");
    await tabTo(page, dialog().getByRole("combobox", { name: "Components of the status page" }));
    await page.keyboard.type("Checkout");
    await page.getByRole("option", { name: "Checkout" }).waitFor();
    await page.keyboard.press("Enter");
    await look("a window");
    await pressWithKeys(page, inDialog("Plan maintenance"));
    await rows("Active and upcoming").getByText("Move", { exact: true }).first().waitFor();
    await focused(button(day));
    const bar = main().getByRole("button", { name: /^Move, upcoming/ });
    await look("a month with a window");
    await pressWithKeys(page, bar);
    await focused(dialog().getByLabel("Title"));
    await escape(page);
    await focused(bar);
    await tabThrough(page);
    // The next month may begin with days of this one.
    await button("Month after").click();
    await button("Month after").click();
    await bar.waitFor({ state: "detached" });
    await button("Today").click();
    await pressWithKeys(page, rows("Active and upcoming").getByRole("button", { name: "Delete Move" }));
    await pressWithKeys(page, inDialog("Delete window"));
    await main().getByText("No planned maintenance.").waitFor();
    await notLost(page);
  });

  it("says that nobody can subscribe without a mail server", async () => {
    await page.getByRole("navigation", { name: "Status page" }).getByRole("link", { name: "Subscribers" }).click();
    await main().getByText("No mail server is configured.").waitFor();
    await look("no mail server");
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|09)/.test(text)),
      [],
    );
  });
});
