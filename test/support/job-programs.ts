import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Runs a script as cron does; resolves to its exit code. `curl`, `wget` and `python3` are there. */
export function runScript(script: string, env: Record<string, string> = {}): Promise<number> {
  return runProgram("/bin/sh", ["-c", script], env);
}

export function runProgram(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { env: { PATH: process.env["PATH"] ?? "", ...env } }, () => resolve(child.exitCode ?? -1));
  });
}

/** A server that answers every ping, and remembers what was asked. */
export async function startPingRecorder(): Promise<{ url: string; asked: string[]; stop(): void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => void server.close() };
}
