import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** A server under measurement, in a process of its own that answers questions over IPC. */
export interface MeasuredServer {
  port: number;
  ask(question: object): Promise<Record<string, unknown>>;
  /** CPU time in microseconds since the last call. */
  cpuMicroseconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Forks `servers/NAME.ts`, which sends `{port}` once it listens. */
export async function startMeasured(name: string, args: string[] = []): Promise<MeasuredServer> {
  const child = fork(new URL(`servers/${name}.ts`, import.meta.url), args, {
    // As `npm start` runs the program.
    execArgv: ["--max-semi-space-size=4"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port } = await answer(child);
  const ask = (question: object): Promise<Record<string, unknown>> => {
    child.send(question);
    return answer(child);
  };
  return {
    port: Number(port),
    ask,
    cpuMicroseconds: async () => Number((await ask({ cpu: true }))["cpu"]),
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function answer(child: ChildProcess): Promise<Record<string, unknown>> {
  const ended = new AbortController();
  const [message] = (await Promise.race([
    once(child, "message", { signal: ended.signal }),
    once(child, "exit", { signal: ended.signal }).then(() => {
      throw new Error("the measured server ended");
    }),
  ])) as [Record<string, unknown>];
  ended.abort();
  return message;
}

/** The other side of {@link startMeasured}: answers questions about CPU time, and those given. */
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
