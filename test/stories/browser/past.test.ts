import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type MeasuredServer, startMeasured } from "../../../tools/bench/child.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { settled } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";

const COUNT = 20;

describe("the app as it was at a moment", () => {
  let server: MeasuredServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let url: string;
  let earlier: string;

  const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
  const at = (): string | null => new URL(page.url()).searchParams.get("at");

  before(async () => {
    [server, browser] = await Promise.all([startMeasured("containers", [String(COUNT)]), startBrowser()]);
    url = `http://127.0.0.1:${server.port}`;
    ({ page, complaints } = await openPage(browser, { reducedMotion: "reduce" }));
    const isKnown = async (): Promise<boolean> => {
      earlier = new Date().toISOString();
      return (await (await fetch(`${url}/api/v1/overview/moment?at=${earlier}`)).text()).includes('"is_known":true');
    };
    await until(isKnown, { what: "that somebody watches the host" });
    await server.ask({ change: 1, state: "exited" });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("shows what was then, and steps from change to change", async () => {
    await page.goto(`${url}/?at=${earlier}`);
    await heading(`All ${COUNT} containers healthy`);
    await settled(page);
    await page.getByRole("button", { name: "Next change" }).click();
    await heading("1 container down");
    assert.ok((at() ?? "") > earlier);
  });

  it("keeps the moment from page to page, whatever happens meanwhile, and offers nothing to do", async () => {
    await page.getByRole("link", { name: "As a list" }).click();
    await heading("Containers");
    await page.getByRole("listitem").filter({ hasText: "service-1" }).filter({ hasText: "Exited 1" }).waitFor();
    const shown = at();
    await server.ask({ change: 1, state: "running" });
    await page.getByRole("link", { name: "service-1", exact: true }).click();
    await heading("service-1");
    await page.getByText("Exited 1").first().waitFor();
    await page.getByRole("heading", { name: "Changes in the week before" }).waitFor();
    assert.equal(at(), shown);
    assert.equal(await page.locator("main button").count(), 0);
  });

  it("says of a page whose past is not kept that it shows only the present", async () => {
    await page.goto(`${url}/security?at=${earlier}`);
    await heading("This page shows only the present");
    await page.getByRole("button", { name: "Show this page as it is now" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasNotText: "only the present" }).waitFor();
    assert.equal(at(), null);
  });

  it("shows endpoints, heartbeats, certificates and hosts as they were", async () => {
    for (const [path, name, found] of [
      ["endpoints", "Endpoints", "No endpoints then"],
      ["heartbeats", "Heartbeats", "No heartbeats then"],
      ["certificates", "Certificates", "No certificates then"],
      ["hosts", "Hosts", "Monitored"],
    ] as const) {
      await page.goto(`${url}/${path}?at=${earlier}`);
      await heading(name);
      await page.getByText(found, { exact: true }).first().waitFor();
    }
  });

  it("shows a host with what ran there, and leads from it to a container", async () => {
    await page.goto(`${url}/hosts?at=${earlier}`);
    await page.getByRole("list", { name: "Hosts at that moment" }).getByRole("link").click();
    await page.getByText(`${COUNT} of ${COUNT} containers running`).waitFor();
    assert.equal(at(), earlier);
    const rows = page.getByRole("list", { name: "Containers at that moment" }).getByRole("listitem");
    assert.equal(await rows.count(), COUNT);
    await settled(page);
    await rows.getByRole("link", { name: "service-2", exact: true }).click();
    await heading("service-2");
    assert.equal(at(), earlier);
    await page.goto(`${url}/hosts/7d444840-9dc0-4000-8000-000000000001?at=${earlier}`);
    await page.getByRole("heading", { name: "This host was not monitored then" }).waitFor();
  });

  it("lists what changed, of the kinds that the address holds", async () => {
    await page.goto(`${url}/changes?since=${earlier}`);
    const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
    await changes.filter({ hasText: "It went from running to exited" }).waitFor();
    await page.getByRole("button", { name: "Kind: any" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Removed" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "No results" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("kind"), "container_removed");
    await page.goto(`${url}/changes?since=${earlier}&kind=container_changed,container_removed`);
    await page.getByRole("button", { name: "Kind: 2 chosen" }).waitFor();
    await changes.filter({ hasText: "It went from running to exited" }).waitFor();
    assert.equal(await changes.filter({ hasText: "Alert" }).count(), 0);
    await page.goto(`${url}/changes?since=${earlier}&kind=image_changed`);
    await page.getByRole("button", { name: "Show all kinds" }).click();
    await changes.filter({ hasText: "It went from running to exited" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("kind"), null);
  });

  it("is entered by a key, and takes a moment that is typed number by number", async () => {
    const moment = page.getByLabel("Moment", { exact: true });
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("m");
    await until(() => moment.evaluateAll(([field]) => field?.matches(":focus") === true), { what: "that the moment has the focus" });
    // Its first part is the month. A moment that came back after the 1 would be in January, and make the 0 a month by itself.
    await page.keyboard.type("10", { delay: 100 });
    await page.waitForURL(/at=\d{4}-10-/);
    assert.match(await moment.inputValue(), /^\d{4}-10-/);
    await page.keyboard.press("m");
    await moment.waitFor({ state: "detached" });
    assert.equal(at(), null);
  });

  it("says that a moment is in the future, and leads back to now", async () => {
    await page.goto(`${url}/?at=2100-01-01T00:00:00.000Z`);
    await page.getByText("Must not be in the future").waitFor();
    await page.getByRole("toolbar", { name: "Time machine" }).getByRole("button", { name: "Back to now" }).click();
    await page
      .getByRole("region", { name: /^project-/ })
      .first()
      .waitFor();
    assert.equal(at(), null);
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes("409")),
      [],
    );
  });
});
