import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { escape, pick } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { type Receiver, startReceiver } from "../../support/receivers.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
/** A text that only the server finds to be empty. */
const INVISIBLE = "\u200b";

describe("triggers, escalation policies and webhooks, in the browser", () => {
  let story: WebStory;
  let receiver: Receiver;
  let page: Page;
  let complaints: string[];
  let job: HeartbeatRecord;

  before(async () => {
    [story, receiver] = await Promise.all([startWebStory({ start: startWatchedServer }), startReceiver()]);
    job = await story.send("POST", "heartbeats", { name: "nightly-backup", interval_seconds: 300 });
    await story.ping(job.uuid, "/1");
    ({ page, complaints } = await story.open("/notifications/routing"));
  });

  after(async () => {
    await story?.stop();
    await receiver?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const inDialog = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  const rows = (name: string): Locator => main().getByRole("list", { name, exact: true }).getByRole("listitem");
  const tab = (name: string): Locator => page.getByRole("navigation", { name: "Notifications" }).getByRole("link", { name });
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).first().waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  it("makes a trigger with the mouse, once there is a channel, and tries it on the past", async () => {
    await main().getByText("Add a channel first.").waitFor();
    await look("no triggers, no channels");
    await story.send("POST", "channels", { name: "Operations", type: "webhook", url: receiver.url });
    await button("Add a trigger").click();
    await inDialog("Add trigger").click();
    await page.getByRole("alert").first().waitFor();
    await focused(dialog().getByLabel("Name", { exact: true }));
    await dialog().getByLabel("Name", { exact: true }).fill(INVISIBLE);
    await inDialog("Critical").click();
    await dialog().getByLabel("Tags").fill("night,");
    await inDialog("Remove night").click();
    await focused(dialog().getByLabel("Tags"));
    await pick(page, dialog().getByRole("combobox", { name: "Channels" }), "Operations");
    await inDialog("Add trigger").click();
    await fault("Must not be empty");
    await inDialog("Preview on the last 30 days").click();
    await dialog().getByText("1 alert from the last 30 days matches: 1 message would have been sent.").waitFor();
    await look("a trigger that is tried");
    await dialog().getByLabel("Name", { exact: true }).fill(`Nights ${MARKUP}`);
    await inDialog("Add trigger").click();
    await rows("Triggers").getByText(`Nights ${MARKUP}`).first().waitFor();
    await rows("Triggers")
      .getByText(/^Critical alerts/)
      .waitFor();
  });

  it("tries, switches off, edits and deletes a trigger by keys", async () => {
    const [row] = [rows("Triggers").first()];
    const act = (name: string): Locator => row.getByRole("button", { name: new RegExp(`^${name}`) });
    await pressWithKeys(page, act("Preview"));
    await row.getByText("1 alert from the last 30 days matches").waitFor();
    await focused(act("Preview"));
    await look("a trigger that was tried");
    await pressWithKeys(page, act("Disable"));
    await row.getByText("Disabled", { exact: true }).waitFor();
    await focused(act("Enable"));
    await pressWithKeys(page, act("Edit"));
    await focused(dialog().getByLabel("Name", { exact: true }));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Days");
    await page.keyboard.press("Enter");
    await row.getByText("Days", { exact: true }).first().waitFor();
    await focused(act("Edit"));
    await pressWithKeys(page, act("Delete"));
    await escape(page);
    await focused(act("Delete"));
    await page.keyboard.press("Enter");
    await pressWithKeys(page, inDialog("Delete trigger"));
    await main().getByRole("heading", { name: "No triggers yet" }).waitFor();
    await notLost(page);
  });

  it("makes an escalation policy, with a fault at its level", async () => {
    await tab("Escalation").click();
    await main().getByRole("heading", { name: "No escalation policies yet" }).waitFor();
    await look("no policies");
    await button("Add a policy").click();
    await dialog().getByLabel("Name", { exact: true }).fill("Nights");
    const levels = dialog().getByRole("group", { name: /^Level \d$/ });
    await levels.nth(1).getByLabel("After").fill("1 min");
    await inDialog("Add policy").click();
    await fault("Later than the level before: all count from the start.");
    await fault("Choose at least one channel.");
    await look("a policy with faults");
    await levels.nth(0).getByLabel("After").fill("0");
    await pick(page, levels.nth(0).getByRole("combobox", { name: "Notify" }), "Operations");
    await pick(page, levels.nth(1).getByRole("combobox", { name: "Notify" }), "Operations");
    await dialog().getByText("No overlapping policies.").waitFor();
    await inDialog("Add policy").click();
    await rows("Escalation policies").getByText("Nights", { exact: true }).first().waitFor();
  });

  it("shows what a policy did, and changes and deletes it by keys", async () => {
    const row = rows("Escalation policies").first();
    const act = (name: string): Locator => row.getByRole("button", { name: new RegExp(`^${name}`) });
    await story.ping(job.uuid);
    await until(async () => (await story.send<ActiveAlerts>("GET", "alerts/active")).alerts.length === 0, { what: "the end of the alert" });
    await story.ping(job.uuid, "/1");
    await until(() => receiver.received.find(({ body }) => body.includes("escalation")), { what: "what its first level sends" });
    await pressWithKeys(page, act("Runs"));
    await row.getByRole("list", { name: "Runs of Nights" }).getByText("Alert 2").waitFor();
    await look("a policy and its runs");
    await page.keyboard.press("Enter");
    await pressWithKeys(page, act("Edit"));
    await focused(dialog().getByLabel("Name", { exact: true }));
    await page.keyboard.press("Control+A");
    await page.keyboard.type(INVISIBLE);
    await page.keyboard.press("Enter");
    await fault("Must not be empty");
    await focused(dialog().getByLabel("Name", { exact: true }));
    await pressWithKeys(page, inDialog("Remove level 2"));
    await focused(inDialog("Add level"));
    await pressWithKeys(page, inDialog("Add level"));
    await focused(page.locator("[role=dialog] :focus"));
    await escape(page);
    await focused(act("Edit"));
    await pressWithKeys(page, act("Disable"), "Space");
    await row.getByText("Disabled", { exact: true }).waitFor();
    await focused(act("Enable"));
    await pressWithKeys(page, act("Delete"));
    await pressWithKeys(page, inDialog("Delete policy"));
    await main().getByRole("heading", { name: "No escalation policies yet" }).waitFor();
    await notLost(page);
  });

  it("makes a webhook, shows its secret once, tests it and lists what was sent", async () => {
    await tab("Webhooks").click();
    await main().getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await look("no webhooks");
    await button("Add a webhook").click();
    await dialog().getByLabel("Name", { exact: true }).fill(INVISIBLE);
    await dialog().getByLabel("URL").fill(`${receiver.url}/events`);
    await dialog().getByRole("combobox", { name: "Events" }).fill("alert");
    await page.getByRole("option", { name: /^alert\.\*/ }).click();
    await page.keyboard.press("Tab");
    await inDialog("Add webhook").click();
    await fault("Must not be empty");
    await look("a webhook with a fault");
    await dialog().getByLabel("Name", { exact: true }).fill("Tickets");
    await inDialog("Add webhook").click();
    await page.getByRole("dialog", { name: "The secret of Tickets" }).waitFor();
    await look("the secret");
    await inDialog("Done").click();
    const row = rows("Webhooks").first();
    await row.getByRole("button", { name: "Test to Tickets" }).click();
    await row.getByText(/^Delivered: HTTP 200/).waitFor();
    await story.ping(job.uuid);
    await until(() => receiver.received.some(({ body }) => body.includes("alert.resolved")), { what: "an event" });
    await pressWithKeys(page, row.getByRole("button", { name: "Deliveries of Tickets" }));
    await row.getByRole("list", { name: "Deliveries of Tickets" }).getByRole("listitem").first().waitFor();
    await look("a webhook");
    await page.keyboard.press("Enter");
  });

  it("switches a webhook off, gives it a new secret and deletes it by keys", async () => {
    const row = rows("Webhooks").first();
    const act = (name: string): Locator => row.getByRole("button", { name: new RegExp(`^${name}`) });
    await pressWithKeys(page, act("Disable"));
    await focused(act("Enable"));
    await pressWithKeys(page, act("Edit"));
    await focused(dialog().getByLabel("Name", { exact: true }));
    await pressWithKeys(page, inDialog("Generate"));
    await until(async () => (await dialog().getByLabel("New secret").inputValue()).length > 20, { what: "a secret" });
    await tabTo(page, inDialog("Copy secret"), "Shift+Tab");
    await pressWithKeys(page, inDialog("Save"));
    await dialog().waitFor({ state: "hidden" });
    await focused(act("Edit"));
    await tabThrough(page);
    await pressWithKeys(page, act("Delete"));
    await pressWithKeys(page, inDialog("Delete webhook"));
    await main().getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await notLost(page);
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|09)/.test(text)),
      [],
    );
  });
});
