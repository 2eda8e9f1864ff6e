/**
 * `npm run pictures:keep [-- PART...]` keeps what all pages of the demo look like in every size, or those whose picture has a part in its name
 * (`alerts`, `1440-light`), for the tests that compare them. Look at what changed before it is kept.
 */
import type { Browser } from "playwright-core";
import { startBrowser } from "../test/support/browser.ts";
import { demoPages } from "../test/support/demo-pages.ts";
import { visitDemo } from "../test/support/demo-visit.ts";
import { startGallery, visitGallery } from "../test/support/gallery.ts";
import { startStandingDemo, type StandingDemo } from "../test/support/standing-demo.ts";
import { build } from "./build.ts";
import { shrink } from "./pictures/blocks.ts";
import { forgetPicture, keepPicture, keptNames, type Shape, SHAPES } from "./pictures/kept.ts";
import type { Picture } from "./pictures/png.ts";
import { installFor } from "./test-parts.ts";
import { continueIsolated } from "./testing/isolation.ts";

/** A page is at rest when it looks the same for so long. */
const RESTS_FOR_MS = 300;
const LOOKS = 25;
/** So many sizes are gone through at a time. */
const LANES = 3;

installFor(["test/support/browser.ts"]);
await continueIsolated();
await main(process.argv.slice(2));
// The demo holds the process.
process.exit();

async function main(parts: readonly string[]): Promise<void> {
  await build({ ifStale: true });
  await using stack = new AsyncDisposableStack();
  const demo = await startStandingDemo();
  stack.defer(demo.stop);
  const gallery = await startGallery();
  stack.defer(async () => void (await gallery.stop()));
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  const kept: string[] = [];
  const waiting = [...SHAPES];
  async function work(): Promise<void> {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift())
      kept.push(...(await keepPages(browser, demo, shape, parts)), ...(await keepComponents(browser, gallery, shape, parts)));
  }
  await Promise.all(Array.from({ length: LANES }, work));
  const stale = parts.length > 0 ? [] : keptNames().filter((name) => !kept.includes(name));
  for (const name of stale) forgetPicture(name);
  console.log(`${kept.length} pictures kept, ${stale.length} removed`);
}

/** Answers the names of what it kept. */
async function keepPages(browser: Browser, demo: StandingDemo, shape: Shape, parts: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  const visit = await visitDemo(browser, demo, shape, { isPictured: true });
  for (const { name, ...to } of await demoPages(demo.url)) {
    const keptName = `${name}.${shape.name}`;
    if (!isAsked(keptName, parts)) continue;
    await visit.go(to);
    const picture = await atRest(visit.picture, shape.block);
    if (picture === undefined) throw new Error(`${keptName} never comes to rest`);
    keepPicture(name, shape, picture);
    kept.push(keptName);
  }
  await visit.close();
  return kept;
}

async function keepComponents(browser: Browser, gallery: { url: string }, shape: Shape, parts: readonly string[]): Promise<string[]> {
  const visit = await visitGallery(browser, gallery, shape, { isPictured: true });
  const asked = [...(await visit.pictures())].filter(([name]) => isAsked(`${name}.${shape.name}`, parts));
  for (const [name, picture] of asked) keepPicture(name, shape, picture);
  await visit.close();
  return asked.map(([name]) => `${name}.${shape.name}`);
}

function isAsked(keptName: string, parts: readonly string[]): boolean {
  return parts.length === 0 || parts.some((part) => keptName.includes(part));
}

/** What `picture` shows once it shows it twice; undefined if it never does. */
async function atRest(picture: () => Promise<Picture>, block: number): Promise<Picture | undefined> {
  let last = await picture();
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, RESTS_FOR_MS));
    const next = await picture();
    if (next === last || Buffer.from(shrink(next, block).rgb).equals(shrink(last, block).rgb)) return next;
    last = next;
  }
  return undefined;
}
