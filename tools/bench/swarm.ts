import { setTimeout as wait } from "node:timers/promises";
import { type EngineAnswers, startEngineAnswers } from "../../test/support/engine-answers.ts";
import { recordedSwarm } from "../../test/support/recorded-swarm.ts";
import { until } from "../../test/support/until.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, median, percentile, ratioFigure } from "./figure.ts";
import { getRepeatedly } from "./load.ts";

const SERVICES = 200;
const TASKS = 2000;
const CONNECTIONS = 32;
const PATH = "/api/v1/swarm/services";
const MIB = 1024 ** 2;

export const swarm: Bench = {
  name: "swarm",
  isLong: true,
  about: `a manager with ${SERVICES} services and ${TASKS} tasks, by recorded answers: GET ${PATH}, ${CONNECTIONS} connections, against a cached Buffer over bare node:http; what listing it again costs the main thread; memory over the same program with an empty swarm`,
  async run({ quick }) {
    const empty = await memoryOf({ services: 0, tasks: 0 }, quick);
    const engine = await startRecorded({ services: SERVICES, tasks: TASKS });
    const program = await startMeasured("swarm", [engine.host]);
    try {
      await seen(program, SERVICES);
      const resident = await settledMemory(program, quick);
      const relist = await relists(program, engine, quick);
      const fresh = await freshness(program, engine, quick);
      return [
        ...(await throughput(program, quick)),
        ...relist,
        fresh,
        absoluteFigure({ name: "swarm: memory over an empty swarm", value: (resident - empty) / MIB, unit: "MB", atMost: 30 }),
      ];
    } finally {
      await program.stop();
      await engine.close();
    }
  },
};

/** Its answers are ready: what it costs to make them is not to be measured. */
function startRecorded(size: { services: number; tasks: number }): Promise<EngineAnswers> {
  const answers = Object.entries(recordedSwarm(size)).map(([path, answer]) => [path, Buffer.from(JSON.stringify(answer))]);
  return startEngineAnswers(Object.fromEntries(answers));
}

/** Changes an answer of the engine. */
function rewrite(engine: EngineAnswers, path: string, edit: (items: RecordedItem[]) => RecordedItem[]): void {
  const items = JSON.parse(String(engine.answers.get(path))) as RecordedItem[];
  engine.answers.set(path, Buffer.from(JSON.stringify(edit(items))));
}

async function body(program: MeasuredServer): Promise<string> {
  return (await fetch(`http://127.0.0.1:${program.port}${PATH}`)).text();
}

async function seen(program: MeasuredServer, services: number): Promise<void> {
  await until(async () => (await body(program)).includes(`"total":${services},`), { withinMs: 30_000, everyMs: 100 });
}

/** Resident memory of the program with a swarm, after it has idled. */
async function memoryOf(size: { services: number; tasks: number }, quick: boolean): Promise<number> {
  const engine = await startRecorded(size);
  const program = await startMeasured("swarm", [engine.host]);
  try {
    await seen(program, size.services);
    return await settledMemory(program, quick);
  } finally {
    await program.stop();
    await engine.close();
  }
}

/** The median over some time: a listing is garbage a moment later. */
async function settledMemory(program: MeasuredServer, quick: boolean): Promise<number> {
  await wait(quick ? 3_000 : 15_000);
  const readings: number[] = [];
  for (let reading = 0; reading < 10; reading += 1) {
    readings.push(Number((await program.ask({ memory: true }))["bytes"]));
    await wait(500);
  }
  return median(readings);
}

/** Requests in each CPU second of the server, and in each second, by turns so that both see the same neighbours. */
async function throughput(program: MeasuredServer, quick: boolean): Promise<Figure[]> {
  const baseline = await startMeasured("buffer", [String((await body(program)).length)]);
  const rounds = quick ? 2 : 6;
  const requests = quick ? 400 : 10_000;
  const sums = new Map([program, baseline].map((server) => [server, { cpu: 0, wall: 0 }]));
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const [server, sum] of sums) {
        await server.cpuMicroseconds();
        const { seconds } = await getRepeatedly({ port: server.port, path: PATH, connections: CONNECTIONS, requests });
        const cpuSeconds = (await server.cpuMicroseconds()) / 1e6;
        // The first warms up.
        if (round < 0) continue;
        sum.cpu += requests / cpuSeconds / rounds;
        sum.wall += requests / seconds / rounds;
      }
    }
  } finally {
    await baseline.stop();
  }
  const [ours = { cpu: 0, wall: 0 }, theirs = { cpu: 0, wall: 0 }] = sums.values();
  // The bars of the bench `list`, though the body is a fifth of its: the cost of a request without its bytes weighs more.
  return [
    ratioFigure({ name: "swarm: requests a CPU second", value: ours.cpu, baseline: theirs.cpu, unit: "1/s", atLeast: 0.6 }),
    ratioFigure({ name: "swarm: requests a second", value: ours.wall, baseline: theirs.wall, unit: "1/s", atLeast: 0.6 }),
  ];
}

/** What listing a swarm costs in which a tenth of the tasks changed, with all that comes of it; and the longest hold-up of the quietest round. */
async function relists(program: MeasuredServer, engine: EngineAnswers, quick: boolean): Promise<Figure[]> {
  const listings = (): number => engine.asked.filter((path) => path === "/tasks").length;
  const next = async (): Promise<void> => {
    const before = listings();
    await until(() => listings() > before, { withinMs: 60_000, everyMs: 5 });
    await wait(700);
  };
  const costs: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < (quick ? 3 : 15); round += 1) {
    change(engine, round);
    await program.ask({ mainThread: true });
    await next();
    const { cpuMs, longestMs } = await program.ask({ mainThread: true });
    costs.push(Number(cpuMs));
    longest.push(Number(longestMs));
  }
  return [
    absoluteFigure({ name: "swarm: main thread a listing", value: median(costs), unit: "ms", atMost: 300 }),
    absoluteFigure({ name: "swarm: longest hold-up", value: Math.min(...longest), unit: "ms", atMost: 50 }),
  ];
}

/** Every tenth task is another from now on. */
function change(engine: EngineAnswers, round: number): void {
  rewrite(engine, "/tasks", (tasks) =>
    tasks.map((task, index) => (index % 10 === round % 10 ? { ...task, ID: `${task.ID.slice(0, 20)}${round}x${index}` } : task)),
  );
}

/** From an event of the engine to a list that shows the change. */
async function freshness(program: MeasuredServer, engine: EngineAnswers, quick: boolean): Promise<Figure> {
  const delays: number[] = [];
  for (let round = 0; round < (quick ? 3 : 20); round += 1) {
    const image = `shop/web:${100 + round}`;
    rewrite(engine, "/services", ([first, ...others]) => (first === undefined ? [] : [withImage(first, image), ...others]));
    engine.send({ Type: "service", Action: "update", Actor: { ID: "yaekpqx5awm2biabj98hm0000" } });
    const startedMs = performance.now();
    while (!(await body(program)).includes(image)) await wait(20);
    delays.push(performance.now() - startedMs);
  }
  return absoluteFigure({ name: "swarm: event to new body, p99", value: percentile(delays, 99), unit: "ms", atMost: 2000 });
}

function withImage(service: RecordedItem, Image: string): RecordedItem {
  const { Spec } = service;
  const TaskTemplate = { ...Spec.TaskTemplate, ContainerSpec: { ...Spec.TaskTemplate?.ContainerSpec, Image } };
  return { ...service, Spec: { ...Spec, TaskTemplate } };
}

interface RecordedItem {
  ID: string;
  Spec: { TaskTemplate?: { ContainerSpec: object } };
}
