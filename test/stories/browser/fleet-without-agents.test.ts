import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { LICENSES, mintLicense } from "../../../tools/license.ts";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { overflow, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";

/** A server that takes no agents says why, and how it comes to take them; it asks for none. */
describe("the fleet where no agents are taken, in the browser", () => {
  let embedded: Program;
  let community: Program;
  let browser: Browser;

  before(async () => {
    const env = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
    const licence = mintLicense(LICENSES, { edition: "personal", organisation: "Tests", days: 1 });
    community = await startProgram({ env });
    embedded = await startProgram({ env: { ...env, SERVICE_LICENSE_KEY: licence } });
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await embedded?.stop();
    await community?.stop();
  });

  it("shows in embedded mode how the server comes to take them", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${embedded.url}/hosts`);
    await page.getByText("SERVICE_MODE: server").waitFor();
    assert.equal(await page.getByRole("main").getByRole("link", { name: "Add host" }).count(), 0);
    await page.goto(`${embedded.url}/hosts/new`);
    await page.getByText("This server monitors its own host only.").waitFor();
    assert.deepEqual([...(await violations(page, "embedded")), ...(await overflow(page, "embedded")), ...complaints], []);
  });

  it("says which edition grants them", async () => {
    const { page, complaints } = await openPage(browser, { viewport: PHONE });
    for (const path of ["/hosts", "/hosts/new"]) {
      await page.goto(community.url + path);
      await page.getByText("Other hosts come with the Personal edition:").waitFor();
      assert.deepEqual([...(await violations(page, path)), ...(await overflow(page, path))], []);
    }
    // What would be refused was not asked for.
    assert.deepEqual(complaints, []);
  });
});
