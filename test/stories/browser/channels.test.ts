import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { escape, pick } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { type Receiver, startReceiver } from "../../support/receivers.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)> ".repeat(8).trim();
/** A text that only the server finds to be empty. */
const INVISIBLE = "\u200b";

describe("channels, in the browser", () => {
  let story: WebStory;
  let receiver: Receiver;
  let page: Page;
  let complaints: string[];

  before(async () => {
    [story, receiver] = await Promise.all([startWebStory(), startReceiver()]);
    await story.send<HeartbeatRecord>("POST", "heartbeats", { name: "nightly-backup", interval_seconds: 300 });
    ({ page, complaints } = await story.open("/notifications"));
  });

  after(async () => {
    await story?.stop();
    await receiver?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  it("asks for a kind, then for what that kind needs, and says at the field what is wrong", async () => {
    await main().getByRole("heading", { name: "No channels yet" }).waitFor();
    await look("no channels");
    await button("Add a channel").click();
    await dialog().getByRole("button", { name: "Webhook" }).waitFor();
    await look("the kinds of channels");
    await dialog().getByRole("button", { name: "Webhook" }).click();
    await dialog().getByRole("button", { name: "Add channel" }).click();
    await fault("Enter a name.");
    await focused(dialog().getByLabel("Name", { exact: true }));
    await look("a channel that lacks all");
    await dialog().getByLabel("Name", { exact: true }).fill(INVISIBLE);
    await dialog().getByLabel("URL").fill(`${receiver.url}/hook?key=hunter2`);
    await dialog().getByRole("button", { name: "Add channel" }).click();
    await fault("Must not be empty");
    await dialog().getByLabel("Name", { exact: true }).fill("Operations");
    await dialog().getByRole("button", { name: "Add header" }).click();
    await pressWithKeys(page, dialog().getByRole("button", { name: "Remove this header" }));
    await focused(dialog().getByRole("button", { name: "Add header" }));
    await page.keyboard.press("Enter");
    await dialog().getByLabel("Header name").fill("Authorization");
    await dialog().getByLabel("Value of Authorization").fill("Bearer hunter2");
    await dialog().getByRole("button", { name: "Add channel" }).click();
    await main().getByRole("heading", { level: 1, name: "Operations" }).waitFor();
    await main().getByText("Untested").waitFor();
    assert.equal((await page.content()).includes("hunter2"), false);
  });

  it("sends a test and shows the real answer, the focus staying on its button", async () => {
    await pressWithKeys(page, button("Send a test to Operations"));
    await main()
      .getByText(/^Delivered: HTTP 200 after/)
      .waitFor();
    await focused(button("Send a test to Operations"));
    const [sent] = await receiver.got(1);
    assert.deepEqual([sent?.path, sent?.headers.authorization], ["/hook?key=hunter2", "Bearer hunter2"]);
    receiver.manner = { kind: "refuse", status: 503, body: "<b>closed</b>" };
    await page.keyboard.press("Enter");
    await main()
      .getByText(/^Not delivered: HTTP 503 after/)
      .waitFor();
    receiver.manner = { kind: "accept" };
    await look("a channel that failed");
  });

  it("takes rules, by mouse and by keys", async () => {
    await button("Add a rule").click();
    await main().getByLabel("Severity").selectOption({ label: "Critical" });
    // Text from which nothing was chosen must not become a rule for everything.
    const about = main().getByRole("combobox", { name: "Applies to" });
    await about.fill("nightly");
    // The open list takes all else out of reach of roles, not of the pointer.
    await page.locator("main button[type=submit]").click();
    await main().getByText("Choose an entry from the list, or clear the text.").waitFor();
    await focused(about);
    assert.equal(await about.inputValue(), "nightly");
    await about.fill("");
    await pick(page, about, "nightly");
    await main().getByText("Critical alerts about nightly-backup will be sent here.").waitFor();
    await look("a new rule");
    await main().getByRole("button", { name: "Add rule" }).click();
    const rules = main().getByRole("list", { name: "Rules" }).getByRole("listitem");
    await rules.getByText("Critical alerts about nightly-backup").waitFor();
    await notLost(page);

    await pressWithKeys(page, button("Add a rule"));
    await main().getByLabel("Severity").waitFor();
    await notLost(page);
    await pressWithKeys(page, main().getByLabel("Kind"), "c");
    await main().getByText("Alerts from containers will be sent here.").waitFor();
    await pressWithKeys(page, main().getByRole("button", { name: "Add rule" }));
    await rules.nth(1).getByText("Alerts from containers").waitFor();
    await notLost(page);
    await tabTo(page, rules.nth(1).getByRole("button"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await rules.nth(1).waitFor({ state: "detached" });
    await notLost(page);
  });

  it("is edited and switched off by keys", async () => {
    await pressWithKeys(page, main().getByRole("link", { name: "Edit" }));
    await dialog().waitFor();
    await focused(dialog().getByLabel("Name", { exact: true }));
    await look("a channel being edited");
    await escape(page);
    await focused(main().getByRole("link", { name: "Edit" }));
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("Name", { exact: true }));
    await page.keyboard.press("Control+A");
    await page.keyboard.type(INVISIBLE);
    await page.keyboard.press("Enter");
    await fault("Must not be empty");
    await focused(dialog().getByLabel("Name", { exact: true }));
    await page.keyboard.press("Control+A");
    await page.keyboard.type(MARKUP);
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { level: 1, name: MARKUP }).waitFor();
    await focused(main().getByRole("link", { name: "Edit" }));
    await pressWithKeys(page, button("Disable"));
    await main().getByText("Disabled", { exact: true }).waitFor();
    await focused(button("Enable"));
    await look("a channel with a long name");
    await tabThrough(page);
  });

  it("is deleted once that is confirmed", async () => {
    await pressWithKeys(page, button("Delete"));
    await dialog().getByRole("button", { name: "Delete channel" }).waitFor();
    await look("the question");
    await escape(page);
    await focused(button("Delete"));
    await page.keyboard.press("Enter");
    await pressWithKeys(page, dialog().getByRole("button", { name: "Delete channel" }));
    await main().getByRole("heading", { name: "No channels yet" }).waitFor();
  });

  it("is added together with its rules in one form, and is notified of what can wait only when asked to", async () => {
    const { page: other, complaints: others } = await story.open("/notifications?create=webhook");
    async function add(name: string, hasInfo: boolean): Promise<string[]> {
      await other.goto(`${story.url}/notifications?create=webhook`);
      const form = other.getByRole("dialog");
      await form.getByLabel("Name", { exact: true }).fill(name);
      await form.getByLabel("URL").fill(`${receiver.url}/hook`);
      await pick(other, form.getByRole("combobox", { name: "Alerts about" }), "nightly");
      await form.getByRole("checkbox", { name: "Info alerts too" }).setChecked(hasInfo);
      assert.deepEqual(await looks(other, "a channel with its rules"), []);
      await form.getByRole("button", { name: "Add channel" }).click();
      await other.getByRole("heading", { level: 1, name }).waitFor();
      const rules = await other.getByRole("list", { name: "Rules" }).getByRole("listitem").allInnerTexts();
      await story.send("DELETE", `channels/${new URL(other.url()).pathname.split("/").at(-1)}`);
      return rules;
    }
    assert.deepEqual(await add("On call", false), ["Critical alerts about nightly-backup", "Warning alerts about nightly-backup"]);
    assert.deepEqual(await add("Diary", true), ["Alerts about nightly-backup"]);
    assert.deepEqual(others, []);
    await other.context().close();
  });

  it("stands in a list with many others, each with its own test", async () => {
    for (let number = 1; number <= 30; number += 1)
      await story.send("POST", "channels", { name: `${number} ${MARKUP}`, type: "webhook", url: `${receiver.url}/${number}` });
    const rows = main().getByRole("list", { name: "Channels" }).getByRole("listitem");
    await rows.nth(29).waitFor();
    await look("many channels");
    await pressWithKeys(page, rows.nth(0).getByRole("button"));
    await rows
      .nth(0)
      .getByText(/^Delivered/)
      .waitFor();
    await tabThrough(page);
    // The browser itself logs the answers 400 and 422 that were asked for above.
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|09)/.test(text)),
      [],
    );
  });
});
