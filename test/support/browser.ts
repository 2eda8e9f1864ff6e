import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from "playwright-core";
import { forgave } from "./forgiven.ts";
import { checkOpened } from "./opened-routes.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A page of a test lives for seconds: to optimize its scripts, and those of axe, takes longer than it saves. */
const UNOPTIMIZED = "--js-flags=--no-opt --no-maglev";

interface BrowserOptions {
  /** As people have it, for what is measured or left open. */
  optimizes?: boolean;
  flags?: readonly string[];
}

/** Debian's Chromium without the parts that draw windows, which would take a third of the time. */
export async function startBrowser({ optimizes = false, flags = [] }: BrowserOptions = {}): Promise<Browser> {
  const args = [...FLAGS, ...(optimizes ? [] : [UNOPTIMIZED]), ...flags];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args });
  checkOpened(browser);
  return browser;
}

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const LOADS = 5;
/** Without one of these the page is not what it should be, and none is asked for again. */
const NEEDED = new Set(["script", "stylesheet"]);
/** What the app begins with may be asked for a moment after the page was loaded. */
const SETTLE_MS = 200;

/** The browser breaks off what it loads when a network of containers comes or goes; then the page is loaded again. */
function loadWhole(page: Page): void {
  let isBroken = false;
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "net::ERR_NETWORK_CHANGED" && NEEDED.has(request.resourceType())) isBroken = true;
  });
  const goOnce = page.goto.bind(page);
  const reloadOnce = page.reload.bind(page);
  async function loadUntilWhole(loadOnce: () => Promise<Response | null>): Promise<Response | null> {
    for (let load = 1; ; load += 1) {
      isBroken = false;
      try {
        const response = await loadOnce();
        await page.waitForTimeout(SETTLE_MS);
        if (!isBroken || load === LOADS) return response;
      } catch (error) {
        if (load === LOADS || !String(error).includes("ERR_NETWORK_CHANGED")) throw error;
      }
      forgave(`${page.url()} was loaded again, since a network came or went`);
    }
  }
  page.goto = (...where) => loadUntilWhole(() => goOnce(...where));
  page.reload = (...how) => loadUntilWhole(() => reloadOnce(...how));
}

/** A new page with nothing kept from others; what the page complains of ends up in `complaints`. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  // A service worker would come between the page and what a test does to its requests.
  const context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: "block", ...options });
  const page = await context.newPage();
  loadWhole(page);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const complaint = `${message.text()} (${message.location().url})`;
    // That networks of containers come and go is not the page's fault; the browser asks again.
    if (complaint.includes("ERR_NETWORK_CHANGED")) forgave(complaint);
    else complaints.push(complaint);
  });
  return { page, complaints };
}
