import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { until } from "../../support/until.ts";
import { overflow, painted, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";

describe("endpoints and certificates", () => {
  let program: Program;
  let browser: Browser;
  let site: Server;
  let target: string;
  let isWell = true;

  before(async () => {
    site = createServer((_request, response) => response.writeHead(isWell ? 200 : 503).end());
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has an address of this kind.
    target = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    [program, browser] = await Promise.all([startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } }), startBrowser()]);
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    site?.close();
  });

  it("makes an endpoint, sees it fail and recover without reading again, and deletes it", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${program.url}/endpoints`);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("button", { name: "Add and check" }).click();
    await page.getByRole("alert").filter({ hasText: "begins with http://" }).waitFor();
    await page.getByLabel("URL").fill(`http://${target}/`);
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await page.getByLabel("Interval").fill("5");
    await page.getByLabel("Timeout").fill("2");
    await page.getByLabel("Down after").fill("1");
    await page.getByLabel("Up after").fill("1");
    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByLabel("Header name").fill("X-Key");
    await page.getByLabel("Value of X-Key").fill("hunter2");
    await page.getByRole("button", { name: "Add and check" }).click();
    await page.getByRole("heading", { name: "Shop" }).waitFor();
    await page.getByText("Answered HTTP 200").first().waitFor();

    isWell = false;
    await page.getByText(/^Down for .*503/).waitFor();
    await showsResponsesOfAlert();
    isWell = true;
    await page.getByText(/^Up for /).waitFor();
    assert.equal((await page.content()).includes("hunter2"), false);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete endpoint" }).click();
    await page.waitForURL("**/endpoints");
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor();
    await page.context().close();
  });

  /** The page of the alert draws how the endpoint answered around it. */
  async function showsResponsesOfAlert(): Promise<void> {
    const active = () => program.get<ActiveAlerts>("/api/v1/alerts/active");
    const id = await until(async () => (await active()).alerts.find(({ source }) => source === "endpoint")?.id);
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/alerts/${id}`);
    const chart = page.getByRole("figure", { name: "Response time" });
    await chart.getByText(/failed checks?, shaded$/).waitFor();
    await chart.getByRole("slider").focus();
    await page.keyboard.press("End");
    await until(async () => /failed/.test((await chart.getByRole("slider").getAttribute("aria-valuetext")) ?? ""));
    assert.deepEqual([...(await violations(page, "an alert about an endpoint")), ...complaints], []);
    await page.context().close();
  }

  it("says at once what the first look at a certificate saw", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${program.url}/certificates?create=yes`);
    await page.getByLabel("Host").fill(target);
    await page.getByRole("button", { name: "Add and check" }).click();
    // In the list behind it too.
    await page.getByRole("dialog").getByText("does not speak TLS").waitFor();
    await page.getByRole("link", { name: "Show details" }).click();
    await page.getByRole("heading", { name: target }).waitFor();
    await page.context().close();
  });

  it("serves everybody, on wide and narrow screens, in both themes", async () => {
    const faults: string[] = [];
    for (const [colorScheme, viewport] of [["light", DESKTOP] as const, ["dark", { ...PHONE, width: 360 }] as const]) {
      const { page } = await openPage(browser, { colorScheme, viewport });
      for (const path of ["/endpoints", "/endpoints?create=yes", "/certificates", "/certificates?create=yes", "/certificates/1"]) {
        await page.goto(`${program.url}${path}`);
        // What is behind a dialog is closed off.
        if (path.includes("create")) await page.getByRole("dialog").waitFor();
        else await settled(page);
        await painted(page);
        faults.push(...(await violations(page, path)), ...(await overflow(page, path)));
      }
      await page.context().close();
    }
    assert.deepEqual(faults, []);
  });
});
