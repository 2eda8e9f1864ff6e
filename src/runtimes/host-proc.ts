import { existsSync } from "node:fs";

const MOUNTED = "/host/proc";

/** Where /proc of the host is: where the operator says, else where it is usually mounted into a container, else our own. */
export function findHostProc(configured: string | undefined): string {
  return configured ?? (existsSync(`${MOUNTED}/stat`) ? MOUNTED : "/proc");
}
