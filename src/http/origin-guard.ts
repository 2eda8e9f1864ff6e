import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { ServiceError } from "../platform/errors.ts";
import { canonicalAddress, isLoopback, type TrustedProxies } from "./client-address.ts";
import type { HttpConfig } from "./http-config.ts";

export interface OriginGuard {
  /**
   * Refuses a Host that is not ours: another site's name may resolve to this machine (DNS rebinding). `isForAnyHost`: the path is open to any Host,
   * unless we are bound to loopback.
   */
  checkHost(host: string | undefined, httpVersion: string, isForAnyHost: boolean): void;
  /** Refuses what another site's page sends. Programs send neither Sec-Fetch-Site nor Origin, and pass. */
  checkOrigin(headers: IncomingHttpHeaders): void;
}

export function createOriginGuard({ listen, baseUrl, allowedHosts, corsOrigins }: HttpConfig): OriginGuard {
  const boundToLoopback = isLoopback(listen.host);
  const ownHosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  if (baseUrl !== undefined) ownHosts.add(new URL(baseUrl).hostname);
  // Any site may read under `*`, but only listed sites may write: `*` is an answer to who may look.
  const writers = new Set(Array.isArray(corsOrigins) ? corsOrigins : []);
  if (baseUrl !== undefined) writers.add(new URL(baseUrl).origin);

  /** Most requests name the same host, and looking at it costs more than the rest of admission. */
  let lastAllowed: string | undefined;

  function isOwnName(name: string | undefined): boolean {
    if (name === undefined) return false;
    if (isLoopback(name) || ownHosts.has(name)) return true;
    // Nobody else can point an address, or a name without a domain, at us.
    return !boundToLoopback && (isIP(name) !== 0 || !name.includes("."));
  }

  return {
    checkHost(host, httpVersion, isForAnyHost) {
      if (host === undefined) {
        // Only HTTP/1.0 may leave it out, and browsers do not.
        if (httpVersion === "1.0") return;
        throw new ServiceError("invalid_request", "The Host header is missing.");
      }
      if (host === lastAllowed || (isForAnyHost && !boundToLoopback)) return;
      if (!isOwnName(hostNameOf(host))) {
        throw new ServiceError(
          "misdirected_request",
          "This service does not answer to that Host name. If the name is yours, set SERVICE_BASE_URL or add it to SERVICE_ALLOWED_HOSTS.",
        );
      }
      lastAllowed = host;
    },
    checkOrigin(headers) {
      const origin = headers.origin;
      if (origin !== undefined && writers.has(origin)) return;
      const site = headers["sec-fetch-site"];
      const isForeign =
        site === undefined ? origin !== undefined && !isSameHost(origin, headers.host) : site !== "same-origin" && site !== "none";
      if (!isForeign) return;
      throw new ServiceError(
        "cross_origin_refused",
        "Only this service's own pages may send this request from a browser. List a trusted site in SERVICE_CORS_ORIGINS; behind a proxy set SERVICE_BASE_URL.",
      );
    },
  };
}

/** The scheme is left out: behind a proxy that ends TLS we cannot know it. */
function isSameHost(origin: string, host: string | undefined): boolean {
  const url = URL.parse(origin);
  return url !== null && host !== undefined && url.host === URL.parse(`${url.protocol}//${host}`)?.host;
}

/** The name in a Host header, without port, brackets and trailing dot; undefined when it is none. */
export function hostNameOf(host: string): string | undefined {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:@/\\?#\s]+?)\.?)(?::\d{1,5})?$/i.exec(host);
  return (name?.[1] ?? name?.[2])?.toLowerCase();
}

/** A request as Node has it. */
type Asked = Pick<IncomingMessage, "headers" | "url"> & { socket: Pick<IncomingMessage["socket"], "remoteAddress"> };

/** The host name of the public status page, under which nothing else is answered. */
export interface PublicDomain {
  /** Whether a request was sent to it. */
  isAsked(request: Asked): boolean;
  /** Whether a request was sent to it for what is not public. */
  hides(request: Asked): boolean;
  /** The address as routes know it: at the root of the domain is the status page. */
  urlOf(request: Asked): string;
}

const PUBLIC_URL = /^\/status(?:[/?]|$)/;
const ROOT_URL = /^\/(?:\?|$)/;

/**
 * A request is sent to the domain when its Host says so, or X-Forwarded-Host of a trusted proxy: whoever adds a header must not reach more than without
 * it. `current` is null while there is no domain.
 */
export function createPublicDomain(current: () => string | null, proxies: TrustedProxies): PublicDomain {
  /** Most requests name the same host. */
  let last = { host: "", domain: "", isSame: false };

  function isSame(host: string, domain: string): boolean {
    if (last.host !== host || last.domain !== domain) last = { host, domain, isSame: hostNameOf(host) === domain };
    return last.isSame;
  }

  function isForwarded({ headers, socket }: Asked, domain: string): boolean {
    const forwarded = headers["x-forwarded-host"];
    if (forwarded === undefined) return false;
    const peer = socket.remoteAddress ?? "";
    if (!proxies.includes(canonicalAddress(peer) ?? peer)) return false;
    return String(forwarded)
      .split(",")
      .some((host) => hostNameOf(host.trim()) === domain);
  }

  function isAsked(request: Asked): boolean {
    const domain = current();
    if (domain === null) return false;
    const { host } = request.headers;
    return (host !== undefined && isSame(host, domain)) || isForwarded(request, domain);
  }

  return {
    isAsked,
    hides: (request) => isAsked(request) && !PUBLIC_URL.test(request.url ?? ""),
    urlOf(request) {
      const { url = "" } = request;
      return ROOT_URL.test(url) && isAsked(request) ? `/status${url}` : url;
    },
  };
}

export type SecurityHeaders = (path: string) => Readonly<Record<string, string>>;

/**
 * The headers of every response, by path: only the public status page may be framed by other sites.
 * `indexHtml` is the web app's page; the content security policy allows its inline scripts by their hash.
 * Source: specification, Response headers on every response.
 */
export function createSecurityHeaders(indexHtml = ""): SecurityHeaders {
  const scripts = ["'self'", ...inlineScriptHashes(indexHtml)].join(" ");
  const policy = (frameAncestors: string): string =>
    [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      `script-src ${scripts}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      `frame-ancestors ${frameAncestors}`,
    ].join("; ");
  const everywhere = { "x-content-type-options": "nosniff", "referrer-policy": "strict-origin-when-cross-origin" };
  const framed = Object.freeze({ ...everywhere, "content-security-policy": policy("*") });
  const unframed = Object.freeze({ ...everywhere, "x-frame-options": "DENY", "content-security-policy": policy("'none'") });
  return (path) => (path === "/status" || path.startsWith("/status/") ? framed : unframed);
}

function inlineScriptHashes(html: string): string[] {
  const inlineScripts = html.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script\s*>/gi);
  return [...inlineScripts].map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
