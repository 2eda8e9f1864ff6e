import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sparePort } from "./postgres.ts";

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
  /** `dist/main.js` for the production build. */
  entry?: string;
}

/** The whole program, run from its source as a process of its own; ready when it answers. */
export async function startProgram({ env = {}, dataDir, port, entry = "src/main.ts" }: ProgramOptions = {}): Promise<
  Program & { dataDir: string; port: number }
> {
  const folder = dataDir ?? temporaryFolder();
  const listen = port ?? (await sparePort());
  const url = `http://127.0.0.1:${listen}`;
  const child = spawn(process.execPath, [entry], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      SERVICE_DATA_DIR: folder,
      SERVICE_ADDR: `127.0.0.1:${listen}`,
      SERVICE_LOG_FORMAT: "json",
      ...env,
    },
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
  const program = {
    url,
    dataDir: folder,
    port: listen,
    process: child,
    log: () => output,
    get: async <Body>(path: string) => (await (await fetch(url + path)).json()) as Body,
    stop: () => end("SIGTERM"),
    async kill() {
      await end("SIGKILL");
    },
  };
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}:\n${output}`);
    const answer = await fetch(`${url}/api/v1/health`).catch(() => undefined);
    if (answer?.ok === true) return program;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await end("SIGKILL");
  throw new Error(`the program did not answer:\n${output}`);
}

const folders: string[] = [];

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  if (folders.push(folder) === 1) process.once("exit", () => folders.forEach((each) => rmSync(each, { recursive: true, force: true })));
  return folder;
}
