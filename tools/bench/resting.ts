/** Programs that nobody asks anything, and what they take. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";

const KILOBYTE = 1024;

export interface Resting {
  process: ChildProcess;
  url: string;
  get<Body>(path: string): Promise<Body>;
}

/** The built program as `npm start` runs it. */
export function spawnProgram(args: readonly string[], env: Record<string, string>): ChildProcess {
  const folder = temporaryFolder();
  return spawn(process.execPath, [...NODE_FLAGS, "dist/main.js", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      SERVICE_DATA_DIR: folder,
      SERVICE_LOG_LEVEL: "error",
      ...NODE_ENVIRONMENT,
      ...env,
    },
  });
}

export async function startProgram(args: readonly string[], env: Record<string, string>): Promise<Resting> {
  const port = await sparePort();
  return answering(port, spawnProgram(args, { SERVICE_ADDR: `127.0.0.1:${port}`, ...env }));
}

export async function answering(port: number, child: ChildProcess): Promise<Resting> {
  const url = `http://127.0.0.1:${port}`;
  const get = async <Body>(path: string): Promise<Body> => (await (await fetch(`${url}${path}`)).json()) as Body;
  await until(
    () =>
      fetch(`${url}/api/v1/ready`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    { withinMs: 20_000, everyMs: 50 },
  );
  return { process: child, url, get };
}

export async function stop({ process: child }: Pick<Resting, "process">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export async function untilShown({ get }: Pick<Resting, "get">, count: number): Promise<void> {
  const shown = async (): Promise<number> => {
    const { groups } = await get<ContainerList>("/api/v1/containers");
    return groups.flatMap(({ containers }) => containers).filter(({ state }) => state === "running").length;
  };
  await until(async () => (await shown()) >= count, { withinMs: 60_000, everyMs: 500, what: "its containers" });
}

/** In bytes. Source: proc(5), smaps_rollup. */
export function memoryOf(pid: number): { resident: number; anonymous: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) * KILOBYTE;
  return { resident: of("Rss"), anonymous: of("Anonymous") };
}
