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
