import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of the project in a temporary folder, without what git ignores; packages are shared. */
export interface Tree {
  root: string;
  read(path: string): string;
  write(path: string, text: string): void;
  remove(): void;
}

export function copyTree(from: string): Tree {
  const root = mkdtempSync(join(tmpdir(), "binnacle-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: from, encoding: "utf8" });
  const deleted = execFileSync("git", ["ls-files", "-z", "--deleted"], { cwd: from, encoding: "utf8" }).split("\0");
  for (const path of listed.split("\0"))
    if (path !== "" && path !== "node_modules" && !deleted.includes(path)) cpSync(join(from, path), join(root, path));
  symlinkSync(join(from, "node_modules"), join(root, "node_modules"));
  return {
    root,
    read: (path) => readFileSync(join(root, path), "utf8"),
    write: (path, text) => writeFileSync(join(root, path), text),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
