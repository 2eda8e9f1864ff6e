import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { overflow, painted, settled } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

/** Figures come every ten seconds, and a share of CPU lies between two of them. */
const TICKS = { withinMs: 45_000, everyMs: 100 };
/** Enough work that no machine is too slow to see it, little enough to leave others theirs. */
const BUSY = ["--network", "none", "--cpus", "0.2", "--memory", "64m"];

describe("what is used, in the browser", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let name: string;
  let externalId: string;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    name = `${containers.prefix}-busy`;
    externalId = await containers.run("busy", BUSY, "sh", "-c", "while :; do :; done");
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/containers?q=${containers.prefix}`);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.evaluate("window.neverReloaded = true");
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const rowWith = (text: string): Locator => main().getByRole("row").filter({ hasText: text });
  const openSection = (section: string): Promise<void> =>
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: section, exact: true }).click();

  /** The number that a text begins with; NaN when there is none. */
  async function figureOf(shown: Locator): Promise<number> {
    return (await shown.count()) === 0 ? Number.NaN : Number.parseFloat(await shown.first().innerText());
  }

  it("comes to the row of a container, with its line, without a reload", async () => {
    const row = rowWith(name);
    const cpu = row.getByTitle("Of allocated CPU");
    await until(async () => (await figureOf(cpu)) > 20, { ...TICKS, what: "the share of a busy container's CPU" });
    const memory = row.getByTitle("of allocated memory");
    await until(async () => /^\d+(\.\d+)? (KiB|MiB)$/.test(await memory.innerText()), TICKS);
    // The line of the hour before has begun.
    await until(async () => (await row.locator("svg path[stroke-linejoin]").first().getAttribute("d"))?.startsWith("M") === true, TICKS);
  });

  it("is listed on the page of all resources, and is updated there", async () => {
    await openSection("Resources");
    const consumer = main().getByRole("region", { name: "CPU: top consumers" }).getByRole("listitem").filter({ hasText: name });
    await consumer.waitFor();
    await until(async () => /\d %[\s\S]*\s0\.\d\d$/.test(await consumer.innerText()), TICKS);
    const host = rowWith("Connected");
    await until(async () => /of \d+ CPUs?\s[\s\S]*GiB\s[\s\S]*GiB/.test(await host.innerText()), TICKS);
    const load = await host.innerText();
    // Sooner than the page would ask by itself for a host that fell silent.
    await until(async () => (await host.innerText()) !== load, { withinMs: 32_000, everyMs: 100, what: "the next figures of the host" });
  });

  it("says which threshold is exceeded as soon as it is, and that it no longer is", async () => {
    await main().getByText("No thresholds yet.").waitFor();
    const { groups } = await program.get<{ groups: { containers: { id: number; name: string }[] }[] }>("/api/v1/containers");
    const id = groups.flatMap((group) => group.containers).find((container) => container.name === name)?.id;
    const set = async (cpu_threshold: number): Promise<void> => {
      const response = await fetch(`${program.url}/api/v1/containers/${id}/resources/alerts`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ cpu_threshold, memory_threshold: null, debounce_seconds: 0 }),
      });
      assert.equal(response.status, 200);
    };
    await set(1);
    const problem = rowWith(name).getByText(/^CPU above 1 % for .*, peak \d+(\.\d)? %$/);
    await problem.waitFor({ timeout: TICKS.withinMs });
    await set(100);
    await rowWith(name).getByText("Below").waitFor({ timeout: TICKS.withinMs });
  });

  it("is on the overview in short, and leads to the container's metrics", async () => {
    await openSection("Overview");
    await until(async () => /\d %/.test(await rowWith("Connected").innerText()), TICKS);
    const consumers = main().getByRole("region", { name: "CPU: top consumers" });
    await consumers.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.match(page.url(), /[?&]tab=metrics/);
    await page.goBack();
  });

  it("takes space, which the settings account for", async () => {
    await openSection("Settings");
    const storage = main().getByRole("heading", { name: "Storage" }).locator("xpath=ancestor::section");
    for (const words of [
      /In use\s+\d+(\.\d+)? (KiB|MiB)/,
      /no limit is set/,
      /Metrics every 10 seconds\s+48 h/,
      /Metrics every hour\s+400 days/,
    ])
      await until(async () => words.test(await storage.innerText()), { ...TICKS, what: String(words) });
  });

  it("is gone when the container ends, and the row says why", async () => {
    await openSection("Containers");
    await rowWith(name).getByTitle("Of allocated CPU").waitFor();
    await engine.docker("kill", externalId);
    const dashes = rowWith(name).getByTitle("Not running");
    await until(async () => (await dashes.allInnerTexts()).join("") === "––", TICKS);
    assert.equal(await page.evaluate("window.neverReloaded"), true);
    assert.deepEqual(complaints, []);
  });

  it("can be read by everyone, on every screen", async () => {
    const faults: string[] = [];
    const opened = await openPage(browser);
    for (const path of ["/resources", "/", "/settings"]) {
      await opened.page.goto(program.url + path);
      await settled(opened.page);
      faults.push(...(await looks(opened.page, path)));
      await opened.page.setViewportSize({ width: 1024, height: 844 });
      await painted(opened.page);
      faults.push(...(await overflow(opened.page, `${path} at 1024 px`)));
    }
    faults.push(...opened.complaints);
    await opened.page.context().close();
    assert.deepEqual(faults, []);
  });
});
