/** The built program, run as `npm start` runs it, and what it takes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";
import { type HoldUp, longestHoldUp, WATCHED } from "./hold-ups.ts";
import { cpuMs, residentBytes } from "./questions.ts";

const KILOBYTE = 1024;
const LOOK_EVERY_MS = 50;
const LOG_CHARACTERS = 20_000;
const STARTED = { withinMs: 30_000, everyMs: 20 };

export interface BuiltProgram {
  pid: number;
  /** CPU time of all its threads since it started. */
  cpuMs(): number;
  residentBytes(): number;
  /** The most that was resident since the last time of asking. */
  mostResidentBytes(): number;
  /** How long its event loop was held up at most since the last time of asking; of one that is watched. */
  longestHoldUp(): Promise<HoldUp>;
  /** The end of what it logged. */
  log(): string;
  stop(): Promise<void>;
}

export interface AnsweringProgram extends BuiltProgram {
  url: string;
  get<Body>(path: string): Promise<Body>;
}

export interface BuiltServer extends AnsweringProgram {
  grpcPort: number;
  dataDir: string;
}

type Variables = Readonly<Record<string, string>>;

interface RunOptions {
  /** Its event loop is watched. */
  isWatched?: boolean;
}

/** Starts it, in a folder that nothing else uses unless one is given. */
export function runBuilt(flags: readonly string[], env: Variables, { isWatched = false }: RunOptions = {}): BuiltProgram {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [...NODE_FLAGS, ...(isWatched ? WATCHED : []), "dist/main.js", ...flags], {
    stdio: ["ignore", "ignore", "pipe", ...(isWatched ? (["ipc"] as const) : [])],
    env: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: folder, SERVICE_DATA_DIR: folder, SERVICE_LOG_FORMAT: "json" },
      ...NODE_ENVIRONMENT,
      ...env,
    },
  });
  const exited = once(child, "exit");
  let output = "";
  child.stderr?.on("data", (chunk) => void (output = (output + String(chunk)).slice(-LOG_CHARACTERS)));
  // None when it could not be started, which shows when nothing answers.
  const { pid = 0 } = child;
  const resident = (): number => (pid === 0 || child.exitCode !== null ? 0 : residentBytes(pid));
  let most = 0;
  const looking = setInterval(() => void (most = Math.max(most, resident())), LOOK_EVERY_MS).unref();
  return {
    pid,
    cpuMs: () => cpuMs(pid),
    residentBytes: resident,
    mostResidentBytes() {
      const since = Math.max(most, resident());
      most = 0;
      return since;
    },
    longestHoldUp: () => longestHoldUp(child),
    log: () => output,
    async stop() {
      clearInterval(looking);
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Starts one that answers, which has time to itself: it logs errors alone. */
export async function startBuilt(flags: readonly string[], env: Variables, options?: RunOptions): Promise<AnsweringProgram> {
  const url = `http://127.0.0.1:${await sparePort()}`;
  return answering(url, runBuilt(flags, { SERVICE_ADDR: hostOf(url), SERVICE_LOG_LEVEL: "error", ...env }, options));
}

/** Starts a server of agents, licensed, without TLS unless asked for, that watches no host itself. On a folder that was used before, it has the same ports. */
export async function startBuiltServer(
  env: Variables = {},
  before?: Pick<BuiltServer, "url" | "grpcPort" | "dataDir">,
): Promise<BuiltServer> {
  const dataDir = before?.dataDir ?? temporaryFolder();
  const grpcPort = before?.grpcPort ?? (await sparePort());
  const url = before?.url ?? `http://127.0.0.1:${await sparePort()}`;
  const program = runBuilt(["--mode=server"], {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_ADDR: hostOf(url),
    SERVICE_GRPC_LISTEN: `127.0.0.1:${grpcPort}`,
    SERVICE_GRPC_TLS_INSECURE: "true",
    SERVICE_EMBEDDED_AGENT: "false",
    SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "personal", organisation: "Bench", days: 1 }),
    ...env,
  });
  return { ...(await answering(url, program)), grpcPort, dataDir };
}

async function answering(url: string, program: BuiltProgram): Promise<AnsweringProgram> {
  try {
    await until(async () => (await fetch(`${url}/api/v1/ready`).catch(() => undefined))?.ok === true, STARTED);
  } catch (error) {
    await program.stop();
    throw new Error(`it does not start; it says ${program.log()}`, { cause: error });
  }
  const get = async <Body>(path: string): Promise<Body> => (await (await fetch(url + path)).json()) as Body;
  return { ...program, url, get };
}

function hostOf(url: string): string {
  return url.slice("http://".length);
}

/** Resolves once so many running containers are shown. */
export async function untilShown({ get }: Pick<AnsweringProgram, "get">, count: number): Promise<void> {
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
