import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "binnacle-demo-";

/** A folder for one demo, for this user alone. Folders of demos that were killed go meanwhile. */
export function makeDemoFolder(): { path: string; remove(): void } {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^binnacle-demo-(\d+)-\w+$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(tmpdir(), name));
  }
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  return { path, remove: () => remove(path) };
}

/** Those of other users stay. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"))) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
