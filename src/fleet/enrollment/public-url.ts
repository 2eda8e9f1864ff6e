import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

/** Source: contract, section 12. */
export const URL_WARNINGS = ["public_url_appears_local", "public_url_plaintext_refused"] as const;
export type UrlWarning = (typeof URL_WARNINGS)[number];

export interface PublicUrlInput {
  /** SERVICE_GRPC_URL, as `grpcs://HOST:PORT`. */
  configured: string | undefined;
  headers: IncomingHttpHeaders;
  /** Whether the peer that sent the headers is a trusted proxy. */
  isPeerTrusted: boolean;
  /** Used when neither header names a host. */
  fallbackHost: string;
}

export interface PublicUrl {
  /** `grpcs://HOST:PORT`, never plaintext. */
  url: string;
  /** Where it comes from. A trusted proxy ends TLS, whichever host it names. */
  source: "configured" | "proxy" | "host";
  warnings: UrlWarning[];
}

const PORT = 443;

/**
 * The address of the server for new agents: the configured one, else the host that a trusted proxy was asked for, else the host that this server was
 * asked for. The port of X-Forwarded-Host is the proxy's and is kept; the port of Host is that of the API, which agents cannot use. Source:
 * specification, Trusted proxies and Server constants.
 */
export function publicUrlOf({ configured, headers, isPeerTrusted, fallbackHost }: PublicUrlInput): PublicUrl {
  if (configured !== undefined) {
    return { url: configured, source: "configured", warnings: appearsLocal(hostOf(configured)) ? ["public_url_appears_local"] : [] };
  }
  const forwarded = isPeerTrusted ? authorityOf(lastOf(headers["x-forwarded-host"])) : undefined;
  const asked = authorityOf(headers.host) ?? authorityOf(fallbackHost) ?? { host: "localhost", port: undefined };
  const host = forwarded?.host ?? asked.host;
  const warnings: UrlWarning[] = [];
  if (appearsLocal(host)) warnings.push("public_url_appears_local");
  if (isPeerTrusted && asksForPlaintext(headers["x-forwarded-proto"])) warnings.push("public_url_plaintext_refused");
  return { url: `grpcs://${host}:${forwarded?.port ?? PORT}`, source: forwarded === undefined ? "host" : "proxy", warnings };
}

/** Whether the address can hardly mean the same on other hosts: loopback, a private network, a name without a domain. */
export function appearsLocal(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).range() !== "unicast";
  const name = bare.replace(/\.$/, "");
  return !name.includes(".") || /\.(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa|test)$/.test(name);
}

/** Accepts only a host and a port; the host in its canonical form. */
function authorityOf(text: string | undefined): { host: string; port: number | undefined } | undefined {
  if (text === undefined || text.length > 300) return undefined;
  // Parsed as ws:, since https: drops its default port.
  const url = URL.parse(`ws://${text.trim()}/`);
  if (url === null || url.href !== `ws://${url.host}/` || url.port === "0") return undefined;
  // A URL may contain characters that a shell interprets; no host name does.
  if (!/^(?:\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)$/.test(url.hostname)) return undefined;
  const port = /:(\d{1,5})$/.exec(text.trim())?.[1];
  return { host: url.hostname, port: port === undefined ? undefined : Number(port) };
}

/** Each proxy on the way may add a value; only the last one is that of the trusted proxy. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header.join(",") : header)?.split(",").at(-1);
}

function asksForPlaintext(header: string | string[] | undefined): boolean {
  const values = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",");
  return values.some((value) => /^(?:grpc|h2c)$/i.test(value.trim()));
}

function hostOf(url: string): string {
  return url.replace(/^grpcs:\/\//, "").replace(/:\d+$/, "");
}
