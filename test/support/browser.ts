import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, without a window. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
}

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A new page with nothing kept from others; what the page complains of ends up in `complaints`. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // That networks of containers come and go is not the page's fault; the browser asks again.
    if (message.type() === "error" && !message.text().includes("ERR_NETWORK_CHANGED"))
      complaints.push(`${message.text()} (${message.location().url})`);
  });
  return { page, complaints };
}
