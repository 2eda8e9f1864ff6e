import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { AuditList } from "../../../src/administration/audit/answers.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { looks } from "../../support/looks.ts";
import { settled } from "../../support/page-checks.ts";
import { startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const TOKEN = "the-token-of-this-story";
const ENV = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_ADMIN_TOKEN: TOKEN };
const BEARER = { authorization: `Bearer ${TOKEN}` };

/** People log in and out; what was ended stays so, and the audit log says who did what. */
describe("sessions and the audit log, in the browser", () => {
  let program: Awaited<ReturnType<typeof startProgram>>;
  let browser: Browser;
  before(async () => {
    program = await startProgram({ env: ENV });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  async function login(to: string): Promise<{ page: Page; cookie: string }> {
    const { page } = await openPage(browser);
    await page.goto(program.url + to);
    await page.getByLabel("Admin token").fill(TOKEN);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(program.url + to);
    await page.getByRole("status").getByText("Live").waitFor();
    const [cookie] = await page.context().cookies();
    return { page, cookie: `${cookie?.name}=${cookie?.value}` };
  }

  const post = (path: string, headers: Record<string, string>, body?: object) =>
    fetch(program.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  it("a page goes to the login form when its session was ended elsewhere, and back after it", async () => {
    const { page, cookie } = await login("/settings");
    await page.getByText("You are logged in.").waitFor();
    assert.equal((await post("/logout", { cookie })).status, 303);
    await page.waitForURL(`${program.url}/login?next=%2Fsettings`);
    await page.getByLabel("Admin token").fill(TOKEN);
    const follows = page.waitForRequest((asked) => asked.url().includes("/api/v1/containers/events"));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${program.url}/settings`);
    // What ends with the session is there a moment after the page.
    await follows;

    // The page sees that it was logged out before the answer to it is there.
    const refused = page.waitForResponse((answer) => answer.status() === 401 && answer.request().method() === "HEAD");
    await page.route("**/logout", async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 });
      await refused;
      await route.fulfill({ response: answer });
    });
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    await page.waitForURL(`${program.url}/login`);
    await page.context().close();
  });

  it("ended sessions stay ended over a restart, and others continue", async () => {
    const [one, other] = [await login("/settings"), await login("/settings")];
    await post("/logout", { cookie: one.cookie });
    await program.kill();
    program = await startProgram({ env: ENV, dataDir: program.dataDir, port: program.port });
    const status = async (cookie: string): Promise<number> =>
      (await fetch(`${program.url}/api/v1/session`, { headers: { cookie } })).status;
    assert.deepEqual([await status(one.cookie), await status(other.cookie)], [401, 200]);

    const { page } = other;
    await page.goto(`${program.url}/settings`);
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log out everywhere" }).click();
    await page.waitForURL(/\/login/);
    assert.equal(await status(other.cookie), 401);
    await one.page.context().close();
    await page.context().close();
  });

  it("another admin token ends every session", async () => {
    const { page, cookie } = await login("/settings");
    await page.context().close();
    await program.stop();
    const shared = { dataDir: program.dataDir, port: program.port };
    program = await startProgram({ env: { ...ENV, SERVICE_ADMIN_TOKEN: "another-token-of-this-story" }, ...shared });
    assert.equal((await fetch(`${program.url}/api/v1/session`, { headers: { cookie } })).status, 401);
    await program.stop();
    program = await startProgram({ env: ENV, ...shared });
  });

  it("the audit log shows who changed what, and what was refused", async () => {
    const { page, cookie } = await login("/settings/audit");
    const name = "nightly backup";
    await post("/api/v1/heartbeats", { cookie }, { name, interval_seconds: 3600, grace_seconds: 300 });
    const { heartbeats } = (await (await fetch(`${program.url}/api/v1/heartbeats`, { headers: BEARER })).json()) as {
      heartbeats: { id: number }[];
    };
    assert.equal((await post(`/api/v1/heartbeats/${heartbeats[0]?.id}/pause`, BEARER)).status, 200);
    await post("/api/v1/heartbeats", { authorization: "Bearer wrong" }, { name });
    await until(async () => {
      const answer = await fetch(`${program.url}/api/v1/audit?outcome=refused`, { headers: BEARER });
      return ((await answer.json()) as AuditList).entries.length > 0;
    });

    await page.reload();
    const table = page.getByRole("table", { name: "Audit log" });
    await table.getByText("Pause: heartbeat").waitFor();
    await table.getByText("Create heartbeat").first().waitFor();
    await table.getByText("Refused: unauthorized").waitFor();
    await table.getByText("new → paused").waitFor();
    assert.ok((await table.getByText(name).count()) >= 2);

    await page.getByRole("button", { name: /Outcome/ }).click();
    await page.getByRole("menuitemradio", { name: "refused" }).click();
    await page.waitForURL(/outcome=refused/);
    await until(async () => (await table.getByText("Pause: heartbeat").count()) === 0);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "CSV" }).click()]);
    assert.equal(download.suggestedFilename(), "audit.csv");
    await page.context().close();
  });

  it("these pages fit on a phone and satisfy axe in both themes", async () => {
    const faults: string[] = [];
    const { page } = await openPage(browser, { extraHTTPHeaders: BEARER });
    for (const path of ["/settings", "/settings/audit"]) {
      await page.goto(program.url + path);
      await settled(page);
      faults.push(...(await looks(page, path)));
    }
    await page.context().close();
    assert.deepEqual(faults, []);
  });
});
