import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takePort } from "./ports.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

export interface Program {
  url: string;
  process: ChildProcess;
  /** What it logged so far. */
  log(): string;
  /** GET, parsed. */
  get<Body>(path: string): Promise<Body>;
  /** Ends it as an operator does; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Another start on the same data and port. */
  dataDir?: string;
  port?: number;
}

/** A process of the program. */
export interface ProgramProcess extends Pick<Program, "process" | "log" | "stop" | "kill"> {
  /** Its exit code, once it has ended. */
  exited: Promise<number | null>;
}

/** Starts the production build with nothing of our own environment but its path; answers at once. */
export function spawnProgram({
  args = [],
  env,
  dataDir,
  hostname,
}: {
  args?: readonly string[];
  env: Record<string, string>;
  dataDir: string;
  /** What its host is called; this machine's name by default. Needs root. */
  hostname?: string | undefined;
}): ProgramProcess {
  const own: [string, ...string[]] = [process.execPath, "dist/main.js", ...args];
  const [command, ...rest] = hostname === undefined ? own : onHost(hostname, own);
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, SERVICE_DATA_DIR: dataDir, SERVICE_LOG_FORMAT: "json", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer): void => void (output = (output + String(chunk)).slice(-200_000));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    process: child,
    log: () => output,
    exited,
    stop: () => end("SIGTERM"),
    async kill() {
      await end("SIGKILL");
    },
  };
}

function onHost(hostname: string, command: readonly string[]): [string, ...string[]] {
  return ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', hostname, ...command];
}

/** The whole program as a separate process, on the port given or on one that nobody else gets; ready when it answers. */
export async function startProgram({ env = {}, dataDir, port }: ProgramOptions = {}): Promise<Program & { dataDir: string; port: number }> {
  const folder = dataDir ?? temporaryFolder();
  const listen = port ?? (await takePort());
  const url = `http://127.0.0.1:${listen}`;
  const { exited: _exited, ...child } = spawnProgram({
    env: { SERVICE_ADDR: `127.0.0.1:${listen}`, ...env },
    dataDir: folder,
  });
  const program = {
    ...child,
    url,
    dataDir: folder,
    port: listen,
    get: async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body,
  };
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (child.process.exitCode !== null) throw new Error(`the program ended with ${child.process.exitCode}:\n${child.log()}`);
    // Held until the whole program answers, with or without a token, or a standby does.
    const answer = await fetch(`${url}/api/v1/session`).catch(() => undefined);
    if (answer !== undefined && !(await answer.text()).includes('"code":"starting"')) return program;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await child.kill();
  throw new Error(`the program did not answer:\n${child.log()}`);
}

const folders: string[] = [];

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  if (folders.push(folder) === 1) process.once("exit", () => folders.forEach((each) => rmSync(each, { recursive: true, force: true })));
  return folder;
}
