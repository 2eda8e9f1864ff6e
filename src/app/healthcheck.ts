import { request } from "node:http";
import type { Config } from "../config/config.ts";
import { systemClock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { readAgentStatus } from "./agent-status.ts";
import { health, type Health } from "./meta/answers.ts";

const WITHIN_MS = 4000;

/** Asks the program that listens on this machine, else the agent that runs on the same data; 0 when it works. For a container's health check. */
export async function healthcheck({ mode, listen, dataDir }: Config): Promise<number> {
  try {
    const agent = readAgentStatus(dataDir, systemClock);
    if (agent?.retired === true) throw new Error(`the agent has stopped: ${agent.reason}`);
    if (agent !== undefined) return 0;
    if (mode === "agent") throw new Error(`no agent is running on the data in ${dataDir}`);
    await askHealth(listen);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

/** What the program that listens there says of itself; undefined when it serves but asks for a token first. Throws when nothing serves. */
export function askHealth(listen: Config["listen"]): Promise<Health | undefined> {
  const host = listen.host === "0.0.0.0" ? "127.0.0.1" : listen.host === "::" ? "::1" : listen.host;
  return new Promise((resolve, reject) => {
    const asked = request({ host, port: listen.port, path: "/api/v1/health", timeout: WITHIN_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text = (text + chunk).slice(0, 10_000)));
      response.on("end", () => {
        if (response.statusCode === 204) return resolve(undefined);
        const answer = response.statusCode === 200 ? health.safeParse(parseJson(text)) : undefined;
        if (answer?.success === true) resolve(answer.data);
        else reject(new Error(`what listens on ${host}:${listen.port} answered ${response.statusCode}, not as this program does`));
      });
    });
    asked.on("timeout", () => asked.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    asked.on("error", (error) =>
      reject(new Error(`the program does not answer on ${host}:${listen.port}: ${messageOf(error)}`, { cause: error })),
    );
    asked.end();
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it like any other answer that is not ours.
    return undefined;
  }
}
