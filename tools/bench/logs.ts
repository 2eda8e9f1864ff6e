import { get as open } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { startEngine, type TestEngine } from "../../test/support/engine.ts";
import { importBusybox } from "../../test/support/images.ts";
import { until } from "../../test/support/until.ts";
import { absoluteFigure, type Bench, type Figure } from "./figure.ts";
import { type AnsweringProgram, memoryOf, startBuilt } from "./programs.ts";

const TEXT = "GET /api/v1/orders/4711 200 12ms upstream=10.0.0.7:8080 user=anna request=0af7651916cd43dd";
/** About 2,000 lines a second: busybox waits for a hundredth of a second, and takes some time for the rest. */
const STEADY = `while :; do yes '${TEXT}' | head -n 28; usleep 10000; done`;
const STORM = `yes '${TEXT}'`;
/** Small files, or a storm fills the disk. */
const LOG_FILES = ["--log-opt", "max-size=20m", "--log-opt", "max-file=2"];
const MEGABYTE = 1024 ** 2;

export const logs: Bench = {
  name: "logs",
  about: "the live log of a container of a real engine through the built program, at a steady pace and in a storm of lines",
  async run({ quick }) {
    const engine = await startEngine({ own: true });
    const image = await importBusybox(engine);
    const program = await startBuilt([], { SERVICE_DOCKER_HOST: engine.host });
    const follow = (script: string): Promise<Follower> => start({ engine, image, program, script });
    try {
      await wait(quick ? 1_000 : 60_000);
      const idle = await idleShare(program, quick ? 2 : 20);
      const steady = await measure(program, await follow(STEADY), { seconds: quick ? 3 : 20, idle });
      const before = memoryOf(program.pid).resident;
      const storm = await measure(program, await follow(STORM), { seconds: quick ? 3 : 20, idle });
      const after = memoryOf(program.pid).resident;
      const perSecond = (name: string, value: number): Figure => ({
        ...{ name: `logs: ${name}`, value, unit: "1/s", baseline: null, ratio: null, bar: "", ok: true },
      });
      return [
        perSecond("steady, lines", steady.written),
        absoluteFigure({ name: "logs: steady, CPU a line", value: steady.cpuMicroseconds, unit: "us", atMost: 15 }),
        absoluteFigure({ name: "logs: steady, omitted", value: steady.omitted, unit: "lines", atMost: 0 }),
        perSecond("storm, lines written", storm.written),
        perSecond("storm, lines shown", storm.shown),
        absoluteFigure({ name: "logs: storm, CPU a line", value: storm.cpuMicroseconds, unit: "us", atMost: 15 }),
        absoluteFigure({ name: "logs: storm, age of the last line", value: storm.ageMs, unit: "ms", atMost: 1_000 }),
        absoluteFigure({ name: "logs: storm, more resident memory", value: (after - before) / MEGABYTE, unit: "MB", atMost: 40 }),
      ];
    } finally {
      await program.stop();
      await engine.stop();
    }
  },
};

interface Follower {
  lines: number;
  omitted: number;
  lastLine: string;
  close(): Promise<void>;
}

/** Runs a container that writes, and follows its log as a browser does. */
async function start({ engine, image, program, script }: Writing): Promise<Follower> {
  const externalId = await engine.docker("run", "-d", "--network", "none", ...LOG_FILES, image, "sh", "-c", script);
  const id = await until(
    async () => {
      const { groups } = await program.get<ContainerList>("/api/v1/containers");
      return groups.flatMap(({ containers }) => containers).find((each) => each.external_id === externalId)?.id;
    },
    { withinMs: 10_000, everyMs: 100, what: "the container" },
  );
  const follower: Follower = {
    ...{ lines: 0, omitted: 0, lastLine: "" },
    async close() {
      request.destroy();
      await engine.docker("rm", "-f", externalId);
    },
  };
  let rest = "";
  const request = open(`${program.url}/api/v1/containers/${id}/logs/stream?lines=1`, (response) => {
    response.setEncoding("latin1").on("data", (chunk: string) => {
      const events = (rest + chunk).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith("event: log")) follower.lines += 1;
        if (event.startsWith("event: omitted")) follower.omitted += Number(/"lines":(\d+)/.exec(event)?.[1]);
      }
      follower.lastLine = events.findLast((event) => event.startsWith("event: log")) ?? follower.lastLine;
    });
  });
  request.on("error", () => undefined);
  await until(() => follower.lines > 0, { withinMs: 10_000, what: "the first line" });
  return follower;
}

interface Writing {
  engine: TestEngine;
  image: string;
  program: AnsweringProgram;
  script: string;
}

/** What the program takes while nobody asks it anything, in milliseconds of CPU time a second. */
async function idleShare(program: AnsweringProgram, seconds: number): Promise<number> {
  const before = program.cpuMs();
  await wait(seconds * 1000);
  return (program.cpuMs() - before) / seconds;
}

/** Lines a second, CPU time of the program for each line that was written, and how far the last one lay behind. */
async function measure(program: AnsweringProgram, follower: Follower, { seconds, idle }: { seconds: number; idle: number }) {
  await wait(1_000);
  const before = { cpu: program.cpuMs(), lines: follower.lines, omitted: follower.omitted };
  const startedMs = performance.now();
  await wait(seconds * 1000);
  const passed = (performance.now() - startedMs) / 1000;
  const ageMs = Date.now() - Date.parse(/"timestamp":"([^"]+)"/.exec(follower.lastLine)?.[1] ?? "");
  const shown = follower.lines - before.lines;
  const omitted = follower.omitted - before.omitted;
  const cpuMicroseconds = ((program.cpuMs() - before.cpu - idle * passed) * 1000) / (shown + omitted);
  await follower.close();
  return { written: (shown + omitted) / passed, shown: shown / passed, omitted, ageMs, cpuMicroseconds };
}
