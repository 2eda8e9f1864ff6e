import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { AlertRecord } from "../../../src/alerting/alerts/api.ts";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { AcknowledgmentList, AcknowledgmentRecord, Posture } from "../../../src/monitoring/security/answers.ts";
import { LICENSES, mintLicense } from "../../../tools/license.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled, violations } from "../../support/page-checks.ts";
import { takePort } from "../../support/ports.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

/** Within the limits of the API. */
const SELDOM = { everyMs: 200, withinMs: 20_000 };

const byGrace = ({ acknowledged_by }: AcknowledgmentRecord): boolean => acknowledged_by === "Grace";

/** What a real container exposes is on the page, and is accepted there by somebody, with a reason, and taken back. */
describe("security, in the browser", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    // Before the browser: interfaces that come and go make Chromium drop its requests.
    await containers.run("shop", ["-p", `0.0.0.0:${await takePort()}:80`], "sleep", "100000");
    const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 });
    [program, browser] = await Promise.all([
      startProgram({ env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_LICENSE_KEY: licence } }),
      startBrowser(),
    ]);
    await alertOf("shop");
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/security`);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.evaluate("window.neverReloaded = true");
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const named = (name: string): string => `${containers.prefix}-${name}`;
  const findings = (of: Page = page): Locator => of.getByRole("list", { name: "Findings" }).getByRole("listitem");
  const finding = (name: string): Locator => findings().filter({ has: page.getByRole("link", { name: named(name), exact: true }) });
  const shownScore = async (): Promise<number> => Number.parseInt(await page.getByText(/^(?:\d+|–) of 100$/).innerText(), 10);
  const score = async (): Promise<number> => (await program.get<Posture>("/api/v1/security/posture")).score ?? Number.NaN;
  /** Each may be asked for while the other is on its way. */
  const scoreIsShown = (): Promise<boolean> =>
    until(async () => (await shownScore()) === (await score()), { ...SELDOM, what: "that the page shows the score" });
  const alertOf = (name: string): Promise<AlertRecord> =>
    until(
      async () => {
        const { alerts } = await program.get<ActiveAlerts>("/api/v1/alerts/active");
        return alerts.find(({ source, entity_name }) => source === "security" && entity_name === named(name));
      },
      { ...SELDOM, what: `an alert of ${name}` },
    );

  it("shows what is exposed, as it comes, with what to write instead", async () => {
    await finding("shop").getByText("Port exposed on all interfaces: 80/tcp", { exact: true }).waitFor();
    await containers.run("tools", ["--network", "host"], "sleep", "100000");
    await finding("tools").getByText("Host network mode", { exact: true }).waitFor();
    await page.getByRole("list", { name: "Worst containers" }).getByText(named("tools")).waitFor();
    await page
      .getByRole("list", { name: "Next steps" })
      .getByRole("listitem")
      .filter({ hasText: named("shop") })
      .waitFor();
    const why = finding("shop").getByText("Why it matters and how to fix it");
    await why.focus();
    await page.keyboard.press("Enter");
    await finding("shop")
      .getByText(/"127\.0\.0\.1:\d+:80"/)
      .waitFor();
    await scoreIsShown();
  });

  it("asks who accepts it and why, by the keyboard alone, and the score rises", async () => {
    const earlier = await score();
    await finding("shop").getByRole("button", { name: "Acknowledge" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Acknowledge finding" });
    await dialog.getByLabel("Your name").waitFor();
    assert.deepEqual(await violations(page, "the dialog"), []);
    await focused(dialog.getByLabel("Your name"));
    await page.keyboard.press("Enter");
    await dialog.getByText("Enter a reason.").waitFor();
    await focused(dialog.getByLabel("Your name"));
    await page.keyboard.type("Ada <b>");
    await page.keyboard.press("Tab");
    await page.keyboard.type("The shop is meant to be public");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await finding("shop")
      .getByText(/^Acknowledged by Ada <b> .*: The shop is meant to be public$/)
      .waitFor();
    await until(async () => (await shownScore()) > earlier, { ...SELDOM, what: "that the score rises" });
    await scoreIsShown();
    await page
      .getByRole("list", { name: "Next steps" })
      .getByRole("listitem")
      .filter({ hasText: named("shop") })
      .waitFor({ state: "detached" });
  });

  it("has the alert in hand with it", async () => {
    const { id } = await until(async () => {
      const alert = await alertOf("shop");
      return alert.acknowledged_by === "Ada <b>" ? alert : undefined;
    }, SELDOM);
    const { page: other } = await openPage(browser);
    await other.goto(`${program.url}/alerts/${id}`);
    await other
      .getByText(/^Acknowledged by Ada <b>.*The shop is meant to be public/)
      .first()
      .waitFor();
    await other.context().close();
  });

  it("narrows to what nobody acknowledged, in its address", async () => {
    await page.getByRole("button", { name: "Acknowledged: any" }).click();
    await page.getByRole("menuitemradio", { name: /^Unacknowledged/ }).click();
    await finding("shop").waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).search, "?acknowledged=no");
    await page.goBack();
    await finding("shop").waitFor();
  });

  it("serves everybody, on wide and narrow screens, in both themes", async () => {
    const { page: other } = await openPage(browser);
    await other.goto(`${program.url}/security`);
    await findings(other).first().waitFor();
    await settled(other);
    await other.getByText("Why it matters and how to fix it").first().click();
    const faults = await looks(other, "security");
    await other
      .getByRole("button", { name: /^Acknowledge ?:/ })
      .first()
      .click();
    await other.getByRole("dialog").getByLabel("Reason").waitFor();
    faults.push(...(await looks(other, "acknowledge", "[role=dialog]")));
    await other.context().close();
    assert.deepEqual(faults, []);
  });

  it("takes it back, and it counts again", async () => {
    const earlier = await score();
    await finding("shop").getByRole("button", { name: "Revoke" }).focus();
    await page.keyboard.press("Enter");
    await finding("shop").getByRole("button", { name: "Acknowledge" }).waitFor();
    await until(async () => (await shownScore()) < earlier, { ...SELDOM, what: "that the score falls" });
    assert.equal(await page.evaluate("window.neverReloaded"), true);
    assert.deepEqual(complaints, []);
  });

  it("acknowledges several in one form, which can be taken back for a moment", async () => {
    const other = await openPage(browser);
    await other.page.goto(program.url);
    await other.page.getByRole("link", { name: /open security finding/ }).click();
    const rows = findings(other.page);
    await rows.first().waitFor();
    const isInSight = (): Promise<boolean> =>
      rows.first().evaluate((row) => row.getBoundingClientRect().bottom <= (row.ownerDocument.defaultView?.innerHeight ?? 0));
    await until(isInSight, { ...SELDOM, what: "that the findings are in sight" });
    assert.equal(new URL(other.page.url()).search, "?acknowledged=no");
    const asked = await rows.count();
    assert.ok(asked > 1);
    await rows.first().getByRole("checkbox").check();
    const bar = other.page.getByRole("toolbar", { name: "Selected findings" });
    await bar.getByRole("button", { name: /^Select all/ }).click();
    await bar.getByText(`${asked} selected`).waitFor();
    assert.deepEqual(await looks(other.page, "selected findings", "main"), []);
    await bar.getByRole("button", { name: "Acknowledge" }).click();
    const dialog = other.page.getByRole("dialog");
    await dialog.getByLabel("Your name").fill("Grace");
    await dialog.getByLabel("Reason").fill("Known");
    await dialog.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await other.page.getByRole("button", { name: "Undo" }).click();
    await rows.first().getByRole("checkbox").waitFor();
    assert.equal((await program.get<AcknowledgmentList>("/api/v1/security/acknowledgments")).acknowledgments.filter(byGrace).length, 0);
    await other.page.getByRole("button", { name: `Select all ${asked}`, exact: true }).click();
    await other.page.getByRole("button", { name: "Clear the selection", exact: true }).waitFor();
    await other.page.keyboard.press("Escape");
    await bar.waitFor({ state: "hidden" });
    await other.page.getByRole("button", { name: `Acknowledge all ${asked}`, exact: true }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await other.page.keyboard.press("X");
    await bar.getByText(`${asked} selected`).waitFor();
    await other.page.keyboard.press("a");
    await dialog.getByLabel("Reason").fill("Known");
    await dialog.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await other.page.getByRole("heading", { name: /^No / }).waitFor();
    const made = (await program.get<AcknowledgmentList>("/api/v1/security/acknowledgments")).acknowledgments.filter(byGrace);
    assert.equal(made.length, asked);
    for (const { id } of made) await fetch(`${program.url}/api/v1/security/acknowledgments/${id}`, { method: "DELETE" });
    assert.deepEqual(other.complaints, []);
    await other.page.context().close();
  });
});
