import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate disk that is soon full. */
export interface SmallDisk {
  folder: string;
  remove(): void;
}

/** Mounts a disk of that size in memory. Must run as root. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  return {
    folder,
    remove() {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
