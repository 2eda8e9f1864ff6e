import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { forgave } from "./forgiven.ts";
import { until } from "./until.ts";

/** For so long something may look wrong because it is still moving, or is only now being laid out. */
const RESTS_WITHIN_MS = 5000;
/** For so long a page may take over any question. */
const ANSWERS_WITHIN_MS = 60_000;
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Resolves once the page has its heading and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await until(async () => (await page.getByLabel(/^Reading/).count()) === 0, { withinMs: 30_000, what: "that all is read" });
  await painted(page);
}

/** Two frames: what was changed has been laid out and painted. */
export function painted(page: Page): Promise<void> {
  return answered(page, "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))", "two frames");
}

/** What the page answers; a page that does not is named, where the browser would wait for ever. */
async function answered<Value>(page: Page, script: string, what: string): Promise<Value> {
  const giveUp = new AbortController();
  const late = sleep(ANSWERS_WITHIN_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`${page.url()} did not answer within ${ANSWERS_WITHIN_MS} ms: ${what}`);
  });
  try {
    return await Promise.race([page.evaluate<Value>(script), late]);
  } finally {
    giveUp.abort();
    late.catch(() => undefined);
  }
}

/** Resolves once what is typed arrives there. */
export async function focused(field: Locator): Promise<void> {
  await until(() => field.evaluate((element) => element.matches(":focus")), { withinMs: 30_000, what: `the focus of ${String(field)}` });
}

/** What axe finds serious or critical within `part`, by all of its rules or by these, and keeps finding. */
export function violations(page: Page, where: string, part = "body", rules?: readonly string[]): Promise<string[]> {
  return lasting(() => violationsNow(page, where, part, rules), page);
}

async function violationsNow(page: Page, where: string, part: string, rules: readonly string[] | undefined): Promise<string[]> {
  const runOnly = rules === undefined ? "" : `runOnly: ${JSON.stringify(rules)},`;
  // It is long, and stays until the page is loaded again.
  if (!(await answered<boolean>(page, `"axe" in window`, "whether axe is there"))) await page.evaluate(AXE);
  const found = await answered<{ id: string; impact: string; nodes: { html: string }[] }[]>(
    page,
    // The traps that Base UI puts around an open popup take the focus only to pass it on. Elements are named by their HTML: to name them by selectors
    // takes a fifth of the time.
    `axe.run({ include: ["${part}"], exclude: ["[data-base-ui-focus-guard]"] }, { ${runOnly} resultTypes: ["violations"], selectors: false, preload: false, iframes: false }).then(({ violations }) => violations)`,
    "axe",
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}

/** Whether the page is wider than the screen, and stays so. */
export function overflow(page: Page, where: string): Promise<string[]> {
  return lasting(async () => {
    const tooMuch = await answered<number>(page, "document.documentElement.scrollWidth - window.innerWidth", "its width");
    return tooMuch > 0 ? [`${where}: ${tooMuch} px too wide`] : [];
  }, page);
}

/** What is found wrong once everything has come to rest. That it was not yet at rest, though nothing moved, is reported. */
async function lasting(find: () => Promise<string[]>, page: Page): Promise<string[]> {
  await atRest(page);
  const deadline = performance.now() + RESTS_WITHIN_MS;
  let first: string[] | undefined;
  for (;;) {
    const found = await find();
    if (found.length === 0 && first !== undefined) forgave(`for a moment only: ${first.join("; ")}`);
    if (found.length === 0 || performance.now() > deadline) return found;
    first ??= found;
    await sleep(50);
  }
}

/** Resolves once the transitions and animations that end have had their time, and what they led to is painted. */
async function atRest(page: Page): Promise<void> {
  await painted(page);
  // Their `finished` is not waited for: it may stay open when a page is resized or redrawn meanwhile.
  const leftMs = await answered<number>(
    page,
    `Math.max(0, ...document.getAnimations().filter(({ playState }) => playState === "running").map(({ effect, currentTime }) => effect.getComputedTiming().endTime - Number(currentTime ?? 0)).filter(Number.isFinite))`,
    "what moves",
  );
  if (leftMs > 0) await sleep(leftMs);
  await painted(page);
}

/** How far what is on the page moved by itself since it was loaded, as browsers sum it up. */
export function shifts(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; });
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 500);
  })`);
}
