import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "./program.ts";

/** A wall clock that can be set, for processes that are started with these variables. */
export interface SettableClock {
  env: Record<string, string>;
  /** So many seconds ahead of the machine's. */
  set(aheadSeconds: number): Promise<void>;
}

/** Compiles set-clock.c and makes a clock of it that is right at first. */
export function createSettableClock(): SettableClock {
  const folder = temporaryFolder();
  const library = join(folder, "set-clock.so");
  const seconds = join(folder, "seconds");
  execFileSync("gcc", ["-std=gnu11", "-O1", "-shared", "-fPIC", "-o", library, join(import.meta.dirname, "set-clock.c")]);
  writeFileSync(seconds, new BigInt64Array(1));
  return {
    env: { LD_PRELOAD: library, SET_CLOCK: seconds },
    async set(aheadSeconds) {
      // Written in place: the process has it mapped.
      const file = await open(seconds, "r+");
      await file.write(new BigInt64Array([BigInt(aheadSeconds)]), 0, 8, 0);
      await file.close();
    },
  };
}
