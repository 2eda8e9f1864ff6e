import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createServer } from "../../../src/app/server.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { startEngine } from "../../support/engine.ts";
import { createFakeRuntime, fakeContainer } from "../../support/fake-runtime.ts";
import { createTestContainers, importBusybox } from "../../support/images.ts";
import { takePort } from "../../support/ports.ts";
import { startProgram, temporaryFolder } from "../../support/program.ts";

describe("the app when things go wrong, or are many", () => {
  let browser: Browser;
  before(async () => void (browser = await startBrowser()));
  after(() => browser?.close());

  const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

  it("says calmly that the server is gone, and continues by itself when it is back", async () => {
    const engine = await startEngine();
    await importBusybox(engine);
    const containers = createTestContainers(engine);
    const [name, other] = [`${containers.prefix}-steady`, `${containers.prefix}-other`];
    const id = await containers.run("steady", ["--network", "none"]);
    await containers.run("other", ["--network", "none"]);
    let program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    const { page } = await openPage(browser);
    try {
      await page.goto(`${program.url}/containers?q=${containers.prefix}`);
      await rowOf(page, name).getByText("Running").waitFor();
      await page.getByRole("status").getByText("Live").waitFor();
      await page.evaluate("window.neverReloaded = true");

      // It says so for ten seconds, in which the program may still be ending.
      await Promise.all([page.getByRole("status").getByText("Reconnecting").waitFor(), program.stop()]);
      const banner = page.getByRole("status").filter({ hasText: "Cannot reach the server. The data below is from" });
      await banner.waitFor({ timeout: 25_000 });
      assert.match(await banner.innerText(), /refreshes when the server responds/);
      assert.equal(await rowOf(page, name).count(), 1);
      assert.equal(await page.getByRole("alert").count(), 0);

      await engine.docker("pause", id);
      program = await startProgram({
        env: { SERVICE_DOCKER_HOST: engine.host },
        dataDir: program.dataDir,
        port: program.port,
      });
      await page.getByRole("status").getByText("Live").waitFor();
      await banner.waitFor({ state: "hidden" });
      await rowOf(page, name).getByText("Paused").waitFor();
      assert.deepEqual([await rowOf(page, name).count(), await rowOf(page, other).count()], [1, 1]);
      // From here on the list is not answered: what comes, comes by the event stream.
      await page.route(/\/api\/v1\/containers(\?|$)/, () => new Promise(() => undefined));
      await engine.docker("unpause", id);
      await rowOf(page, name).getByText("Running").waitFor();
      await page.unrouteAll({ behavior: "ignoreErrors" });

      await rowOf(page, name).getByRole("link").click();
      await page.getByRole("navigation", { name: "Container" }).getByRole("link", { name: "History" }).click();
      await page.getByText("Resumed").first().waitFor();
      assert.deepEqual([await page.getByText("Paused,").count(), await page.getByText("Resumed").count()], [1, 1]);
      assert.equal(await page.evaluate("window.neverReloaded"), true);
    } finally {
      await page.context().close();
      await program.stop();
      await containers.removeAll();
      await engine.stop();
    }
  });

  it("says that the engine is gone, why, and what to do, and recovers with it", async () => {
    const engine = await startEngine({ own: true });
    await importBusybox(engine);
    const containers = createTestContainers(engine);
    const name = `${containers.prefix}-witness`;
    const id = await containers.run("witness", ["--network", "none"]);
    const program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    const { page, complaints } = await openPage(browser);
    try {
      await page.goto(`${program.url}/containers`);
      await rowOf(page, name).getByText("Running").waitFor();
      await page.getByRole("columnheader", { name: "State", exact: true }).waitFor();

      await engine.kill();
      const banner = page.getByRole("alert").filter({ hasText: "has been unreachable since" });
      // Which words the loss begins with depends on what breaks first.
      await banner.getByText(/docker\.sock/).waitFor();
      const [, why, what] = (await banner.innerText()).split("\n").filter((line) => line.trim() !== "");
      assert.match(why ?? "", /docker\.sock/);
      assert.match(what ?? "", /last known state.*retries/);
      await page.getByRole("columnheader", { name: "Last known state" }).waitFor();
      await rowOf(page, name).getByText("Running").waitFor();
      await page.getByRole("link", { name: "Overview" }).first().click();
      await page.getByRole("link", { name: `${name}: Last known: Running` }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.getByText("Last known: Running", { exact: true }).waitFor();
      await page.goBack();
      await page.goBack();

      await engine.restart();
      await banner.waitFor({ state: "hidden", timeout: 60_000 });
      await page.getByRole("columnheader", { name: "State", exact: true }).waitFor();
      const state = await engine.docker("inspect", "-f", "{{.State.Status}}", id);
      await rowOf(page, name)
        .getByText(state === "running" ? "Running" : /^(Exited|Completed|Stopped)/)
        .waitFor();
      assert.equal(await rowOf(page, name).count(), 1);
      // While the engine is away its logs cannot be read, and the browser says so.
      const unexpected = complaints.filter((complaint) => !/502 .*\/logs\?/.test(complaint));
      assert.deepEqual(unexpected, []);
    } finally {
      await page.context().close();
      await program.stop();
      await engine.stop();
    }
  });

  it("shows hostile names as text, and keeps its shape", async () => {
    const runtime = createFakeRuntime(0);
    const long = "x".repeat(5000);
    const names = [
      "<script>window.hacked = 1</script>",
      `<img src=x onerror="window.hacked = 1">`,
      "\u202egnirts\u202c",
      "\u001b[31mred\u001b[0m",
      long,
    ];
    for (const [index, name] of names.entries()) {
      const labels = { [name]: name, plain: name };
      const project = { name, source: "compose" } as const;
      const container = fakeContainer(index + 1, {
        name,
        image: `${name}:${long}`,
        unit: name,
        labels,
        project,
        state: "exited",
        errorDetail: name,
      });
      runtime.containers.set(container.externalId, container);
    }
    const port = await takePort();
    const start = parseConfig({ argv: [], env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_DATA_DIR: temporaryFolder() } });
    assert.ok("config" in start);
    const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined };
    const server = createServer({ config: start.config, build, runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
    await server.start();
    const { page, complaints } = await openPage(browser);
    try {
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        for (const [index, address] of ["/containers", "/", ...names.map((_, at) => `/containers/${at + 1}`)].entries()) {
          await page.goto(`http://127.0.0.1:${port}${address}`);
          await page
            .getByText(index < 2 ? "<script>" : "Facts")
            .first()
            .waitFor();
          const wider = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
          assert.ok(wider <= 0, `${address} at ${viewport.width} px is ${wider} px too wide`);
          // Labels are shown as they are.
          const [shown = ""] = (await page.getByRole("main").innerText()).split("\nLabels\n");
          assert.ok(
            !["\u001b", "\u202e"].some((character) => shown.includes(character)),
            `${address} holds characters that turn or colour text`,
          );
          assert.equal(await page.locator('img[src="x"]').count(), 0);
          assert.equal(await page.evaluate("window.hacked"), undefined);
        }
      }
      // Rows stay as high as any.
      await page.setViewportSize(DESKTOP);
      await page.goto(`http://127.0.0.1:${port}/containers`);
      const rows = page.getByRole("row").filter({ has: page.locator("a[data-row]") });
      await rows.nth(names.length - 1).waitFor();
      const heights = await Promise.all((await rows.all()).map(async (row) => (await row.boundingBox())?.height));
      assert.deepEqual(
        heights,
        names.map(() => 36),
      );
      assert.deepEqual(complaints, []);
    } finally {
      await page.context().close();
      await server.stop();
    }
  });
});
