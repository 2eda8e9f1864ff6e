import { setTimeout as sleep } from "node:timers/promises";
import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

/** For so long something may look wrong because it is still moving, or is only now being laid out. */
const RESTS_WITHIN_MS = 5000;

/** Resolves once the page has its heading and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await until(async () => (await page.getByLabel(/^Reading/).count()) === 0, { withinMs: 30_000, what: "that all is read" });
  await painted(page);
}

/** Two frames: what was changed has been laid out and painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
}

/** Resolves once what is typed arrives there. */
export async function focused(field: Locator): Promise<void> {
  await until(() => field.evaluate((element) => element.matches(":focus")), { withinMs: 30_000, what: `the focus of ${String(field)}` });
}

/** What axe finds serious or critical within `part`, by all of its rules or by these, and goes on to find. */
export function violations(page: Page, where: string, part = "body", rules?: readonly string[]): Promise<string[]> {
  return lasting(() => violationsNow(page, where, part, rules));
}

async function violationsNow(page: Page, where: string, part: string, rules: readonly string[] | undefined): Promise<string[]> {
  const runOnly = rules === undefined ? "" : `runOnly: ${JSON.stringify(rules)},`;
  // It is long, and stays until the page is loaded again.
  if (!(await page.evaluate<boolean>(`"axe" in window`))) await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; impact: string; nodes: { html: string }[] }[]>(
    // The traps that Base UI puts around an open popup take the focus only to pass it on.
    `axe.run({ include: ["${part}"], exclude: ["[data-base-ui-focus-guard]"] }, { ${runOnly} resultTypes: ["violations"], preload: false, iframes: false }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}

/** Whether the page is wider than the screen, and stays so. */
export function overflow(page: Page, where: string): Promise<string[]> {
  return lasting(async () => {
    const tooMuch = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    return tooMuch > 0 ? [`${where}: ${tooMuch} px too wide`] : [];
  });
}

/** What is found wrong also once everything has come to rest. */
async function lasting(find: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + RESTS_WITHIN_MS;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() > deadline) return found;
    await sleep(50);
  }
}
