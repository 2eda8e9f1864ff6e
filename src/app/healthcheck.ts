import { request } from "node:http";
import type { Config } from "../config/config.ts";
import { messageOf } from "../platform/errors.ts";

const WITHIN_MS = 4000;

/** Asks the program that listens on this machine; 0 when it serves. For a container's health check. */
export function healthcheck({ listen }: Config): Promise<number> {
  const host = listen.host === "0.0.0.0" ? "127.0.0.1" : listen.host === "::" ? "::1" : listen.host;
  return new Promise((resolve) => {
    const asked = request({ host, port: listen.port, path: "/api/v1/health", timeout: WITHIN_MS }, (response) => {
      response.resume();
      // With an admin token the answer is 401, which only a program that serves gives.
      const serves = response.statusCode === 200 || response.statusCode === 401;
      if (!serves) process.stderr.write(`the program answered ${response.statusCode}\n`);
      resolve(serves ? 0 : 1);
    });
    asked.on("timeout", () => asked.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    asked.on("error", (error) => {
      process.stderr.write(`the program does not answer on ${host}:${listen.port}: ${messageOf(error)}\n`);
      resolve(1);
    });
    asked.end();
  });
}
