import { execFileSync } from "node:child_process";

/** Paths, from the root of a repository, of what differs from a commit: committed since, uncommitted, untracked or deleted. */
export function changedFiles(root: string, commit: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" })
      .split("\0")
      .filter((path) => path !== "");
  return [
    ...new Set([
      ...git("diff", "--name-only", "--no-renames", "-z", commit, "--"),
      ...git("ls-files", "--others", "--exclude-standard", "-z"),
    ]),
  ].sort();
}
