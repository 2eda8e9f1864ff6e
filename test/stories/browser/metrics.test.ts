import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { settled } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

/** Uses some of a CPU and sleeps, over and over. */
const WORK = "while :; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.2; done";
/** Two readings, the second of which shows how much CPU was used in between. */
const FIRST_FIGURES_MS = 60_000;

/** Within the limits of the API. */
const SELDOM = { everyMs: 100, withinMs: 30_000 };

interface Listed {
  groups: { containers: { id: number; name: string }[] }[];
}
interface Thresholds {
  configured: boolean;
  cpu_threshold: number | null;
  memory_threshold: number | null;
  debounce_seconds: number;
}

/** The Metrics tab of a container that works, on a real engine. */
describe("metrics of a container", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let id: number;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    await containers.run("worker", ["--network", "none", "--cpus", "0.5", "--memory", "64m"], "sh", "-c", WORK);
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    const name = `${containers.prefix}-worker`;
    ({ id } = await until(async () => {
      const { groups } = await program.get<Listed>("/api/v1/containers");
      return groups.flatMap((group) => group.containers).find((each) => each.name === name);
    }, SELDOM));
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/containers/${id}?tab=metrics`);
    await settled(page);
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const figure = (name: string) => page.getByRole("figure", { name, exact: true });
  const cursor = (name: string) => page.getByRole("slider", { name: `${name} over time` });
  const thresholds = (): Promise<Thresholds> => program.get<Thresholds>(`/api/v1/containers/${id}/resources/alerts`);

  it("draws what it uses, and continues without asking for it again", async () => {
    await until(async () => /mean\s*\d+(\.\d)? %/.test(await figure("CPU").innerText()), { withinMs: FIRST_FIGURES_MS, everyMs: 200 });
    await until(async () => /limit 64\.0 MiB[^]*used\s*\d/.test(await figure("Memory").innerText()), SELDOM);
    assert.match(await figure("Network").innerText(), /No network/);
    await until(async () => (await page.evaluate<number>(DRAWN_PIXELS)) > 0, { what: "a line is drawn" });

    // From here on no history is answered: what comes, comes by the event stream.
    await page.route("**/resources/history?*", () => new Promise(() => undefined));
    await cursor("CPU").focus();
    const newest = async (): Promise<string> => {
      await page.keyboard.press("End");
      return (await cursor("CPU").getAttribute("aria-valuetext")) ?? "";
    };
    const first = await newest();
    assert.match(first, /^\d\d:\d\d:\d0, mean \d/);
    const second = await until(async () => ((await newest()) === first ? undefined : newest()), {
      withinMs: FIRST_FIGURES_MS,
      everyMs: 200,
    });
    assert.match(second, /^\d\d:\d\d:\d0, mean \d/);
    await page.unrouteAll({ behavior: "ignoreErrors" });

    // All charts follow one cursor.
    await page.keyboard.press("ArrowLeft");
    const time = ((await cursor("CPU").getAttribute("aria-valuetext")) ?? "").slice(0, 8);
    await until(async () => (await figure("Disk").innerText()).includes(time), { what: `Disk shows ${time}` });
    await page.keyboard.press("Escape");
    await until(async () => (await figure("Disk").innerText()).includes("now"), { what: "Disk shows what is now" });
  });

  it("says which edition grants a longer range", async () => {
    await page.getByRole("link", { name: "7 d with the Pro edition" }).click();
    await page.getByRole("heading", { name: "The last 7 days are part of the Pro edition" }).waitFor();
    assert.match(page.url(), /tab=metrics&range=7d$/);
    await page.getByRole("link", { name: "6 h", exact: true }).click();
    await figure("CPU").waitFor();
    assert.match(page.url(), /tab=metrics&range=6h$/);
    await until(async () => /\d %/.test(await figure("CPU").innerText()), SELDOM);
  });

  it("keeps a threshold that is typed, and one that is dragged", async () => {
    const field = page.getByLabel("CPU threshold in percent");
    const state = page.locator("form").getByRole("status");
    assert.equal((await thresholds()).configured, false);
    await field.fill("lots");
    await field.press("Enter");
    await page.getByText("A percentage from 1 to 100.").waitFor();
    assert.equal((await thresholds()).configured, false);
    // Another range keeps the form, another tab does not.
    await page.getByRole("link", { name: "1 h", exact: true }).click();
    await page.waitForURL(/tab=metrics$/);
    await page.getByRole("navigation", { name: "Container" }).getByRole("link", { name: "History" }).click();
    await page.getByRole("alertdialog", { name: "Discard your changes?" }).getByRole("button", { name: "Keep editing" }).click();
    assert.deepEqual([await field.inputValue(), new URL(page.url()).search], ["lots", "?tab=metrics"]);

    await field.fill("75 %");
    await field.press("Enter");
    await state.getByText("Saved", { exact: true }).waitFor();
    const { configured, cpu_threshold, memory_threshold } = await thresholds();
    assert.deepEqual({ configured, cpu_threshold, memory_threshold }, { configured: true, cpu_threshold: 75, memory_threshold: null });

    const line = page.getByRole("slider", { name: "CPU threshold", exact: true });
    const from = await line.boundingBox();
    assert.ok(from);
    const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 40, { steps: 4 });
    await page.mouse.up();
    const dragged = await until(async () => {
      const now = (await thresholds()).cpu_threshold;
      return now === 75 ? undefined : now;
    }, SELDOM);
    assert.ok(dragged > 35 && dragged < 60, `dragged to ${dragged} %`);
    // What is moved while this is being saved would have to be saved separately.
    await state.getByText("Saved", { exact: true }).waitFor();
    assert.equal(await field.inputValue(), String(dragged));

    await line.focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until(async () => (await thresholds()).cpu_threshold === dragged + 1, SELDOM);
  });

  it("is well made in both themes and fits a phone", async () => {
    assert.deepEqual([...(await looks(page, "metrics")), ...complaints], []);
  });
});

/** How many pixels of the first chart are of the colour of its line, as the theme has it. */
const DRAWN_PIXELS = `(() => {
  const canvas = document.querySelector("figure canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 200 && data[at + 2] > 150 && data[at] < 150 && data[at + 2] - data[at] > 80) count += 1;
  }
  return count;
})()`;
