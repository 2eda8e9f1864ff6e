import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { temporaryFolder } from "./program.ts";
import type { Work, WriterOrders } from "./series-writer.ts";

/** When a process is killed: so many milliseconds after it began some work, or after it first did anything. */
export interface Moment {
  work: Work | "any";
  delayMs: number;
}

export interface Life {
  /** What it reported as sent, in order. */
  sent: number[];
  /** What it reported as kept. */
  kept: number[];
  /** Its clock when it ended, at most. */
  nowMs: number;
  /** What was under way when it ended. */
  underWay: Set<Work>;
}

/** Processes of series-writer.ts. The next one is always starting already, so that each life begins at once. */
export function createWriterProcesses() {
  // Compiled once for all of them.
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryFolder() };
  let next = prepare();

  function prepare(): { child: ChildProcess; ready: Promise<unknown>; errors: string[] } {
    const child = fork(new URL("series-writer.ts", import.meta.url), { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const errors: string[] = [];
    child.stderr?.setEncoding("utf8").on("data", (text: string) => void errors.push(text));
    return { child, ready: once(child, "message"), errors };
  }

  return {
    /** One life from its orders to the kill. Throws with what it complained of when it ends by itself. */
    async live(orders: WriterOrders, moment: Moment): Promise<Life> {
      const { child, ready, errors } = next;
      await ready;
      next = prepare();
      const life: Life = { sent: [], kept: [], nowMs: orders.nowMs, underWay: new Set() };
      const reached = Promise.withResolvers<void>();
      eachLine(child, (line) => {
        const [word, rest] = line.split(" ");
        if (word === "sent") life.sent.push(Number(rest));
        else if (word === "kept") life.kept.push(Number(rest));
        else if (word === "time") life.nowMs = Number(rest);
        else note(life.underWay, word === "begin", rest as Work);
        if (moment.work === "any" || (word === "begin" && rest === moment.work)) reached.resolve();
      });
      child.send(orders);
      const closed = once(child, "close");
      await Promise.race([reached.promise, closed]);
      if (moment.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, moment.delayMs));
      child.kill("SIGKILL");
      await closed;
      if (child.signalCode !== "SIGKILL") throw new Error(`it ended with ${child.exitCode}:\n${errors.join("")}`);
      return life;
    },
    async stop(): Promise<void> {
      next.child.kill("SIGKILL");
      await once(next.child, "close");
    },
  };
}

function note(underWay: Set<Work>, begins: boolean, work: Work): void {
  if (begins) underWay.add(work);
  else underWay.delete(work);
}

/** Whole lines only: the last one may be cut. */
function eachLine(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  });
}
