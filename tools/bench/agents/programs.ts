import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { sparePort } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/until.ts";
import { LICENSES, mintLicense } from "../../license.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../node-flags.ts";
import { residentBytes } from "../questions.ts";

/** Of the times in /proc/PID/stat. Source: proc(5), sysconf(_SC_CLK_TCK) on Linux. */
const MS_A_CLOCK_TICK = 10;
const LOOK_EVERY_MS = 50;
const STARTED = { withinMs: 30_000, everyMs: 20 };

/** The production build, run as `npm start` runs it. */
export interface BuiltProgram {
  pid: number;
  /** CPU time of all its threads since it started. */
  cpuMs(): number;
  residentBytes(): number;
  /** The most that was resident since the last time of asking. */
  mostResidentBytes(): number;
  log(): string;
  stop(): Promise<void>;
}

export interface BuiltServer extends BuiltProgram {
  url: string;
  grpcPort: number;
  dataDir: string;
}

export function runBuilt(flags: readonly string[], env: Readonly<Record<string, string>>): BuiltProgram {
  const child = spawn(process.execPath, [...NODE_FLAGS, "dist/main.js", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: temporaryFolder(), SERVICE_LOG_FORMAT: "json", ...NODE_ENVIRONMENT, ...env },
  });
  const exited = once(child, "exit");
  let output = "";
  child.stderr.on("data", (chunk) => void (output = (output + String(chunk)).slice(-20_000)));
  let most = 0;
  const looking = setInterval(() => void (most = Math.max(most, residentOf(child))), LOOK_EVERY_MS).unref();
  return {
    // None when it could not be started, which shows when nothing answers.
    pid: child.pid ?? 0,
    cpuMs: () => cpuMsOf(child),
    residentBytes: () => residentOf(child),
    mostResidentBytes() {
      const resident = Math.max(most, residentOf(child));
      most = 0;
      return resident;
    },
    log: () => output,
    async stop() {
      clearInterval(looking);
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** A server of agents, licensed, without TLS unless asked for, that watches no host itself. On a folder that was used before, it has the same ports. */
export async function startBuiltServer(
  env: Readonly<Record<string, string>> = {},
  before?: Pick<BuiltServer, "url" | "grpcPort" | "dataDir">,
): Promise<BuiltServer> {
  const dataDir = before?.dataDir ?? temporaryFolder();
  const grpcPort = before?.grpcPort ?? (await sparePort());
  const url = before?.url ?? `http://127.0.0.1:${await sparePort()}`;
  const program = runBuilt(["--mode=server"], {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_ADDR: url.slice("http://".length),
    SERVICE_GRPC_LISTEN: `127.0.0.1:${grpcPort}`,
    SERVICE_GRPC_TLS_INSECURE: "true",
    SERVICE_EMBEDDED_AGENT: "false",
    SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "personal", organisation: "Bench", days: 1 }),
    ...env,
  });
  const what = (): string => `the server to start; it says ${program.log()}`;
  try {
    await until(async () => (await fetch(`${url}/api/v1/ready`).catch(() => undefined))?.ok === true, STARTED);
  } catch (error) {
    await program.stop();
    throw new Error(what(), { cause: error });
  }
  return { ...program, url, grpcPort, dataDir };
}

function residentOf({ pid, exitCode }: ChildProcess): number {
  return pid === undefined || exitCode !== null ? 0 : residentBytes(pid);
}

function cpuMsOf({ pid }: ChildProcess): number {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = (rest ?? "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_A_CLOCK_TICK;
}
