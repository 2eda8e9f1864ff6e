import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { SubscriberList } from "../../../src/publishing/status/subscribers/answers.ts";
import { escape } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { type MailReceiver, startMailReceiver } from "../../support/mail-receiver.ts";
import { focused } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
/** A text that only the server finds to be empty. */
const INVISIBLE = "\u200b";
/** One transparent dot. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

describe("settings and subscribers of the status page, in the browser", () => {
  let mail: MailReceiver;
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    mail = await startMailReceiver();
    const env = { SERVICE_SMTP_HOST: mail.host, SERVICE_SMTP_PORT: String(mail.port), SERVICE_SMTP_FROM: "status@example.com" };
    story = await startWebStory({ env: { ...env, SERVICE_SMTP_TLS: "none" } });
    ({ page, complaints } = await story.open("/status-page/settings"));
  });

  after(async () => {
    await story?.stop();
    await mail?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const field = (label: string): Locator => main().getByLabel(label, { exact: true });
  const rows = (): Locator => main().getByRole("list", { name: "Subscribers" }).getByRole("listitem");
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const saved = (): Promise<void> => page.getByRole("status").getByText("Saved and live").waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);
  const publicPage = async (): Promise<Response> => fetch(`${story.url}/status/`);

  it("says at the field what is wrong with the settings", async () => {
    await field("Title").fill("");
    await field("Accent").fill("red");
    await field("Help").fill("nowhere");
    await button("Save").click();
    await fault("Enter a title.");
    await fault("Enter # and six hex digits, such as #2257c5.");
    await fault("Enter an address that starts with https:// or http://, or leave empty.");
    await focused(field("Title"));
    await look("settings with faults");
    await button("Discard changes").click();
    await field("Title").fill(INVISIBLE);
    await button("Save").click();
    await fault("Must not be empty");
    await focused(field("Title"));
  });

  it("are changed by keys, and the page shows it", async () => {
    await page.keyboard.press("Control+A");
    await page.keyboard.type(`Shop ${MARKUP}`);
    await page.keyboard.press("Enter");
    await saved();
    await focused(field("Title"));
    const shown = await until(async () => (await (await publicPage()).text()).match(/<title>.*?Shop.*?<\/title>/s)?.[0], {
      what: "the title",
    });
    assert.ok(shown.includes("img src=x") && !shown.includes("<img"), shown);
    await tabTo(page, main().getByLabel("Published"), "Shift+Tab");
    await page.keyboard.press("Space");
    await pressWithKeys(page, button("Save"));
    await main().getByText("The page is not published").waitFor();
    await focused(button("Save"));
    assert.equal((await publicPage()).status, 404);
    await look("a page that is not published");
    await main().getByLabel("Published").check();
    await button("Save").click();
    await saved();
  });

  it("take a logo that is a picture, and no other", async () => {
    await field("Logo").setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
    await fault("Use PNG, JPEG or WebP.");
    await field("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: PNG });
    await main().getByRole("img", { name: "The logo" }).waitFor();
    await button("Save").click();
    await saved();
    await pressWithKeys(page, button("Remove the logo"));
    await button("Remove the logo").waitFor({ state: "detached" });
    await notLost(page);
    await look("settings");
    await tabThrough(page);
  });

  it("lists subscribers, finds them by address and state, and forgets one", async () => {
    await page.getByRole("navigation", { name: "Status page" }).getByRole("link", { name: "Subscribers" }).click();
    // The logo is removed, and not saved so.
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await main().getByRole("heading", { name: "No subscribers yet" }).waitFor();
    await look("no subscribers");
    for (const email of ["ada@example.com", "grace@example.com", `${"long-".repeat(11)}@${"very-".repeat(11)}long.example.com`])
      await subscribe(email);
    await confirm("ada@example.com");
    await page.reload();
    await main().getByText("1 confirmed, 2 unconfirmed").waitFor();
    await look("few subscribers");

    await page.keyboard.press("/");
    await focused(page.getByRole("searchbox", { name: "Search addresses" }));
    await page.keyboard.type("grace");
    await until(async () => (await rows().count()) === 1, { what: "the one that fits" });
    await page.keyboard.press("Escape");
    await until(async () => (await rows().count()) === 3, { what: "all again" });
    await button("Status: any").click();
    await page.getByRole("menuitemradio", { name: /^confirmed/ }).click();
    await until(async () => (await rows().count()) === 1, { what: "the one that confirmed" });
    await until(() => new URL(page.url()).search === "?status=confirmed");

    await pressWithKeys(page, button("Delete ada@example.com"));
    await escape(page);
    await focused(button("Delete ada@example.com"));
    await page.keyboard.press("Enter");
    await focused(dialog().getByRole("button", { name: "Close" }));
    await pressWithKeys(page, dialog().getByRole("button", { name: "Delete subscriber" }));
    await main().getByRole("heading", { name: "No results" }).waitFor();
    await notLost(page);
    const { counts } = await story.send<SubscriberList>("GET", "status/subscribers");
    assert.deepEqual(counts, { pending: 2, confirmed: 0 });
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|04|09)/.test(text)),
      [],
    );
  });

  async function subscribe(email: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${story.url}/status/subscribe`, { method: "POST", headers, body: JSON.stringify({ email }) });
    assert.ok(answer.ok, await answer.text());
  }

  async function confirm(email: string): Promise<void> {
    const { raw } = await until(() => mail.received.find(({ to }) => to.includes(email)), { what: "the mail that asks" });
    const [, token] = /confirm\?token=([\w-]+)/.exec(raw.replace(/=\r\n/g, "").replace(/=3D/g, "=")) ?? [];
    const answer = await fetch(`${story.url}/status/confirm?token=${token}`, { method: "POST" });
    assert.ok(answer.ok, await answer.text());
  }
});
