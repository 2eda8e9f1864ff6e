import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { AgentList } from "../../../src/fleet/agents/answers.ts";
import { type AgentProgram, connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../../support/agent-program.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { focused, settled, violations } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";

/** A line that was cut is noticed soon. */
const STALE_SECONDS = "5";
const SLOW = { everyMs: 200, withinMs: 90_000 };

/** A real agent is added through the page, is watched there beside the local host, lost, found, renamed, shut out and deleted. */
describe("the fleet, in the browser", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let server: ServerProgram;
  let agent: AgentProgram | undefined;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  /** The agent's id, once it enrolled. */
  let id = "";

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    await containers.run("shop", ["--network", "none"], "sleep", "100000");
    server = await startServer({
      env: {
        SERVICE_DOCKER_HOST: engine.host,
        SERVICE_EMBEDDED_AGENT: "true",
        SERVICE_AGENT_STALE_THRESHOLD_SECONDS: STALE_SECONDS,
      },
    });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${server.url}/hosts`);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.evaluate("window.neverReloaded = true");
  });

  after(async () => {
    await browser?.close();
    await agent?.stop();
    await server?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const start = (dataDir?: string, token?: string): AgentProgram =>
    startAgent({
      server: server.grpcUrl,
      env: { SERVICE_DOCKER_HOST: engine.host, ...(token !== undefined && { SERVICE_ENROLLMENT_TOKEN: token }) },
      ...(dataDir !== undefined && { dataDir }),
    });
  const hosts = (of: Page = page): Locator => of.getByRole("table", { name: "Hosts" }).getByRole("row");
  const row = (name: string): Locator => hosts().filter({ has: page.getByRole("link", { name, exact: true }) });
  const switcher = (): Locator => page.getByRole("button", { name: /^(?:All hosts|Host:)/ });
  const query = (): string => new URL(page.url()).search;
  const progress = (of: Page = page): Locator => of.getByRole("main").getByRole("status");
  const groupHeads = (): Locator => page.getByRole("table", { name: "Containers" }).getByRole("rowheader");

  it("shows the one host there is, nothing to choose, and how to add others", async () => {
    await hosts().nth(1).waitFor();
    assert.equal(await hosts().count(), 2);
    assert.equal(await switcher().count(), 0);
    await page.getByText("Run an agent on each other host").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Add host" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Add a host" }).waitFor();
  });

  it("shows what is wrong with the form beside its fields", async () => {
    await page.getByLabel("Token lifetime in hours").fill("169");
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByText("Whole hours, from 1 to 168.").waitFor();
    await focused(page.getByLabel("Token lifetime in hours"));
    assert.deepEqual(await violations(page, "the form"), []);
    await page.getByLabel("Token lifetime in hours").fill("2");
    await page.getByLabel("Label").fill("nas <b>");
    await page.keyboard.press("Enter");
    await page.getByText("Copy it now: the token is not shown again.").waitFor();
  });

  it("shows the token in what is to be run, once, and what may be wrong with the address", async () => {
    await page.getByText("Other hosts may not reach this address").waitFor();
    const token = /svc_enr_[a-z2-7]{52}/;
    for (const [way, sign] of [
      ["docker run", "docker run --detach"],
      ["Docker Compose", "services:"],
      ["Kubernetes", "kind: Namespace"],
    ] as const) {
      await page.getByRole("navigation", { name: "Ways to start the agent" }).getByRole("link", { name: way }).click();
      const snippet = page.locator("code").filter({ hasText: sign });
      await snippet.waitFor();
      assert.match(await snippet.innerText(), token, way);
    }
    assert.match(query(), /token=[0-9a-f]{16}/);
    assert.match(query(), /way=kubernetes/);
    assert.doesNotMatch(page.url(), token);
    await page.getByRole("navigation", { name: "Ways to start the agent" }).getByRole("link", { name: "Without containers" }).click();
    await page.getByText("is not released yet").waitFor();
    assert.deepEqual(await violations(page, "the snippets"), []);
    await progress().getByText("Waiting for the agent").waitFor();
    // Whoever opens the address later can wait there too, but sees the token no more.
    const { page: later } = await openPage(browser);
    await later.goto(page.url());
    await progress(later).getByText("Waiting for the agent").waitFor();
    assert.doesNotMatch(await later.content(), token);
    await later.context().close();
  });

  it("turns green when the agent comes, without being reloaded, also where the stream broke off meanwhile", async () => {
    const { page: other } = await openPage(browser);
    await other.goto(page.url());
    await progress(other).getByText("Waiting for the agent").waitFor();
    await other.context().setOffline(true);
    const token = await page
      .locator("code")
      .filter({ hasText: /^svc_enr_/ })
      .innerText();
    agent = start(undefined, token.trim());
    await progress().getByText("nas <b>: connected").waitFor({ timeout: SLOW.withinMs });
    await other.context().setOffline(false);
    await progress(other).getByText("nas <b>: connected").waitFor({ timeout: SLOW.withinMs });
    await other.context().close();
    assert.equal(await page.evaluate("window.neverReloaded"), true);
    id = (await connectedAgent(server)).id;
    await page.getByRole("link", { name: "Show the host" }).click();
    await page.getByRole("heading", { level: 1, name: "nas <b>" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/hosts/${id}`);
  });

  it("lists it beside the local one, and the token as used by it", async () => {
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Hosts" }).click();
    await row("nas <b>").getByText("Connected", { exact: true }).waitFor();
    await until(async () => (await hosts().count()) === 3, { what: "two hosts below their heads" });
    const tokens = page.getByRole("list", { name: "Enrollment tokens" }).getByRole("listitem");
    await tokens.filter({ hasText: "Used" }).getByRole("link", { name: "nas <b>" }).waitFor();
  });

  it("takes a token back before it is used", async () => {
    await makeToken(server, { label: "printer" });
    await page.reload();
    const open = page.getByRole("list", { name: "Enrollment tokens" }).getByRole("listitem").filter({ hasText: "printer" });
    const { page: waiting } = await openPage(browser);
    await waiting.goto(server.url + (await open.getByRole("link", { name: "waiting for a host" }).getAttribute("href")));
    await progress(waiting).getByText("Waiting for the agent").waitFor();
    await waiting.context().close();
    await open.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete token" }).click();
    await open.waitFor({ state: "detached" });
  });

  it("narrows every list to the chosen host, in an address that can be shared, and back", async () => {
    await page.getByRole("link", { name: "Containers", exact: true }).first().click();
    await groupHeads().filter({ hasText: "nas <b>" }).waitFor();
    await groupHeads().filter({ hasText: "Local" }).waitFor();
    await switcher().click();
    await page.getByRole("menuitemradio", { name: "nas <b>" }).click();
    await groupHeads().filter({ hasText: "Local" }).waitFor({ state: "detached" });
    assert.equal(query(), `?agent_id=${id}`);
    for (const section of ["Endpoints", "Heartbeats", "Certificates", "Resources", "Alerts", "Updates", "Security"]) {
      await page.getByRole("navigation", { name: "Sections" }).first().getByRole("link", { name: section, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: section }).waitFor();
      assert.equal(query(), `?agent_id=${id}`, section);
      await settled(page);
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Updates" }).waitFor();
    const { page: shared } = await openPage(browser);
    await shared.goto(`${server.url}/containers?agent_id=${id}`);
    await shared.getByRole("button", { name: "Host: nas <b>" }).waitFor();
    await shared.getByText("on nas <b>").waitFor();
    await shared.context().close();
    await switcher().click();
    await page.getByRole("menuitemradio", { name: "All hosts" }).click();
    await until(() => query() === "");
  });

  it("gives it another label", async () => {
    await page.goto(`${server.url}/hosts/${id}`);
    await page.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Label").fill("x".repeat(65));
    await page.keyboard.press("Enter");
    await dialog.getByText("At most 64 characters.").waitFor();
    const longest = "x".repeat(64);
    await dialog.getByLabel("Label").fill(longest);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: longest }).waitFor();
    assert.deepEqual(await looks(page, "the longest label"), []);
    await page.getByRole("button", { name: "Rename" }).click();
    await dialog.getByLabel("Label").fill("storage");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "storage" }).waitFor();
    assert.equal((await server.get<AgentList>("/api/v1/agents")).agents[0]?.label, "storage");
    await page.getByRole("list", { name: "On this host" }).getByRole("link", { name: "Containers" }).click();
    await until(() => query() === `?agent_id=${id}`);
    await page.getByText(/ on storage/).waitFor();
  });

  it("shows what it last said once nothing comes from it any more, and since when", async () => {
    await agent?.kill();
    await page.getByText(/^storage has been disconnected since/).waitFor({ timeout: SLOW.withinMs });
    await page.getByRole("columnheader", { name: "Last known state" }).waitFor();
    await page.getByRole("link", { name: "How to fix this" }).click();
    await page.getByText(/^Shown is its last known state/).waitFor();
    await page.goto(`${server.url}/containers`);
    await groupHeads()
      .filter({ hasText: /storage · not connected since \d\d:\d\d/ })
      .first()
      .waitFor();
    assert.equal(
      await groupHeads()
        .filter({ hasText: /Local · not connected/ })
        .count(),
      0,
    );
    await page.goto(`${server.url}/hosts`);
    await row("storage").getByText("Not connected for").waitFor();
    await page.getByText("2 hosts, 1 not connected").waitFor();
  });

  it("serves everybody, on wide and narrow screens, in both themes", async () => {
    const faults: string[] = [];
    const addresses = ["/hosts", `/hosts/${id}`, "/hosts/local", "/hosts/new", "/containers", `/containers?agent_id=${id}`];
    const { page: other } = await openPage(browser);
    for (const address of addresses) {
      await other.goto(server.url + address);
      await settled(other);
      faults.push(...(await looks(other, address)));
    }
    await other.goto(`${server.url}/hosts/${id}`);
    for (const name of ["Rename", "Revoke", "Delete"]) {
      await other.getByRole("button", { name }).click();
      await other.getByRole("dialog").waitFor();
      faults.push(...(await looks(other, name, "[role=dialog]")));
      await other.keyboard.press("Escape");
      await other.getByRole("dialog").waitFor({ state: "detached" });
    }
    await other.context().close();
    assert.deepEqual(faults, []);
  });

  it("is found by the palette", async () => {
    const field = page.getByRole("combobox", { name: "Search or run" });
    await page.keyboard.press("Control+k");
    await field.fill("stora");
    await page.getByRole("option", { name: /^storage/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "storage" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("add a host");
    await page.getByRole("option", { name: "Add a host", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Add a host" }).waitFor();
    await page.goBack();
  });

  it("shows that it is back while the page is open", async () => {
    agent = start(agent?.dataDir);
    await page.getByText("Connected", { exact: true }).waitFor({ timeout: SLOW.withinMs });
  });

  it("shuts it out for good once its label was typed", async () => {
    await page.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke this host?" });
    const button = dialog.getByRole("button", { name: "Revoke host" });
    assert.ok(await button.isDisabled());
    const field = dialog.getByLabel("Type storage to confirm");
    await focused(field);
    await page.keyboard.type("storag");
    assert.ok(await button.isDisabled());
    await page.keyboard.type("e");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Revoked", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Revoke" }).waitFor({ state: "detached" });
    await until(() => /agent_revoked|revoked/.test(agent?.log() ?? ""), SLOW);
  });

  it("deletes it with all that it showed, and the app is that of one host again", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this host?" });
    await dialog.getByLabel("Type storage to confirm").fill("storage");
    await dialog.getByRole("button", { name: "Delete host" }).click();
    await page.getByRole("heading", { level: 1, name: "Hosts", exact: true }).waitFor();
    await until(async () => (await hosts().count()) === 2, SLOW);
    await switcher().waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Containers", exact: true }).first().click();
    await groupHeads().first().waitFor();
    await until(async () => (await page.getByRole("table", { name: "Containers" }).innerText()).includes("storage") === false, SLOW);
    await page.goto(`${server.url}/hosts/${id}`);
    await page.getByText("Host not found").waitFor();
    assert.deepEqual(complaints, []);
  });
});
