import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openPage, startBrowser } from "../../support/browser.ts";
import { looks } from "../../support/looks.ts";
import { type Program, startProgram } from "../../support/program.ts";

const TOKEN = "the-token-of-this-story";
const SETTINGS = "/status-page/settings";

let program: Program;
let browser: Browser;
before(async () => {
  const env = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_ADMIN_TOKEN: TOKEN };
  [program, browser] = await Promise.all([startProgram({ env }), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

async function login(page: Page): Promise<void> {
  await page.getByLabel("Admin token").fill(TOKEN);
  await page.getByRole("button", { name: "Log in" }).click();
}

async function open(path: string): Promise<Page> {
  const { page } = await openPage(browser, { reducedMotion: "reduce" });
  await page.goto(program.url + path);
  await login(page);
  await page.waitForURL(program.url + path);
  await page.getByRole("status").getByText("Live").waitFor();
  return page;
}

async function endSession(): Promise<void> {
  const answer = await fetch(`${program.url}/api/v1/sessions`, { method: "DELETE", headers: { authorization: `Bearer ${TOKEN}` } });
  assert.equal(answer.status, 204);
}

const notice = (within: Page | Locator): Locator => within.getByRole("status").filter({ hasText: "Your session has ended." });

it("a form of a page keeps its text when the session ends, and is saved after a login in another tab", async () => {
  const page = await open(SETTINGS);
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  await title.fill("Another title");
  await endSession();
  await notice(page).waitFor();
  assert.deepEqual(await looks(page, "a form without a session"), []);
  const [tab] = await Promise.all([page.waitForEvent("popup"), notice(page).getByRole("link", { name: "Log in" }).click()]);
  await login(tab);
  await tab.waitForURL(program.url + SETTINGS);
  await tab.close();
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await notice(page).waitFor({ state: "detached" });
  assert.deepEqual([page.url(), await title.inputValue()], [program.url + SETTINGS, "Another title"]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("status").getByText("Saved and live").waitFor();

  // Without changes there is nothing to keep.
  await endSession();
  await page.waitForURL(/\/login\?next=/);
  await page.context().close();
});

it("a form in a window keeps its text too, and is left for the login form once it is given up", async () => {
  const page = await open("/endpoints");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Shop");
  await endSession();
  await notice(dialog).getByRole("link", { name: "Log in" }).waitFor();
  assert.equal(await dialog.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Shop");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(/\/login\?next=/);
  await page.context().close();
});
