import assert from "node:assert/strict";
import { it } from "node:test";
import { onAllPages } from "../../../support/all-pages.ts";
import { demoPages } from "../../../support/demo-pages.ts";
import { overflow } from "../../../support/page-checks.ts";
import { routeAt, webRoutes } from "../../../support/web-routes.ts";

/** The demo is neither a cluster nor a swarm: these pages say so at one address. */
const ABSENT = /^\/(?:kubernetes|swarm)\//;

onAllPages("all pages at 200 %", (pages) => {
  it("every page of the app is among them", async () => {
    const routes = webRoutes();
    const opened = new Set((await demoPages(pages.url())).map(({ path }) => routeAt(path.replace(/\?.*/, ""), routes)));
    assert.deepEqual(
      routes.filter((route) => !opened.has(route) && !ABSENT.test(route)),
      [],
    );
  });

  for (const [width, height] of [
    [1024, 768],
    [1440, 900],
  ] as const)
    it(`nothing is wider than a window of ${width} px`, async () => {
      assert.deepEqual(await pages.faults({ width: width / 2, height: height / 2 }, overflow), []);
    });
});
