import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { SettingsRecord } from "../../../src/publishing/status/settings/answers.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { looks } from "../../support/looks.ts";
import { focused, shifts } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { storyOnBothDatabases } from "../../support/story-databases.ts";
import { until } from "../../support/until.ts";

const DOMAIN = "status.example.com";

/** A status page under a host name of its owner, of which the browser believes that it leads here. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let browser: Browser;
  let env: Record<string, string>;
  let program: Program & { dataDir: string; port: number };
  let page: Page;
  let complaints: string[];

  before(async () => {
    browser = await startBrowser({ flags: [`--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`] });
    env = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", ...(await databaseEnv()) };
    program = await startProgram({ env });
    ({ page, complaints } = await openPage(browser, { reducedMotion: "reduce" }));
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const field = (): Locator => page.getByRole("main").getByLabel("Domain", { exact: true });
  const save = (): Promise<void> => page.getByRole("main").getByRole("button", { name: "Save", exact: true }).click();
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const onDomain = (path: string): string => `http://${DOMAIN}:${program.port}${path}`;
  /** What programs get there, which send whatever Host they like. */
  const statusAt = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request({ port: program.port, path, headers: { host: DOMAIN } }, (answer) => resolve(answer.resume().statusCode));
      asked.on("error", reject).end();
    });

  /** A page draws with the font that it has in time, which a busy machine may miss. */
  async function inFontOfApp(): Promise<void> {
    await until(
      async () => {
        if ((await fontOf(page, "h1 bdi"))?.startsWith("Inter") === true) return true;
        await page.reload();
        return false;
      },
      { what: "the font of the app", everyMs: 500 },
    );
  }

  it("is set in the settings, where its field says what is wrong", async () => {
    await page.goto(`${program.url}/status-page/settings`);
    await field().fill("https://status.example.com/");
    await save();
    await fault("Must not have a scheme: write status.example.com");
    await focused(field());
    assert.deepEqual(await looks(page, "settings with a wrong domain"), []);
    await field().fill(` ${DOMAIN.toUpperCase()} `);
    await save();
    await page.getByRole("status").getByText("Saved and live").waitFor();
    await page.getByRole("main").getByText(`https://${DOMAIN}/`, { exact: true }).first().waitFor();
    assert.equal(await field().inputValue(), DOMAIN);
  });

  it("must not be the name of the app, as the server says at the field", async () => {
    const other = await startProgram({
      env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_BASE_URL: "https://watch.example.com" },
    });
    try {
      await page.goto(`${other.url}/status-page/settings`);
      await field().fill("watch.example.com");
      await save();
      await fault("Must not be the host of SERVICE_BASE_URL");
      await focused(field());
    } finally {
      await other.stop();
    }
  });

  it("shows the page at its root, live, in the font of the app, and looks right", async () => {
    await page.goto(onDomain("/"));
    await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
    await page.locator("html[data-live]").waitFor({ state: "attached" });
    assert.deepEqual(await looks(page, "the page at the root of its domain"), []);
    assert.equal(await page.evaluate("document.querySelector('link[rel=canonical]').href"), `https://${DOMAIN}/`);
    await inFontOfApp();
    // Changes of the size of the window count too.
    await page.reload();
    assert.equal(await shifts(page), 0, "nothing moves while the page is loaded");
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: /^Incidents, / }).waitFor();
    assert.equal(new URL(page.url()).host, `${DOMAIN}:${program.port}`);
    await inFontOfApp();
    assert.deepEqual(await looks(page, "the history at the domain"), []);
    await page.goto(onDomain("/?embed=1"));
    await page.locator("body.embed").waitFor();
  });

  it("has nothing of the app, which stays where it was, over a restart too", async () => {
    await program.stop();
    program = await startProgram({ env, dataDir: program.dataDir, port: program.port });
    for (const path of ["/containers", "/api/v1/status/settings", "/api/v1/health", "/mcp", "/metrics", "/index.html", "/login"])
      assert.equal(await statusAt(path), 404, path);
    assert.equal(await statusAt("/status/api"), 200);
    const { domain, public_url: url } = await program.get<SettingsRecord>("/api/v1/status/settings");
    assert.deepEqual([domain, url], [DOMAIN, `https://${DOMAIN}/`]);
    await page.goto(`${program.url}/status-page/settings`);
    await field().fill("");
    await save();
    await page.getByRole("status").getByText("Saved and live").waitFor();
    assert.equal(await statusAt("/"), 421, "it is a name of nobody again");
    // The app's worker may fetch what it keeps for later while the program restarts, and a page ask for its events.
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|04|09)|ERR_CONNECTION_(?:REFUSED|RESET) .*\/(assets\/|events[?)])/.test(text)),
      [],
    );
  });
}

/** The family of the font with which the text of an element is drawn, without that of elements deep within it. */
async function fontOf(page: Page, selector: string): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send("DOM.enable");
    await session.send("CSS.enable");
    const { root } = await session.send("DOM.getDocument");
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    return fonts[0]?.familyName;
  } finally {
    await session.detach();
  }
}

storyOnBothDatabases("a status page with a domain", story);
