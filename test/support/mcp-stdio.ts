/** A process that speaks MCP over its standard input and output, without the SDK: what its client hides can be seen. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";

const ANSWERS_WITHIN_MS = 60_000;

export interface Answer {
  id: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface StdioProcess {
  process: ChildProcess;
  /** What it wrote to its standard output, line by line. */
  lines: readonly string[];
  /** What it wrote to its standard error. */
  log(): string;
  /** Writes one line. */
  write(line: string): void;
  /** Resolves to the answer to a request; rejects when the process ends without one. */
  ask(method: string, params?: object): Promise<Answer>;
  /** Says hello in the manner of this version. */
  initialize(protocolVersion?: string): Promise<Answer>;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
  /** Ends its input, as a client does; resolves to its exit code. */
  end(): Promise<number | null>;
  kill(): Promise<void>;
}

export function spawnStdio(args: readonly string[], env: Readonly<Record<string, string>> = {}): StdioProcess {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"], env: { PATH: process.env["PATH"] ?? "", ...env } });
  const lines: string[] = [];
  let log = "";
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  child.stderr.on("data", (chunk: Buffer) => (log = (log + String(chunk)).slice(-100_000)));
  // If it ends while we write, the missing answers show that.
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const answer = answerIn(line);
    if (answer === undefined) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  const ended = once(child, "close").then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`it ended without an answer: ${log}`));
    return child.exitCode;
  });
  let count = 0;

  const peer: StdioProcess = {
    process: child,
    lines,
    log: () => log,
    ended,
    write: (line) => void child.stdin.write(`${line}\n`),
    async ask(method, params) {
      const id = (count += 1);
      const answer = Promise.withResolvers<Answer>();
      waiting.set(id, answer);
      const giveUp = setTimeout(() => answer.reject(new Error(`${method} was not answered: ${log}`)), ANSWERS_WITHIN_MS);
      peer.write(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }));
      try {
        return await answer.promise;
      } finally {
        clearTimeout(giveUp);
      }
    },
    async initialize(protocolVersion = "2025-11-25") {
      const answer = await peer.ask("initialize", {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: "plain client", version: "1" },
      });
      peer.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      return answer;
    },
    end() {
      child.stdin.end();
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  return peer;
}

function answerIn(line: string): Answer | undefined {
  try {
    const message = JSON.parse(line) as Partial<Answer>;
    return typeof message.id === "number" && ("result" in message || "error" in message) ? (message as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** The sockets of the internet family that a process holds, one line each as the kernel lists them. */
export function internetSockets(pid: number): string[] {
  const folder = `/proc/${pid}`;
  const own = new Set(
    readdirSync(`${folder}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed since.
        return [];
      }
    }),
  );
  return ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"].flatMap((kind) =>
    readFileSync(`${folder}/net/${kind}`, "utf8")
      .split("\n")
      .slice(1)
      .filter((line) => own.has(line.trim().split(/\s+/)[9] ?? ""))
      .map((line) => `${kind} ${line.trim()}`),
  );
}
