/** What a measured server answers; see child.ts. */
import { readFileSync } from "node:fs";

/** Answers questions about CPU time, and those given. */
export function serveQuestions(
  port: number,
  handlers: Record<string, (question: Record<string, unknown>) => Promise<object> | object> = {},
): void {
  let last = process.cpuUsage();
  process.on("message", async (question: Record<string, unknown>) => {
    if (question["cpu"] === true) {
      const { user, system } = process.cpuUsage(last);
      last = process.cpuUsage();
      process.send?.({ cpu: user + system });
      return;
    }
    for (const [name, handle] of Object.entries(handlers)) if (name in question) process.send?.(await handle(question));
  });
  process.send?.({ port });
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Of the times in /proc/PID/stat. Source: proc(5), sysconf(_SC_CLK_TCK) on Linux. */
const MS_A_CLOCK_TICK = 10;

/** CPU time of a process so far. */
export function cpuMs(pid: number): number {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = (rest ?? "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_A_CLOCK_TICK;
}
