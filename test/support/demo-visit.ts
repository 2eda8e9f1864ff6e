import type { Browser, Page } from "playwright-core";
import type { Shape } from "../../tools/pictures/kept.ts";
import { decodePng, type Picture } from "../../tools/pictures/png.ts";
import { openPage } from "./browser.ts";
import type { DemoPage } from "./demo-pages.ts";
import type { StandingDemo } from "./standing-demo.ts";
import { until } from "./until.ts";

/** A page of the browser that goes through the pages of the demo at its moment. */
export interface DemoVisit {
  page: Page;
  /** What the page complained of so far. */
  complaints: string[];
  /** Goes to a page as a link of the app does, or loads it where the server made it; resolves once nothing is being read. */
  go(to: Pick<DemoPage, "path" | "made">): Promise<void>;
  picture(): Promise<Picture>;
  close(): Promise<void>;
}

/** Of what the demo does not have the browser notes that the server refused it. */
const REFUSED = /\/api\/v1\/(?:kubernetes|swarm)\//;

/** Whether nothing holds the place of something else, once the browser has nothing to do. */
const IS_COMPLETE = `(async () => {
  await document.fonts.ready;
  // It blinks.
  document.documentElement.style.caretColor = "transparent";
  for (let turn = 0; turn < 2; turn += 1) {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return document.querySelector("main, body:not(:has(#root))") !== null && document.querySelector(".animate-pulse.bg-line") === null;
})()`;

export async function visitDemo(
  browser: Browser,
  demo: StandingDemo,
  { viewport, colorScheme }: Pick<Shape, "viewport" | "colorScheme">,
  reducedMotion: "reduce" | "no-preference" = "reduce",
): Promise<DemoVisit> {
  const { page, complaints } = await openPage(browser, {
    ...{ viewport, colorScheme, reducedMotion, timezoneId: "UTC", locale: "en-GB" },
    ...(viewport.width < 768 && { hasTouch: true }),
  });
  await page.clock.setFixedTime(demo.now);
  const picture = await createCamera(page);
  let isInApp = false;
  // Others go through the same pages at the same time: each size has other clients.
  let client = (viewport.width * 4 + (colorScheme === "dark" ? 1 : 0)) << 8;
  return {
    page,
    get complaints() {
      return complaints.filter((complaint) => !REFUSED.test(complaint));
    },
    async go({ path, made = "app" }) {
      client += 1;
      await page.setExtraHTTPHeaders({ "x-forwarded-for": `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}` });
      if (isInApp && made === "app")
        await page.evaluate(
          `(() => { document.activeElement?.blur(); history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate")); })()`,
        );
      else await page.goto(demo.url + path);
      isInApp = made === "app";
      await until(() => page.evaluate<boolean>(IS_COMPLETE), { what: `that ${path} is complete`, everyMs: 50 });
    },
    picture,
    close: () => page.context().close(),
  };
}

/** Takes what the window shows, quicker than Playwright, which waits for what is waited for here already. */
export async function createCamera(page: Page): Promise<() => Promise<Picture>> {
  const session = await page.context().newCDPSession(page);
  // What did not change is not read again.
  let last: { data: string; picture: Picture } | undefined;
  return async () => {
    const { data } = await session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
    if (last?.data !== data) last = { data, picture: decodePng(Buffer.from(data, "base64")) };
    return last.picture;
  };
}
