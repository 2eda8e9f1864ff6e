import type { Browser, Page } from "playwright-core";
import { buildGallery } from "../../tools/build.ts";
import type { Shape } from "../../tools/pictures/kept.ts";
import { cropPicture, type Picture } from "../../tools/pictures/png.ts";
import { openPage } from "./browser.ts";
import { createCamera, placeLettersByOutline } from "./demo-visit.ts";
import { createTestServer } from "./http-server.ts";
import { painted } from "./page-checks.ts";

const NOW = new Date("2026-03-11T10:24:05.000Z");
/** Of a longer shelf, as of a long list, the beginning says enough. */
const LONGEST_SHELF = 1200;

/** The page of all components, served as the app is, with its Content-Security-Policy. */
export async function startGallery(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const server = createTestServer({ webRoot: await buildGallery() });
  const { url } = await server.start();
  return { url, stop: () => server.stop() };
}

export interface GalleryVisit {
  page: Page;
  complaints: string[];
  /** What each shelf looks like, by the name of its picture. */
  pictures(): Promise<Map<string, Picture>>;
  close(): Promise<void>;
}

interface Shelf {
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** `isPictured`: its shelves are compared with kept pictures. */
export async function visitGallery(
  browser: Browser,
  { url }: { url: string },
  { viewport, colorScheme }: Pick<Shape, "viewport" | "colorScheme">,
  { isPictured = false }: { isPictured?: boolean } = {},
): Promise<GalleryVisit> {
  const { page, complaints } = await openPage(browser, {
    viewport,
    colorScheme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
  });
  await page.clock.setFixedTime(NOW);
  if (isPictured) await placeLettersByOutline(page);
  await page.goto(url + (isPictured ? "/?pictured" : "/"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate("document.fonts.ready");
  const takePicture = await createCamera(page);
  return {
    page,
    complaints,
    async pictures() {
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      await page.setViewportSize({ width: viewport.width, height });
      await painted(page);
      const shelves = await page.evaluate<Shelf[]>(SHELVES);
      const whole = await takePicture();
      await page.setViewportSize(viewport);
      return new Map(
        shelves.map(({ name, ...part }) => [
          `gallery-${name}`,
          cropPicture(whole, { ...part, height: Math.min(part.height, LONGEST_SHELF) }),
        ]),
      );
    },
    close: () => page.context().close(),
  };
}

const SHELVES = `[...document.querySelectorAll("main > section")].map((shelf) => {
  const { left, top, width, height } = shelf.getBoundingClientRect();
  const name = shelf.getAttribute("aria-label").toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return { name, left: Math.round(left), top: Math.round(top), width: Math.round(width), height: Math.round(height) };
})`;
