import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startEngine } from "../../test/support/engine.ts";
import { importBusybox } from "../../test/support/images.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";
import { firstRequests } from "./first-requests.ts";
import { residentBytes } from "./questions.ts";
import { type Bench, median, ratioFigure } from "./figure.ts";

const CONTAINERS = 10;

export const start: Bench = {
  name: "start",
  about: `cold start of the production build to the first answer; memory after idling, an engine with ${CONTAINERS} containers; what the first to ask for each thing that is loaded later waits`,
  async run({ quick }) {
    const engine = await startEngine();
    const image = await importBusybox(engine);
    const ids = await Promise.all(Array.from({ length: CONTAINERS }, () => engine.docker("run", "-d", image, "sleep", "3600")));
    try {
      const rounds = quick ? 3 : 9;
      const idleMs = quick ? 2000 : 5000;
      const ours: Sample[] = [];
      const theirs: Sample[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const last = round === rounds - 1;
        ours.push(
          await sample(
            (port, folder) => [
              ...NODE_FLAGS,
              "dist/main.js",
              `--addr=127.0.0.1:${port}`,
              `--data-dir=${folder}`,
              `--docker-host=${engine.host}`,
            ],
            last ? idleMs : 0,
            NODE_ENVIRONMENT,
          ),
        );
        theirs.push(
          await sample((port, folder) => ["tools/bench/servers/baseline-start.js", String(port), join(folder, "x.db")], last ? idleMs : 0),
        );
      }
      const times = (samples: Sample[]): number => median(samples.map(({ ms }) => ms));
      return [
        ratioFigure({ name: "start: to the first answer", value: times(ours), baseline: times(theirs), unit: "ms", atMost: 2 }),
        ratioFigure({
          name: "start: to the list of containers",
          value: median(ours.map(({ listMs }) => listMs)),
          baseline: times(theirs),
          unit: "ms",
          atMost: 4,
        }),
        ratioFigure({ name: "start: resident memory", value: memory(ours), baseline: memory(theirs), unit: "MB", atMost: 1.7 }),
        ...(await firstRequests(quick ? 1 : 5)),
      ];
    } finally {
      await engine.docker("rm", "-f", ...ids);
      await engine.stop();
    }
  },
};

interface Sample {
  ms: number;
  /** Until the program had answered what needs the whole of it. */
  listMs: number;
  bytes: number;
}

function memory(samples: readonly Sample[]): number {
  return (samples.at(-1)?.bytes ?? Number.NaN) / 1024 ** 2;
}

/** Starts a program, waits for its first 200, and reads its memory after it has idled. */
async function sample(
  command: (port: number, folder: string) => string[],
  idleMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Sample> {
  const port = await sparePort();
  const args = command(port, temporaryFolder());
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: "ignore",
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
  });
  try {
    await firstAnswer({ port, path: "/api/v1/health" }, child);
    const ms = performance.now() - startedMs;
    await firstAnswer({ port, path: "/api/v1/containers" }, child);
    const listMs = performance.now() - startedMs;
    await wait(idleMs);
    return { ms, listMs, bytes: residentBytes(child.pid ?? 0) };
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

async function firstAnswer({ port, path }: { port: number; path: string }, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline && child.exitCode === null) {
    const status = await new Promise<number>((resolve) => {
      get({ port, host: "127.0.0.1", path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on("error", () => resolve(0));
    });
    if (status === 200) return;
    await wait(1);
  }
  throw new Error("the program did not answer; is it built?");
}
