import type { Config } from "../config/config.ts";
import { isLoopback } from "../http/client-address.ts";

/** Warns of a web address that other machines reach without a token or a proxy that asks for a login; undefined when there is none. */
export function openBindWarning({
  listen,
  adminToken,
  trustedProxies,
}: Pick<Config, "listen" | "adminToken" | "trustedProxies">): string | undefined {
  if (isLoopback(listen.host) || adminToken !== undefined || trustedProxies.networks.length > 0) return undefined;
  return `anybody who reaches ${listen.host} port ${listen.port} can read and change everything. Set SERVICE_ADMIN_TOKEN, or put a proxy with a login in front and name it in SERVICE_TRUSTED_PROXIES; a published container port belongs on loopback`;
}
