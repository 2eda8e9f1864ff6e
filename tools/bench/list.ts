import { until } from "../../test/support/until.ts";
import { startMeasured, type MeasuredServer } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, percentile, ratioFigure } from "./figure.ts";
import { getRepeatedly } from "./load.ts";

const CONTAINERS = 1000;
const CONNECTIONS = 32;
const PATH = "/api/v1/containers";

export const list: Bench = {
  name: "list",
  about: `GET /containers, ${CONTAINERS} containers, ${CONNECTIONS} connections, against a cached Buffer over bare node:http`,
  async run({ quick }) {
    const program = await startMeasured("containers", [String(CONTAINERS)]);
    const url = `http://127.0.0.1:${program.port}${PATH}`;
    const body = async (): Promise<string> => (await fetch(url)).text();
    await until(async () => (await body()).includes(`"total":${CONTAINERS},`));
    const baseline = await startMeasured("buffer", [String((await body()).length)]);
    try {
      return [...(await throughput(program, baseline, quick)), await freshness(program, body, quick), await holdUp(quick)];
    } finally {
      await program.stop();
      await baseline.stop();
    }
  },
};

/** Requests in each CPU second of the server, measured by turns so that both see the same neighbours. */
async function throughput(program: MeasuredServer, baseline: MeasuredServer, quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 2 : 6;
  const requests = quick ? 400 : 2000;
  const measure = async (server: MeasuredServer): Promise<{ perCpuSecond: number; perSecond: number }> => {
    await server.cpuMicroseconds();
    const { seconds } = await getRepeatedly({ port: server.port, path: PATH, connections: CONNECTIONS, requests });
    return { perCpuSecond: requests / ((await server.cpuMicroseconds()) / 1e6), perSecond: requests / seconds };
  };
  await measure(program);
  await measure(baseline);
  const ours = { cpu: 0, wall: 0 };
  const theirs = { cpu: 0, wall: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const [server, sum] of [
      [program, ours],
      [baseline, theirs],
    ] as const) {
      const { perCpuSecond, perSecond } = await measure(server);
      sum.cpu += perCpuSecond / rounds;
      sum.wall += perSecond / rounds;
    }
  }
  return [
    ratioFigure({ name: "list: requests a CPU second", value: ours.cpu, baseline: theirs.cpu, unit: "1/s", atLeast: 0.6 }),
    ratioFigure({ name: "list: requests a second", value: ours.wall, baseline: theirs.wall, unit: "1/s", atLeast: 0.6 }),
  ];
}

/** From a change in the runtime to a list that shows it. */
async function freshness(program: MeasuredServer, body: () => Promise<string>, quick: boolean): Promise<Figure> {
  const delays: number[] = [];
  for (let change = 0; change < (quick ? 10 : 100); change += 1) {
    const name = `renamed-${change}`;
    const startedMs = performance.now();
    await program.ask({ rename: name });
    while (!(await body()).includes(name));
    delays.push(performance.now() - startedMs);
  }
  return absoluteFigure({ name: "list: change to new body, p99", value: percentile(delays, 99), unit: "ms", atMost: 50 });
}

const MANY = 5000;

/** How long the event loop is held up at most while half of 5,000 containers change and all are listed again; the least of several rounds. */
async function holdUp(quick: boolean): Promise<Figure> {
  const program = await startMeasured("containers", [String(MANY)]);
  try {
    const url = `http://127.0.0.1:${program.port}${PATH}`;
    const total = async (query = ""): Promise<number> => Number(/"total":(\d+)/.exec(await (await fetch(url + query)).text())?.[1]);
    await until(async () => (await total()) === MANY, { withinMs: 60_000, everyMs: 200 });
    const longest: number[] = [];
    for (let round = 0; round < (quick ? 2 : 5); round += 1) {
      await program.ask({ delay: true });
      const state = round % 2 === 0 ? "exited" : "running";
      await program.ask({ change: MANY / 2, state });
      await until(async () => (await total(`?state=${state}`)) >= MANY / 2, { withinMs: 60_000, everyMs: 200 });
      await program.ask({ reconcile: true });
      longest.push(Number((await program.ask({ delay: true }))["longestMs"]));
    }
    return absoluteFigure({ name: "list: longest hold-up, 5,000 containers", value: Math.min(...longest), unit: "ms", atMost: 50 });
  } finally {
    await program.stop();
  }
}
