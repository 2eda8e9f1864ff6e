/**
 * `npm run screenshots [part of a name...]` takes pictures of every page, or of those named, in light, dark and phone size, with few, many
 * and no containers, into screenshots/. They are for looking at, not for comparing. Pages that fail are named at the end.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "../test/support/browser.ts";
import { build } from "./build.ts";
import { LICENSES, makePair } from "./license.ts";
import { livelyPages, type PicturedPage, stillPages } from "./pictures/pages.ts";
import { startScene } from "./pictures/scene.ts";
import { PICTURES_OF_PAGE, takePictures } from "./pictures/take.ts";
import { installFor } from "./test-parts.ts";
import { continueIsolated } from "./testing/isolation.ts";

const FOLDER = join(import.meta.dirname, "../screenshots");

installFor(["test/support/engine.ts", "test/support/kubernetes/cluster.ts", "test/support/browser.ts"]);
await continueIsolated();
process.exitCode = await main(process.argv.slice(2));

async function main(parts: readonly string[]): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  makePair(LICENSES);
  await build({ ifStale: true });
  await using stack = new AsyncDisposableStack();
  const { still, finishLively } = await startScene(stack);
  // After the containers: networks that come and go disturb it.
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  let count = 0;
  function take(pages: readonly PicturedPage[]): Promise<string[]> {
    const asked = pages.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
    count += asked.length;
    return takePictures(browser, asked, FOLDER);
  }
  const [stillFailures, lively] = await Promise.all([take(stillPages(still)), finishLively()]);
  const failures = [...stillFailures, ...(await take(await livelyPages(lively)))];
  console.log(`${(count - failures.length) * PICTURES_OF_PAGE} pictures in ${FOLDER}`);
  if (failures.length === 0) return 0;
  console.error(`${failures.length} of ${count} pages failed:\n${failures.join("\n").replace(/^/gm, "  ")}`);
  return 1;
}
