import type { IncomingMessage } from "node:http";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { isProgramPath } from "../contract/program-paths.ts";
import { HttpListener, type PlainAnswer, type StartingAnswers } from "../http/listener.ts";
import { createOriginGuard, createSecurityHeaders } from "../http/origin-guard.ts";
import { renderNotice } from "../http/page.ts";
import { systemClock } from "../platform/clock.ts";
import { ERROR_TABLE, errorBody, ServiceError } from "../platform/errors.ts";
import type { Health, Readiness } from "./meta/answers.ts";

const SENTENCE = "The program is starting. Ask again in a few seconds.";
const AGAIN_SECONDS = "2";

/** Opens the HTTP port before the rest of the program is loaded. Throws a StartError. */
export async function openPort(config: Config, build: BuildInfo): Promise<HttpListener> {
  const listener = new HttpListener({ config, clock: systemClock, starting: createStartingAnswers(config, build) });
  await listener.open();
  return listener;
}

/** Answers probes while the program starts: alive, and not ready. */
function createStartingAnswers(config: Config, { version }: BuildInfo): StartingAnswers {
  const { mode, databaseUrl, adminToken, demo } = config;
  const origin = createOriginGuard(config);
  const securityHeaders = createSecurityHeaders();
  const health: Health = {
    status: "ok",
    version,
    mode: mode === "server" ? "server" : "embedded",
    storage: { engine: databaseUrl === undefined ? "sqlite" : "postgresql", connected: false },
    runtime: { connected: false },
    ...(demo && { demo: true as const }),
  };
  const readiness: Readiness = { status: "starting", reason: SENTENCE, storage: { connected: false, error: null } };
  const json = (status: number, body: string, headers: Record<string, string> = {}): PlainAnswer => ({
    ...{ status, body },
    headers: { ...securityHeaders("/"), ...headers, "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  });

  return {
    atOnce({ method, url, headers, httpVersion }: IncomingMessage) {
      if (method !== "GET" || (url !== "/api/v1/health" && url !== "/api/v1/ready")) return undefined;
      try {
        origin.checkHost(headers.host, httpVersion, true);
      } catch {
        // Refused later, on the usual path.
        return undefined;
      }
      const isHealth = url === "/api/v1/health";
      if (adminToken === undefined) return isHealth ? json(200, JSON.stringify(health)) : json(503, JSON.stringify(readiness));
      // Whether these credentials are right is known only once the program runs.
      if (headers.authorization !== undefined || headers.cookie !== undefined) return undefined;
      return { status: isHealth ? 204 : 503, headers: securityHeaders("/"), body: "" };
    },
    later({ url = "", headers: { accept = "" } }) {
      const { http: status } = ERROR_TABLE.starting;
      if (isProgramPath(url.replace(/\?.*$/, "")) || !accept.includes("text/html"))
        return json(status, errorBody(new ServiceError("starting", SENTENCE)), { "retry-after": AGAIN_SECONDS });
      const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", refresh: AGAIN_SECONDS };
      return { status, headers: { ...securityHeaders(url), ...headers }, body: renderNotice({ title: "Starting", sentence: SENTENCE }) };
    },
  };
}
