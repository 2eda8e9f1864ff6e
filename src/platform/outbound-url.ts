import { isIP } from "node:net";
import type { ErrorCode } from "./errors.ts";
import { refusalOf } from "./outbound-addresses.ts";

/** What is wrong with an address, fit to be shown: it never repeats more of it than the host. */
export interface UrlFault {
  code: Extract<ErrorCode, "unusable_values" | "https_required" | "private_address_refused">;
  message: string;
}

export const LONGEST_URL = 2048;

/** A host that may be asked although it is private; `port` undefined is any, `plain` allows http. */
export interface OutboundPrivateHost {
  host: string;
  port: number | undefined;
  plain: boolean;
}

export interface UrlRules {
  allowPrivate: boolean;
  /** The exceptions when it is false. */
  privateHosts?: readonly OutboundPrivateHost[];
}

/**
 * Reads the address of a receiver and checks all that can be without asking anybody. How the host is spelt does not matter: the URL
 * standard makes `2130706433`, `0177.1` and `0x7f.1` the address 127.0.0.1. With `allowPrivate` it may be http and lead anywhere;
 * else only where one of `privateHosts` says so.
 */
export function readOutboundUrl(text: string, { allowPrivate, privateHosts = [] }: UrlRules): URL | UrlFault {
  const bad = (message: string): UrlFault => ({ code: "unusable_values", message });
  if (text.length > LONGEST_URL) return bad(`Must not be longer than ${LONGEST_URL} characters`);
  // The URL standard drops some of these silently, and takes others for a slash.
  if (/[\p{Cc}\p{Cf}\p{Z}\\]/u.test(text)) return bad("Must not contain spaces, backslashes, line breaks or other control characters");
  const url = URL.parse(text);
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text)) return bad("Must be an address such as https://example.com/path");
  if (url.protocol !== "https:" && url.protocol !== "http:") return bad("Must begin with https://");
  if (url.username !== "" || url.password !== "" || /^[^/]+\/\/[^/?#]*@/.test(text))
    return bad("Must not contain a user name or a password; use headers for credentials");
  if (text.includes("#")) return bad("Must not contain a fragment (#): it is never sent");
  if (url.port === "0") return bad("Must not have port 0");
  if (hostOf(url) === "") return bad("Must have a host");
  if (allowPrivate || isListed(url, privateHosts)) return url;
  if (url.protocol === "http:") return { code: "https_required", message: "Must begin with https://" };
  const refusal = hostRefusal(hostOf(url));
  return refusal === undefined ? url : { code: "private_address_refused", message: `${shownHost(url)} is ${refusal}` };
}

/** The host, its port and the protocol are among those that may be asked although they are private. */
export function isListed(url: URL, privateHosts: readonly OutboundPrivateHost[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return privateHosts.some(
    (each) =>
      each.host.replace(/\.$/, "").toLowerCase() === hostOf(url) &&
      (each.port === undefined || each.port === port) &&
      (each.plain || url.protocol === "https:"),
  );
}

/** The host as a resolver takes it: without brackets and without the dot at its end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** The host as it may be shown. */
export function shownHost(url: URL): string {
  return url.hostname;
}

/** What a host is by itself, before it is looked up; undefined when that does not tell. */
function hostRefusal(host: string): string | undefined {
  if (isIP(host) !== 0) return refusalOf(host);
  // RFC 6761, section 6.3: whatever a resolver says of it.
  return /(^|\.)localhost$/i.test(host) ? "a loopback name" : undefined;
}
