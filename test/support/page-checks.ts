import axe from "axe-core";
import type { Page } from "playwright-core";
import { until } from "./until.ts";

/** Resolves once the page has its heading and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await until(async () => (await page.getByLabel(/^Reading/).count()) === 0);
  await painted(page);
}

/** Two frames: what was changed has been laid out and painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
}

/** What axe finds serious or critical within `part`. */
export async function violations(page: Page, where: string, part = "body"): Promise<string[]> {
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const found = await page.evaluate<{ id: string; impact: string; nodes: { html: string }[] }[]>(
    // The traps that Base UI puts around an open popup take the focus only to pass it on.
    `axe.run({ include: ["${part}"], exclude: ["[data-base-ui-focus-guard]"] }, { resultTypes: ["violations"], preload: false, iframes: false }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}

/** Whether the page is wider than the screen. */
export async function overflow(page: Page, where: string): Promise<string[]> {
  const tooMuch = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
  return tooMuch > 0 ? [`${where}: ${tooMuch} px too wide`] : [];
}
