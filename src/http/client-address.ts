import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { IncomingHttpHeaders } from "node:http";

/** The proxies whose forwarded headers are trusted. */
export interface TrustedProxies {
  includes(address: string): boolean;
}

/**
 * The address of the client. Forwarded headers count only when the peer is a trusted proxy: X-Forwarded-For is read from right to left, up to the
 * first hop that is not trusted (the leftmost if all are); X-Real-IP is read only without it. If an address cannot be parsed, it is the peer's.
 * Source: specification, Trusted proxies.
 */
export function clientAddress(peer: string, headers: IncomingHttpHeaders, proxies: TrustedProxies): string {
  const address = canonicalAddress(peer) ?? peer;
  if (headers["x-forwarded-for"] === undefined && headers["x-real-ip"] === undefined) return address;
  if (!proxies.includes(address)) return address;
  const forwarded = textOf(headers["x-forwarded-for"]);
  if (forwarded !== undefined) return firstUntrustedHop(forwarded, proxies) ?? address;
  const real = textOf(headers["x-real-ip"]);
  return (real === undefined ? undefined : addressOfHop(real)) ?? address;
}

/** undefined when a hop cannot be parsed. */
function firstUntrustedHop(forwarded: string, proxies: TrustedProxies): string | undefined {
  let client: string | undefined;
  for (const hop of forwarded.split(",").reverse()) {
    client = addressOfHop(hop);
    if (client === undefined || !proxies.includes(client)) return client;
  }
  return client;
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`. */
const HOP = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+):\d{1,5}|(.+))$/;
/** Longer than any address with its zone, brackets and port. */
const MAX_HOP_LENGTH = 80;

function addressOfHop(hop: string): string | undefined {
  const text = hop.trim();
  if (text.length > MAX_HOP_LENGTH) return undefined;
  const [, bracketed, withPort, plain] = HOP.exec(text) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? canonicalAddress(bracketed) : undefined;
  if (withPort !== undefined) return isIP(withPort) === 4 ? withPort : undefined;
  return canonicalAddress(plain ?? "");
}

/** The canonical form of an address: IPv4 inside IPv6 becomes IPv4, IPv6 is compressed, zones are dropped. undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  switch (isIP(text)) {
    case 4:
      return text;
    case 6:
      return ipaddr.process(text.replace(/%.*$/, "")).toString();
    default:
      return undefined;
  }
}

/** The key of a client for quotas: an IPv4 address, or the /64 of an IPv6 address, since one client has a whole /64. */
export function quotaKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(":");
}

/** Whether an address or host name can only mean this machine. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const address = canonicalAddress(host);
  return address !== undefined && ipaddr.parse(address).range() === "loopback";
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}
