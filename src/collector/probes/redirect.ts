import { looksSecret, MASK } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";
import { PeerError } from "../peers/failure.ts";

/** One request of a check. */
export interface ProbeRequest {
  url: URL;
  method: string;
  /** By names in lower case. */
  headers: Record<string, string>;
}

/** All other headers may be credentials, which another host must not see. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "user-agent",
]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * The request that a redirect asks for. After 303, and after 301 and 302 to a POST, it is a GET; another origin gets none of our headers but harmless ones.
 * Throws a PeerError when it leads nowhere. Source: RFC 9110, section 15.4; Fetch, HTTP-redirect fetch.
 */
export function followRedirect(request: ProbeRequest, status: number, location: string | undefined): ProbeRequest {
  const from = urlName(request.url);
  if (location === undefined) throw new PeerError("http", `${from} answered ${status} without saying where to go.`);
  const url = URL.parse(location, request.url.href);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new PeerError("http", `${from} answered ${status} and points to an address that is not one of http or https.`);
  }
  url.username = "";
  url.password = "";
  const { method } = request;
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  return {
    url,
    method: becomesGet ? "GET" : method,
    headers: url.origin === request.url.origin ? request.headers : withoutCredentials(request.headers),
  };
}

/** Where a URL leads, without what may be secret in it: user, password, query, and a path that is a secret itself. */
export function urlName({ origin, pathname }: URL): string {
  const url = `${origin}${pathname}`;
  return looksSecret("path", url) ? `${origin}/${MASK}` : cleanName(url, 200);
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => HARMLESS.has(name) && !looksSecret(name, value)));
}
