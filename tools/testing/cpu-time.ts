import { readdirSync, readFileSync } from "node:fs";
import { isIsolated } from "./isolation.ts";

/** Of the times in /proc/PID/stat. Source: proc(5), sysconf(_SC_CLK_TCK) on Linux. */
const TICKS_A_SECOND = 100;
/** utime, stime, cutime and cstime, counted from the state, which follows the name. Source: proc(5). */
const [FIRST_TIME, AFTER_TIMES] = [11, 15];

/** CPU seconds of all processes that ever ran in these namespaces: those that ended are in the times of who collected them. Undefined outside of them. */
export function cpuSeconds(): number | undefined {
  if (!isIsolated()) return undefined;
  const ticks = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + ticksOf(pid), 0);
  return ticks / TICKS_A_SECOND;
}

function ticksOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may have spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(FIRST_TIME, AFTER_TIMES).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
