import { execFileSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "./program.ts";

/** A call on files whose path ends so. */
export interface FaultPlace {
  call: "read" | "write" | "sync" | "truncate";
  pathEnd: string;
  /** So many matching calls since the process began go well. */
  after?: number;
}

/** The path of the rules, for a process that makes its own disk fail; the form of a rule is described in disk-faults.c. */
export const RULES_VARIABLE = "DISK_FAULTS";

/** A disk that fails on demand, for processes that are started with these variables. */
export interface FaultyDisk {
  env: Record<string, string>;
  /** From now on these calls fail with EIO. */
  fail(...places: readonly FaultPlace[]): void;
  /** The next write there is cut after so many bytes, and the process is killed. */
  cut(place: Omit<FaultPlace, "call">, keptBytes: number): void;
  heal(): void;
}

/** Compiles disk-faults.c and makes a disk of it that is well at first. */
export function createFaultyDisk(): FaultyDisk {
  const folder = temporaryFolder();
  const library = join(folder, "disk-faults.so");
  const rules = join(folder, "rules");
  execFileSync("gcc", ["-std=gnu11", "-O1", "-shared", "-fPIC", "-o", library, join(import.meta.dirname, "disk-faults.c"), "-ldl"]);
  // By another name first: the processes must not read half of it.
  const write = (lines: readonly string[]): void => {
    writeFileSync(`${rules}.new`, lines.join("\n"));
    renameSync(`${rules}.new`, rules);
  };
  const line = ({ call, pathEnd, after = 0 }: FaultPlace, what: number): string => `${call} ${pathEnd} ${what} ${after}`;
  write([]);
  return {
    env: { LD_PRELOAD: library, [RULES_VARIABLE]: rules },
    fail: (...places) => write(places.map((place) => line(place, constants.errno.EIO))),
    cut: (place, keptBytes) => write([line({ ...place, call: "write" }, -1 - keptBytes)]),
    heal: () => write([]),
  };
}
