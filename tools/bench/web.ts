import { startBrowser } from "../../test/support/browser.ts";
import { until } from "../../test/support/until.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, percentile } from "./figure.ts";
import { best, scroll, type, type Visit, visit } from "./web-visit.ts";

const CONTAINERS = 1000;
const MANY = 10_000;
const EVENTS_A_SECOND = 500;
const STORM_MS = 6000;
/** Narrows the list key by key. */
const TYPED = "service-12345";

export const web: Bench = {
  name: "web",
  about:
    `the built app in Chromium, ${CONTAINERS} containers: what the first view loads, when it is there, whether it moves or blocks, best of several visits; ` +
    `scrolling with ${CONTAINERS} and ${MANY} containers; typing while ${EVENTS_A_SECOND} events a second arrive`,
  async run({ quick }) {
    const browser = await startBrowser({ optimizes: true });
    try {
      const figures = await withContainers(CONTAINERS, async (address, program) => {
        const visits: Visit[] = [];
        for (let index = 0; index < (quick ? 3 : 8); index += 1) visits.push(await visit(browser, `${address}/containers`));
        const scrolled = await scroll(browser, `${address}/containers`, quick ? 120 : 600);
        const during = (): Promise<unknown> => program.ask({ storm: EVENTS_A_SECOND, lastsMs: STORM_MS });
        const typed = await type(browser, `${address}/containers`, { text: TYPED, during });
        return [...ofVisits(visits), ofScrolling(CONTAINERS, scrolled), ofTyping(typed)];
      });
      if (quick) return figures;
      const scrolled = await withContainers(MANY, (address) => scroll(browser, `${address}/containers`, 600));
      return [...figures, ofScrolling(MANY, scrolled)];
    } finally {
      await browser.close();
    }
  },
};

async function withContainers<Result>(count: number, use: (address: string, program: MeasuredServer) => Promise<Result>): Promise<Result> {
  const program = await startMeasured("containers", [String(count)]);
  try {
    const address = `http://127.0.0.1:${program.port}`;
    const isThere = async (): Promise<boolean> =>
      (await (await fetch(`${address}/api/v1/containers`)).text()).includes(`"total":${count},`);
    await until(isThere, { everyMs: 100 });
    return await use(address, program);
  } finally {
    await program.stop();
  }
}

function ofVisits(visits: readonly Visit[]): Figure[] {
  const scripts = Math.max(...visits.map(({ scriptKilobytes }) => scriptKilobytes));
  const data = Math.max(...visits.map(({ dataKilobytes }) => dataKilobytes));
  return [
    absoluteFigure({ name: "web: JavaScript of the first view", value: scripts, unit: "kB", atMost: 150 }),
    absoluteFigure({ name: "web: data of the first view", value: data, unit: "kB", atMost: 60 }),
    absoluteFigure({
      name: "web: first contentful paint",
      value: best(visits, ({ firstPaintMs }) => firstPaintMs),
      unit: "ms",
      atMost: 600,
    }),
    absoluteFigure({ name: "web: first rows shown", value: best(visits, ({ rowsMs }) => rowsMs), unit: "ms", atMost: 900 }),
    absoluteFigure({ name: "web: blocking time", value: best(visits, ({ blockedMs }) => blockedMs), unit: "ms", atMost: 100 }),
    absoluteFigure({
      name: "web: layout shift",
      value: Math.max(...visits.map(({ layoutShift }) => layoutShift)),
      unit: "",
      atMost: 0.02,
    }),
  ];
}

function ofScrolling(count: number, between: readonly number[]): Figure {
  return absoluteFigure({
    name: `web: between frames, scrolling ${count} rows, p95`,
    value: percentile(between, 95),
    unit: "ms",
    atMost: 17,
  });
}

function ofTyping(delays: readonly number[]): Figure {
  return absoluteFigure({ name: "web: key to frame in a storm, p95", value: percentile(delays, 95), unit: "ms", atMost: 50 });
}
