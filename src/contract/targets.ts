/** Names of network peers as people write them, in the form in which they are looked up. */

const HOST = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*\.?$/;
const LONGEST_TARGET = 2048;

/** An http or https URL that names a host; may hold credentials. undefined when the text is not one. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = text.length <= LONGEST_TARGET ? URL.parse(text.trim()) : null;
  // What is not ASCII becomes up to nine times as long, and whoever reads it next would refuse it.
  if (url === null || url.href.length > LONGEST_TARGET || !/^https?:$/.test(url.protocol) || url.port === "0") return undefined;
  return HOST.test(url.hostname) || url.hostname.startsWith("[") ? url : undefined;
}

/** Whose certificate a request to a URL meets first; undefined for one that is not https. */
export function tlsPeerOf(target: string): { domain: string; port: number; serverName: string } | undefined {
  const url = parseHttpUrl(target);
  const domain = url?.protocol === "https:" ? parseDomain(url.hostname) : undefined;
  if (url === undefined || domain === undefined) return undefined;
  return { domain, port: url.port === "" ? 443 : Number(url.port), serverName: domain };
}

/** `host:port` or `[address]:port`; the host in ASCII, an IPv6 address in brackets. */
export function parseHostPort(text: string): { host: string; port: number } | undefined {
  const [, named = "", digits = ""] = /^(.+):(\d{1,5})$/s.exec(text.trim()) ?? [];
  const host = asciiHost(named);
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** A host name in ASCII, or an address, without brackets and without the dot at its end. */
export function parseDomain(text: string): string | undefined {
  const trimmed = text.trim();
  const isBareIpv6 = trimmed.includes(":") && !trimmed.startsWith("[");
  const host = asciiHost(isBareIpv6 ? `[${trimmed}]` : trimmed);
  return host?.replace(/^\[|\]$|\.$/g, "");
}

/** Internationalised names in ASCII, all in lower case. Source: WHATWG URL, host parsing. */
function asciiHost(text: string): string | undefined {
  if (text === "" || text.length > 1000 || /[\s/?#@%\\]/.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname ?? "";
  if (host.startsWith("[")) return host;
  return text.includes(":") || !HOST.test(host) ? undefined : host;
}
