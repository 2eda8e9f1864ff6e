/** Takes the pictures of pages: each is loaded once, and follows the theme and the size of the window. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { DESKTOP, openPage, PHONE } from "../../test/support/browser.ts";
import { until } from "../../test/support/until.ts";
import type { PicturedPage } from "./pages.ts";

const SHAPES = [
  { name: "light", colorScheme: "light", viewport: DESKTOP },
  { name: "dark", colorScheme: "dark", viewport: DESKTOP },
  { name: "phone-dark", colorScheme: "dark", viewport: PHONE },
  { name: "phone-light", colorScheme: "light", viewport: PHONE },
] as const;
export const PICTURES_OF_PAGE = SHAPES.length;

/** So many pages are open at a time that the processor has work while one of them waits. */
const OPEN_PAGES = 3;
const READY_WITHIN_MS = 30_000;
/** A page is complete when it looks so this often in a row. */
const COMPLETE_LOOKS = 3;
/** In the page: whether no placeholder is left, once its fonts are loaded and it has nothing to do. */
const HAS_ALL = `(async () => {
  await document.fonts.ready;
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
  return document.querySelector(".animate-pulse.bg-line") === null;
})()`;

/** Answers why pages failed, each with its name; the others were pictured all the same. */
export async function takePictures(browser: Browser, pages: readonly PicturedPage[], folder: string): Promise<string[]> {
  const failures: string[] = [];
  const waiting = [...pages];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name } = next;
      await takeAll(browser, next, folder).catch((error: unknown) => failures.push(`${name}: ${messageOf(error)}`));
    }
  }
  await Promise.all(Array.from({ length: OPEN_PAGES }, work));
  return failures;
}

async function takeAll(browser: Browser, { name, url }: PicturedPage, folder: string): Promise<void> {
  const [first] = SHAPES;
  const { page, complaints } = await openPage(browser, {
    colorScheme: first.colorScheme,
    viewport: first.viewport,
    reducedMotion: "reduce",
  });
  try {
    const pending = followRequests(page);
    await page.goto(url);
    for (const { name: shape, colorScheme, viewport } of SHAPES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await untilComplete(page, pending);
      await page.screenshot({ path: join(folder, `${name}.${shape}.png`) });
    }
  } finally {
    if (complaints.length > 0) console.log(`${name}: ${complaints.join("; ")}`);
    await page.context().close();
  }
}

/** The first line: Playwright adds its log of the call. */
function messageOf(error: unknown): string {
  return String(error).split("\n", 1)[0] ?? "";
}

/** The addresses that the page waits for. A stream of events never ends, so that it is none of them. */
function followRequests(page: Page): () => string[] {
  const pending = new Map<object, string>();
  page.on("request", (request) => {
    if (request.resourceType() !== "eventsource") pending.set(request, request.url());
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  return () => [...pending.values()];
}

/** Nothing is asked for, nothing holds the place of something else, and the browser has nothing to do. */
async function untilComplete(page: Page, pending: () => readonly string[]): Promise<void> {
  let looks = 0;
  let missing = "";
  async function isComplete(): Promise<boolean> {
    const hasAll = await page.evaluate<boolean>(HAS_ALL);
    missing = hasAll ? pending().join(" ") : "what a placeholder stands for";
    looks = missing === "" ? looks + 1 : 0;
    return looks === COMPLETE_LOOKS;
  }
  await until(isComplete, { withinMs: READY_WITHIN_MS, everyMs: 40 }).catch((cause: unknown) => {
    throw new Error(`not complete within ${READY_WITHIN_MS / 1000} s: ${missing}`, { cause });
  });
}
