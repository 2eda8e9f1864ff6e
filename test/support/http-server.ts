import { createAdminAccess } from "../../src/http/admin-access.ts";
import { createHttpServer } from "../../src/http/server.ts";
import type { HttpServer, HttpServerOptions } from "../../src/http/server.ts";
import type { HttpConfig } from "../../src/http/http-config.ts";
import type { Log } from "../../src/platform/log.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemClock } from "../../src/platform/clock.ts";

export const defaultHttpConfig: HttpConfig = {
  listen: { host: "127.0.0.1", port: 0 },
  maxBodyBytes: 1_048_576,
  corsOrigins: undefined,
  trustedProxies: { includes: () => false },
  allowedHosts: [],
  baseUrl: undefined,
};

export type TestHttpConfig = Partial<HttpConfig> & { adminToken?: string | undefined };

/** A server of the given routes, on a free loopback port once started. */
export function createTestServer({
  config: { adminToken, ...config } = {},
  clock = systemClock,
  log = silentLog,
  ...options
}: Partial<Omit<HttpServerOptions, "config">> & { config?: TestHttpConfig } = {}): HttpServer {
  const isSecure = config.baseUrl?.startsWith("https:") === true;
  return createHttpServer({
    routes: [],
    clock,
    log,
    version: "1.2.3",
    adminAccess: adminToken === undefined ? undefined : createAdminAccess({ token: adminToken, isSecure, clock, log }),
    ...options,
    config: { ...defaultHttpConfig, ...config },
  });
}

/** A log that keeps its lines. */
export function createMemoryLog(): Log & { lines: { level: string; fields: Record<string, unknown>; message: string }[] } {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields: { ...fields }, message });
    };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: (): Log => log, lines };
  return log;
}
