/** What a visit to the built app costs the one who looks at it; see web.ts. */
import type { Browser, Page, Response } from "playwright-core";
import { openPage } from "../../test/support/browser.ts";
import { percentile } from "./figure.ts";

export interface Visit {
  firstPaintMs: number;
  rowsMs: number;
  scriptKilobytes: number;
  /** Of all answers of the API. */
  dataKilobytes: number;
  /** By how much tasks exceeded 50 ms. */
  blockedMs: number;
  /** How far what was shown moved, as browsers sum it up. */
  layoutShift: number;
}

/** Kept in the page by {@link OBSERVE_SCRIPT}. */
interface Seen {
  blockedMs: number;
  layoutShift: number;
}

// What runs in the page is text: programs of Node know no page.
const OBSERVE_SCRIPT = `
  globalThis.seen = { blockedMs: 0, layoutShift: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blockedMs += Math.max(0, duration - 50);
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) seen.layoutShift += value;
  }).observe({ type: "layout-shift", buffered: true });`;
const LISTEN_SCRIPT = `
  globalThis.delays = [];
  addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
  }, { capture: true });`;
/** The first frames are left out: code is compiled as it first runs. */
const scrollScript = (frames: number): string => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const between = [];
  let last = await frame();
  for (let index = 0; index < ${frames} + 30; index += 1) {
    scrollBy(0, 60);
    const at = await frame();
    if (index >= 30) between.push(at - last);
    last = at;
  }
  return between;
})()`;
/** What comes after the rows may still move them. */
const SETTLE_MS = 1500;

/** Opens a list with nothing kept from before, up to its first rows and what follows at once. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const { page } = await openPage(browser);
  await page.addInitScript({ content: OBSERVE_SCRIPT });
  const [scripts, data]: [Response[], Response[]] = [[], []];
  let isShown = false;
  page.on("response", (response) => {
    if (isShown) return;
    if (response.url().endsWith(".js")) scripts.push(response);
    if (response.url().includes("/api/") && !response.url().includes("/events")) data.push(response);
  });
  const startedMs = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await firstRow(page);
  const rowsMs = performance.now() - startedMs;
  isShown = true;
  await page.waitForTimeout(SETTLE_MS);
  const firstPaintMs: number = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  const { blockedMs, layoutShift } = await seenBy(page);
  const [scriptKilobytes, dataKilobytes] = [await kilobytesOf(scripts), await kilobytesOf(data)];
  await page.context().close();
  return { firstPaintMs, rowsMs, scriptKilobytes, dataKilobytes, blockedMs, layoutShift };
}

async function firstRow(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /^service-/ })
    .first()
    .waitFor();
}

async function kilobytesOf(responses: readonly Response[]): Promise<number> {
  const sizes = await Promise.all(responses.map(async (response) => (await response.request().sizes()).responseBodySize));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

function seenBy(page: Page): Promise<Seen> {
  return page.evaluate("seen");
}

/** Scrolls a list for a while at an even pace; answers the times between frames. */
export async function scroll(browser: Browser, url: string, frames: number): Promise<number[]> {
  const { page } = await openPage(browser);
  await page.goto(url, { waitUntil: "commit" });
  await firstRow(page);
  await page.waitForTimeout(SETTLE_MS);
  const times: number[] = await page.evaluate(scrollScript(frames));
  await page.context().close();
  return times;
}

/** Types into the filter of a list, key by key; answers how long each took to the next frame. */
export async function type(
  browser: Browser,
  url: string,
  { text, during }: { text: string; during: () => Promise<unknown> },
): Promise<number[]> {
  const { page } = await openPage(browser);
  await page.goto(url, { waitUntil: "commit" });
  await firstRow(page);
  await page.getByRole("status").getByText("Live").waitFor();
  const field = page.locator("[data-page-filter]");
  await field.focus();
  await page.evaluate(LISTEN_SCRIPT);
  const running = during();
  await page.waitForTimeout(500);
  for (const key of text) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  const delays: number[] = await page.evaluate("delays");
  await running;
  await page.context().close();
  return delays;
}

/** The lowest of several visits: what neighbours on the machine add is no part of it. */
export function best(visits: readonly Visit[], of: (visit: Visit) => number): number {
  return percentile(visits.map(of), 0);
}
