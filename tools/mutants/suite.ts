import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Tree } from "./tree.ts";

/** What a run of test files says of itself. */
export interface Progress {
  file: string;
  /** The name of the test that failed. */
  failed?: string;
}

export interface SuiteEnd {
  end: "passed" | "failed" | "hung" | "out of time";
  /** The file that was at work, and the test that failed. */
  file: string;
  test: string;
}

export interface SuiteRun {
  tree: Tree;
  files: readonly string[];
  /** Tests whose names match are left out. */
  skip: string;
  env: NodeJS.ProcessEnv;
  /** Of the whole run. */
  limitMs: number;
  /** Without news for so long after it started, a test hangs: longer than one may take. */
  silenceMs: number;
  /** Ends it as if its time were over. */
  signal: AbortSignal;
}

/** A mutant may ask for memory without end. */
const HEAP_MB = 1536;

/** Runs test files in one process until the first failure. What they start and leave behind ends with them. */
export async function runSuite({ tree, files, skip, env, limitMs, silenceMs, signal }: SuiteRun): Promise<SuiteEnd> {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-mutant-"));
  const child = fork(join(import.meta.dirname, "run-tests.ts"), [String(silenceMs), skip, ...files.map((file) => join(tree.root, file))], {
    cwd: tree.root,
    env: { ...env, TMPDIR: folder },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // A separate group, which is ended as one.
    detached: true,
  });
  let file = files[0] ?? "";
  let failed: string | undefined;
  let stopped: "hung" | "out of time" | undefined;
  function stop(why: "hung" | "out of time"): void {
    stopped ??= why;
    endGroup(child.pid);
  }
  let silence: NodeJS.Timeout | undefined;
  const limit = setTimeout(() => stop("out of time"), limitMs);
  child.on("message", (message) => {
    // Sent by run-tests.ts alone.
    const progress = message as Progress;
    if (progress.file !== "") file = relative(tree.root, progress.file);
    failed ??= progress.failed;
    clearTimeout(silence);
    silence = setTimeout(() => stop("hung"), silenceMs);
  });
  const interrupt = (): void => stop("out of time");
  signal.addEventListener("abort", interrupt);
  if (signal.aborted) interrupt();
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  clearTimeout(limit);
  clearTimeout(silence);
  endGroup(child.pid);
  signal.removeEventListener("abort", interrupt);
  removeFolder(folder);
  if (failed !== undefined) return { end: "failed", file, test: failed };
  if (stopped !== undefined) return { end: stopped, file, test: "" };
  return code === 0 ? { end: "passed", file: "", test: "" } : { end: "failed", file, test: `the process ended with ${code}` };
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A test that was ended in the middle may have left a mount in it.
  }
}

/** The process and those it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
