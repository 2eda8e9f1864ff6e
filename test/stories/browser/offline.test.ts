import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openPage, startBrowser } from "../../support/browser.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const TOKEN = "the-token-of-this-story";
const ENV = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_ADMIN_TOKEN: TOKEN };

/** A phone in a tunnel, or a server that is down: the app opens all the same. */
describe("the installed app", () => {
  let program: Program & { dataDir: string; port: number };
  let browser: Browser;
  before(async () => {
    [program, browser] = await Promise.all([startProgram({ env: ENV }), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  async function login(to: string): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage(browser, { serviceWorkers: "allow" });
    await opened.page.goto(program.url + to);
    await opened.page.getByLabel("Admin token").fill(TOKEN);
    await opened.page.getByRole("button", { name: "Log in" }).click();
    await opened.page.waitForURL(program.url + to);
    return opened;
  }

  /** The addresses in the caches, and the bodies of the answers. */
  async function kept(page: Page): Promise<{ paths: string[]; text: string }> {
    return page.evaluate<{ paths: string[]; text: string }>(`(async () => {
      const paths = [];
      let text = "";
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          paths.push(new URL(request.url).pathname);
          if (name.startsWith("binnacle-state")) text += await (await cache.match(request))?.text();
        }
      }
      return { paths, text };
    })()`);
  }

  const isWhole = async (page: Page): Promise<boolean> => {
    const { paths } = await kept(page);
    return paths.includes("/") && paths.includes("/api/v1/session");
  };

  it("can be installed: its manifest is read without a fault", async () => {
    const { page } = await login("/");
    const session = await page.context().newCDPSession(page);
    const { url, errors, data } = await session.send("Page.getAppManifest");
    assert.deepEqual([url, errors], [`${program.url}/manifest.webmanifest`, []]);
    const { icons } = JSON.parse(data ?? "{}") as { icons: { src: string; sizes: string; purpose: string }[] };
    assert.deepEqual(
      new Set(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)),
      new Set(["any any", "192x192 any", "512x512 any", "512x512 maskable"]),
    );
    for (const { src } of icons) assert.equal((await fetch(program.url + src)).status, 200, src);
    await page.context().close();
  });

  it("opens without the server, with the last state and its time, and continues when the server is back", async () => {
    const created = await fetch(`${program.url}/api/v1/heartbeats`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "nightly backup", interval_seconds: 3600, grace_seconds: 60 }),
    });
    const { uuid } = (await created.json()) as { uuid: string };
    const { page } = await login("/");
    const version = await page.evaluate("fetch('/api/v1/health').then((answer) => answer.json()).then(({ version }) => version)");
    await until(() => isWhole(page), { everyMs: 200 });
    const { text, paths } = await kept(page);
    assert.match(text, /nightly backup/);
    assert.ok(!text.includes(uuid), "who reads the cache could ping the heartbeat");
    assert.ok(paths.length < 200, `${paths.length} answers are kept`);

    await program.stop();
    await page.goto(`${program.url}/heartbeats`);
    await page.getByRole("link", { name: "nightly backup" }).waitFor();
    const notice = page.getByRole("status").filter({ hasText: "Cannot reach the server. The data below is from" });
    await notice.waitFor();
    assert.match(await notice.innerText(), /from .*\d\d:\d\d/);
    // What the server is compared with once it answers.
    assert.equal(await page.evaluate("document.documentElement.dataset.keptVersion"), version);
    // A page that was never opened before, by a way within the app.
    await page.getByRole("link", { name: "Certificates" }).first().click();
    await page.getByRole("heading", { name: "Certificates", level: 1 }).waitFor();
    await page.evaluate("window.neverReloaded = true");

    program = await startProgram({ env: ENV, dataDir: program.dataDir, port: program.port });
    await page.getByRole("status").getByText("Live").waitFor({ timeout: 60_000 });
    await notice.waitFor({ state: "hidden" });
    assert.equal(await page.getByText("The server now runs version").count(), 0);
    assert.equal(await page.evaluate("window.neverReloaded"), true);

    // The page now shows newer state than what is kept: a later outage must not replace it.
    const reread = () => page.evaluate("fetch('/api/v1/heartbeats').then(({ status }) => status, () => 'unreachable')");
    assert.equal(await reread(), 200);
    await program.stop();
    assert.equal(await reread(), "unreachable");
    program = await startProgram({ env: ENV, dataDir: program.dataDir, port: program.port });
    await page.context().close();
  });

  it("keeps nothing once somebody logged out, here or elsewhere", async () => {
    for (const leave of ["here", "elsewhere"]) {
      const { page } = await login("/settings");
      await until(() => isWhole(page), { everyMs: 200 });
      if (leave === "here") await page.getByRole("button", { name: "Log out", exact: true }).click();
      else await fetch(`${program.url}/api/v1/sessions`, { method: "DELETE", headers: { authorization: `Bearer ${TOKEN}` } });
      await page.waitForURL(/\/login/);
      await until(async () => (await kept(page)).paths.length === 0, { everyMs: 100 });
      await program.stop();
      await assert.rejects(page.goto(program.url), /ERR_/, leave);
      program = await startProgram({ env: ENV, dataDir: program.dataDir, port: program.port });
      await page.context().close();
    }
  });
});
