import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Topology } from "../../../src/publishing/overview/answers.ts";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { settled } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const PROJECT = "com.docker.compose.project=parts";

describe("the map", () => {
  let engine: TestEngine;
  let program: Program;
  let browser: Browser;
  let containers: TestContainers;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    const published = ["-p", "127.0.0.1::80", "-p", "0.0.0.0::81"];
    await start("web", [...published, "--label", "com.docker.compose.depends_on=api:service_started:false"]);
    await start("api", ["--network", "none", "--label", "com.docker.compose.depends_on=db:service_healthy:false"]);
    const db = await start("db", ["--network", "none"]);
    await start("lone", ["--network", "none"]);
    await start("sidecar", ["--network", `container:${db}`]);
    // After the containers: networks that come and go disturb it.
    browser = await startBrowser();
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    await until(async () => (await topology()).containers.length >= 5, { withinMs: 30_000 });
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  /** A container of one Compose project that does nothing. */
  function start(service: string, flags: readonly string[]): Promise<string> {
    const labels = ["--label", PROJECT, "--label", `com.docker.compose.service=${service}`];
    return containers.run(`map-${service}`, [...labels, ...flags], "sleep", "3600");
  }

  const topology = (): Promise<Topology> => program.get<Topology>("/api/v1/topology?group=parts");
  const drawing = (page: Page) => page.getByRole("region", { name: "Map of parts" });
  const node = (page: Page, service: string) => drawing(page).getByRole("link", { name: new RegExp(`^\\S*map-${service}\\b`) });

  it("draws what an engine's containers need, right of what needs it, and where they are reached", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(program.url);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Map", exact: true }).click();
    await node(page, "db").waitFor();
    const lefts = await Promise.all(["web", "api", "db"].map(async (service) => (await node(page, service).boundingBox())?.x ?? 0));
    assert.deepEqual(
      lefts,
      lefts.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(lefts).size, 3);
    // What shares the network of db stands left of it; what nothing joins stands below.
    await node(page, "sidecar").waitFor();
    await page
      .getByRole("list", { name: "Containers of parts without connections" })
      .getByRole("link", { name: /map-lone/ })
      .waitFor();
    const web = await node(page, "web").textContent();
    assert.match(web ?? "", /127\.0\.0\.1:\d+, reachable from the host only/);
    assert.match(web ?? "", /:\d+, reachable on all interfaces/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("shows by keyboard what hangs together with a container, and leads to it", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/map`);
    await node(page, "sidecar").focus();
    const isFaint = (service: string) => node(page, service).evaluate((link) => link.closest("li")?.classList.contains("opacity-35"));
    await until(() => isFaint("web"));
    assert.equal(await isFaint("db"), false);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /map-sidecar/ }).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("narrows to what is exposed with what that needs, and says the same as a table", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/map?group=parts`);
    await page.getByRole("button", { name: "Exposed only" }).click();
    await page.waitForURL(/only=exposed/);
    await until(async () => (await node(page, "sidecar").count()) === 0);
    await node(page, "db").waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    const row = page
      .getByRole("table", { name: "Connections of parts" })
      .getByRole("row", { name: /map-api/ })
      .filter({ hasText: "map-web" });
    await row.first().waitFor();
    await page.getByRole("row", { name: /^\S*map-api Running \S*map-db \S*map-web/ }).waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("follows what happens on the host", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/map?group=parts`);
    await node(page, "db").waitFor();
    await start("extra", ["--network", "none", "--label", "com.docker.compose.depends_on=lone:service_started:false"]);
    await node(page, "extra").waitFor();
    await node(page, "lone").waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("is well made and readable, wide and narrow, light and dark", async () => {
    const { page, complaints } = await openPage(browser);
    const faults: string[] = [];
    for (const path of ["/map?group=parts&view=drawing", "/map?group=parts&view=table", "/map?group=nobody"]) {
      await page.goto(program.url + path);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await settled(page);
      faults.push(...(await looks(page, path)));
    }
    assert.deepEqual([...faults, ...complaints], []);
    await page.context().close();
  });

  it("is in words on a phone unless somebody asks for the drawing", async () => {
    const { page } = await openPage(browser, { viewport: PHONE });
    await page.goto(`${program.url}/map?group=parts`);
    const row = page.getByRole("list", { name: "Connections of parts" }).getByRole("listitem").filter({ hasText: "map-api" });
    await row.filter({ hasText: "Depends on" }).first().waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    await node(page, "db").waitFor();
    await page.context().close();
  });
});
