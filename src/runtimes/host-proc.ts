import { existsSync } from "node:fs";
import { StartError } from "../platform/errors.ts";

const MOUNTED = "/host/proc";

/**
 * Where /proc of the host is: where the operator says, else where it is usually mounted into a container, else our own. Throws a StartError when
 * there is none where the operator says.
 */
export function findHostProc(configured: string | undefined): string {
  if (configured === undefined) return isProc(MOUNTED) ? MOUNTED : "/proc";
  if (isProc(configured)) return configured;
  throw new StartError(
    `There is no /proc of a host at ${configured}. Mount it there (-v /proc:${configured}:ro), or correct SERVICE_HOST_PROC.`,
  );
}

function isProc(path: string): boolean {
  return existsSync(`${path}/stat`);
}
