/**
 * `node tools/warm.ts FOLDER`: starts the program built into a folder once and stops it, so that what the engine compiled for that lies beside it
 * and the first start is as quick as those after it. It is of use to the same version of Node with the same flags alone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NODE_FLAGS } from "./node-flags.ts";

const LONGEST_MS = 20_000;
/** What an assistant begins with, in the protocol of 2025: what answers it is loaded with the first question. */
const INITIALIZE = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1" } },
  }),
};

/** A program that cannot be started here is no fault: the first start then takes longer. */
export async function warm(folder: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "binnacle-warm-"));
  const own = ["--addr=127.0.0.1:0", `--data-dir=${data}`, "--docker-host=unix:///nowhere/docker.sock"];
  const child = spawn(process.execPath, [...NODE_FLAGS, join(folder, "main.js"), ...own], {
    env: { PATH: process.env["PATH"], SERVICE_MCP: "true", SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stderr)) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (url === undefined) continue;
    await fetch(`${url}/api/v1/health`).catch(() => undefined);
    await fetch(`${url}/mcp`, INITIALIZE).catch(() => undefined);
    child.kill("SIGTERM");
  }
  await ended;
  clearTimeout(tooLong);
  rmSync(data, { recursive: true, force: true });
}

if (import.meta.main) void warm(process.argv[2] ?? "dist");
