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

/** `isPictured`: the page is compared with kept pictures. */
export async function visitDemo(
  browser: Browser,
  demo: StandingDemo,
  { viewport, colorScheme }: Pick<Shape, "viewport" | "colorScheme">,
  { isPictured = false }: { isPictured?: boolean } = {},
): Promise<DemoVisit> {
  const { page, complaints } = await openPage(browser, {
    ...{ viewport, colorScheme, reducedMotion: "reduce", timezoneId: "UTC", locale: "en-GB" },
    ...(viewport.width < 768 && { hasTouch: true }),
  });
  await page.clock.setFixedTime(demo.now);
  if (isPictured) {
    await placeLettersByOutline(page);
    await waitForPageFont(page);
  }
  const picture = await createCamera(page);
  let isInApp = false;
  return {
    page,
    get complaints() {
      return complaints.filter((complaint) => !REFUSED.test(complaint));
    },
    async go({ path, made = "app" }) {
      await page.setExtraHTTPHeaders({ "x-forwarded-for": demo.nextClient() });
      if (isInApp && made === "app")
        await page.evaluate(
          `(() => { document.activeElement?.blur(); history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate")); })()`,
        );
      else await page.goto(demo.url + path);
      isInApp = made === "app";
      // The windows of forms are loaded when they are asked for.
      if (path.includes("create=yes")) await page.getByRole("dialog").waitFor();
      await until(() => page.evaluate<boolean>(IS_COMPLETE), { what: `that ${path} is complete`, everyMs: 50 });
    },
    picture,
    async close() {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().close();
    },
  };
}

/**
 * Places letters by their outlines: hinting, which differs from machine to machine, would make the lines of a page longer or shorter. To be called
 * before the page is loaded.
 */
export function placeLettersByOutline(page: Page): Promise<unknown> {
  return page.addInitScript({ content: BY_OUTLINE });
}

/** The font of the public page is left out when it comes too late for the first picture of a page, which is a matter of how busy the machine is. */
function waitForPageFont(page: Page): Promise<unknown> {
  return page.route(/\/status\/?(?:\?.*)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("font-display:optional", "font-display:block") });
  });
}

/** A sheet that a script makes is subject to no Content-Security-Policy. Controls do not inherit the property. */
const BY_OUTLINE = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::placeholder { text-rendering: geometricPrecision !important; }");
  document.adoptedStyleSheets = [sheet];
})()`;

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
