import { spawnSync } from "node:child_process";

/** Which of two versions is older by Debian's own program: -1, 0 or 1; undefined for what it refuses. No version may have a quote. */
export function compareByDpkg(pairs: readonly (readonly [string, string])[]): (-1 | 0 | 1 | undefined)[] {
  // One shell asks for all of them.
  const script = pairs.map(
    ([a, b]) =>
      `dpkg --compare-versions '${a}' lt '${b}' 2>/dev/null; l=$?; dpkg --compare-versions '${a}' gt '${b}' 2>/dev/null; echo $l $?`,
  );
  const { stdout } = spawnSync("sh", { input: script.join("\n"), encoding: "utf8", maxBuffer: 1e7 });
  const answers = stdout.trim().split("\n");
  if (answers.length !== pairs.length) throw new Error(`dpkg compared ${answers.length} of ${pairs.length} pairs`);
  return answers.map((answer) => (answer === "0 1" ? -1 : answer === "1 0" ? 1 : answer === "1 1" ? 0 : undefined));
}

/** Packages of this machine, a line each: state, package, version, source and the source's version, with tabs between. */
export function installedByDpkg(): string[] {
  const format = "${db:Status-Status}\t${Package}\t${Version}\t${source:Package}\t${source:Version}\n";
  return spawnSync("dpkg-query", ["-W", "-f", format], { encoding: "utf8" }).stdout.trim().split("\n");
}
