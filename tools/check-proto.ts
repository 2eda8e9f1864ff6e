/**
 * What buf finds wrong with the wire between agents and servers: its style, and what would break those that speak the committed one.
 * Needs the network for buf alone, and once; without a commit to compare with only the style is checked.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onDemand } from "./on-demand.ts";

const ROOT = join(import.meta.dirname, "..");
const TOOLS = onDemand("wire");
const BUF = join(TOOLS.commands, "buf");

/** Runs a program; answers its output when it succeeded. */
function run(command: string, ...args: string[]): { succeeded: boolean; output: string; messages: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 16 * 1024 ** 2 });
  return { succeeded: status === 0, output: stdout ?? "", messages: `${stdout ?? ""}${stderr ?? ""}`.trimEnd() };
}

/** The files of the committed wire, by their paths; none where there is no git, no commit, or none of them in it. */
function committed(): Map<string, string> {
  const files = new Map<string, string>();
  const list = run("git", "ls-tree", "-r", "-z", "--name-only", "HEAD", "proto/", "buf.yaml");
  for (const path of list.output.split("\0").filter(Boolean)) {
    const file = run("git", "show", `HEAD:${path}`);
    if (file.succeeded) files.set(path, file.output);
  }
  return files;
}

/** What differs from the committed wire so that one side would not understand the other; undefined when nothing does. */
function breakage(): string | undefined {
  const files = committed();
  if (![...files.keys()].some((path) => path.endsWith(".proto"))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "wire-"));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const { succeeded, messages } = run(BUF, "breaking", "--against", folder);
    return succeeded ? undefined : messages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

TOOLS.install();
const style = run(BUF, "lint");
const faults = [style.succeeded ? undefined : style.messages, breakage()].filter((fault) => fault !== undefined);
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
