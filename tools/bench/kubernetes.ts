import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { WorkloadList } from "../../src/monitoring/kubernetes/answers.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, percentile } from "./figure.ts";
import { holdUpFigures, longestHoldUp, WATCHED } from "./hold-ups.ts";
import { cpuMs, residentBytes } from "./questions.ts";

const WORKLOADS = 500;
const PODS = 5000;
const JOBS = 20;
const CHANGES_A_SECOND = 100;
const LOOK_EVERY_MS = 50;
const LISTED = { withinMs: 60_000, everyMs: 100 };
/** A watch ends by itself within that time, and the next one continues from there. */
const FULL_SECONDS = 300;
const QUICK_SECONDS = 15;
/** Its first reading of metrics, and rows of containers, follow the list. */
const SETTLES_MS = 5000;
/** An event that takes longer is lost. */
const ARRIVES_WITHIN_MS = 5000;

export const kubernetes: Bench = {
  name: "kubernetes",
  isLong: true,
  about: `a cluster of ${PODS} pods in ${WORKLOADS} Deployments behind a stand-in for its API server, ${CHANGES_A_SECOND} changes a second of pods and Deployments for 5 minutes`,
  async run({ quick }) {
    const folder = temporaryFolder();
    const cluster = await startMeasured("api-server", [String(WORKLOADS), String(JOBS), folder]);
    const { program, port, startedMs } = await startWatching(folder);
    const pid = program.pid ?? 0;
    let most = 0;
    const looking = setInterval(() => {
      if (program.exitCode === null) most = Math.max(most, residentBytes(pid));
    }, LOOK_EVERY_MS);
    try {
      await until(async () => (await statusOf(port, "/api/v1/ready")) === 200, { withinMs: 20_000, everyMs: 10 });
      await longestHoldUp(program);
      await until(() => isListed(port), LISTED);
      const listedMs = performance.now() - startedMs;
      const whileListed = await longestHoldUp(program);
      await wait(SETTLES_MS);
      const changes = await measureChanges(cluster, { program, port, seconds: quick ? QUICK_SECONDS : FULL_SECONDS });
      return [
        absoluteFigure({ name: "kubernetes: start to whole list", value: listedMs, unit: "ms", atMost: 10_000 }),
        ...holdUpFigures("kubernetes", "list", whileListed),
        ...changes,
        absoluteFigure({ name: "kubernetes: resident memory", value: most / 1024 ** 2, unit: "MB", atMost: 220 }),
      ];
    } finally {
      clearInterval(looking);
      program.kill("SIGKILL");
      if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
      await cluster.stop();
    }
  },
};

interface Watching {
  program: ChildProcess;
  port: number;
  startedMs: number;
}

/** The built program as `npm start` runs it, pointed at the cluster of a kubeconfig. */
async function startWatching(folder: string): Promise<Watching> {
  const port = await sparePort();
  const startedMs = performance.now();
  const program = spawn(process.execPath, [...NODE_FLAGS, ...WATCHED, "dist/main.js"], {
    stdio: ["ignore", 2, 2, "ipc"],
    env: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: folder, ...NODE_ENVIRONMENT },
      ...{
        SERVICE_ADDR: `127.0.0.1:${port}`,
        SERVICE_DATA_DIR: join(folder, "data"),
        SERVICE_LOG_LEVEL: "error",
        SERVICE_UPDATE_INTERVAL: "off",
      },
      ...{ SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: join(folder, "kubeconfig") },
    },
  });
  return { program, port, startedMs };
}

async function statusOf(port: number, path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
}

async function isListed(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/kubernetes/workloads?limit=1`);
  if (answer.status !== 200) return false;
  const { total, clusters } = (await answer.json()) as WorkloadList;
  return total === WORKLOADS + JOBS && clusters[0]?.pods === PODS;
}

async function measureChanges(
  cluster: MeasuredServer,
  { program, port, seconds }: Pick<Watching, "program" | "port"> & { seconds: number },
): Promise<Figure[]> {
  const arrivals = await followEvents(port);
  const pid = program.pid ?? 0;
  await longestHoldUp(program);
  const cpuBeforeMs = cpuMs(pid);
  const startedMs = performance.now();
  await cluster.ask({ change: true, perSecond: CHANGES_A_SECOND, seconds });
  const busy = (cpuMs(pid) - cpuBeforeMs) / (performance.now() - startedMs);
  const holdUp = await longestHoldUp(program);
  await wait(ARRIVES_WITHIN_MS);
  const { written } = (await cluster.ask({ written: true })) as { written: [number, string][] };
  const { delays, lost } = delaysOf(written, arrivals);
  return [
    absoluteFigure({ name: "kubernetes: change to event, p50", value: percentile(delays, 50), unit: "ms", atMost: 250 }),
    absoluteFigure({ name: "kubernetes: change to event, p99", value: percentile(delays, 99), unit: "ms", atMost: 250 }),
    absoluteFigure({ name: "kubernetes: changes without event", value: lost, unit: "changes", atMost: 0 }),
    absoluteFigure({ name: "kubernetes: share of a core", value: busy * 100, unit: "%", atMost: 30 }),
    ...holdUpFigures("kubernetes", "changes", holdUp),
  ];
}

/** When events arrived, by their type and the workload that they are about. */
async function followEvents(port: number): Promise<Map<string, number[]>> {
  const arrivals = new Map<string, number[]>();
  const types = ["kubernetes.workload_updated", "kubernetes.pods_changed"];
  const request = get({ port, host: "127.0.0.1", path: `/api/v1/containers/events?types=${types.join(",")}` });
  const [stream] = (await once(request, "response")) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`the stream of events answered ${stream.statusCode}`);
  let rest = "";
  stream.on("error", () => undefined);
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const nowMs = Date.now();
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const [, type = "", data = ""] = /^event: (kubernetes\.\w+)\ndata: (.+)$/m.exec(frame) ?? [];
      if (type === "") continue;
      const key = `${type} ${(JSON.parse(data) as { id: string }).id}`;
      const known = arrivals.get(key) ?? [];
      arrivals.set(key, known);
      known.push(nowMs);
    }
  });
  return arrivals;
}

/** How long each change took to its event. Those of a workload come in their order. */
function delaysOf(written: readonly [number, string][], arrivals: ReadonlyMap<string, readonly number[]>) {
  const delays: number[] = [];
  let lost = 0;
  for (const [key, changes] of Map.groupBy(written, ([, shownBy]) => shownBy)) {
    const arrived = arrivals.get(key) ?? [];
    lost += Math.abs(changes.length - arrived.length);
    for (const [index, [writtenMs]] of changes.entries()) {
      const arrivedMs = arrived[index];
      if (arrivedMs !== undefined) delays.push(arrivedMs - writtenMs);
    }
  }
  return { delays, lost };
}
