import type { Browser, Response } from "playwright-core";
import { openPage, startBrowser } from "../../test/support/browser.ts";
import { until } from "../../test/support/until.ts";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench } from "./figure.ts";

const CONTAINERS = 1000;

export const web: Bench = {
  name: "web",
  about: `the built app in Chromium, ${CONTAINERS} containers: JavaScript as transferred, and time to the first rows, best of several visits`,
  async run({ quick }) {
    const program = await startMeasured("containers", [String(CONTAINERS)]);
    const browser = await startBrowser({ optimizes: true });
    try {
      const address = `http://127.0.0.1:${program.port}`;
      await until(async () => (await (await fetch(`${address}/api/v1/containers`)).text()).includes(`"total":${CONTAINERS},`), {
        everyMs: 100,
      });
      const visits: Visit[] = [];
      for (let visit = 0; visit < (quick ? 3 : 8); visit += 1) visits.push(await open(browser, `${address}/containers`));
      return [
        absoluteFigure({
          name: "web: JavaScript of the first view",
          value: Math.max(...visits.map(({ kilobytes }) => kilobytes)),
          unit: "kB",
          atMost: 150,
        }),
        absoluteFigure({ name: "web: first rows shown", value: Math.min(...visits.map(({ ms }) => ms)), unit: "ms", atMost: 1000 }),
      ];
    } finally {
      await browser.close();
      await program.stop();
    }
  },
};

interface Visit {
  ms: number;
  kilobytes: number;
}

async function open(browser: Browser, url: string): Promise<Visit> {
  const { page } = await openPage(browser);
  const scripts: Response[] = [];
  page.on("response", (response) => void (response.url().endsWith(".js") && scripts.push(response)));
  const startedMs = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page
    .getByRole("link", { name: /^service-/ })
    .first()
    .waitFor();
  const ms = performance.now() - startedMs;
  const sizes = await Promise.all(scripts.map(async (response) => (await response.request().sizes()).responseBodySize));
  await page.context().close();
  return { ms, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
}
