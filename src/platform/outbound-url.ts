import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import ipaddr from "ipaddr.js";
import type { ErrorCode } from "./errors.ts";
import { OutboundError } from "./outbound-error.ts";

type Networks = readonly (readonly [networks: string, what: string])[];

/** Addresses at which a machine or its cloud answers programs that run on it, often with secrets. Checks are refused there too. */
const LOCAL_SERVICES: Networks = [
  ["169.254.0.0/16 fe80::/10", "a link-local address"],
  // IPv4: Azure, Alibaba, Oracle. IPv6: Amazon's instances and pods, Google, Scaleway, Oracle, Akamai. Each is named in that cloud's own
  // documentation.
  ["168.63.129.16/32 100.100.100.200/32 192.0.0.192/32", "an address of a cloud's own services"],
  [
    "fd00:ec2::254/128 fd00:ec2::23/128 fd20:ce::254/128 fd00:42::42/128 fd00:c1::a9fe:a9fe/128 fd00:a9fe:a9fe::1/128",
    "an address of a cloud's own services",
  ],
];

/**
 * Networks to which no messages are sent, with a name for each; the first that matches is used. Sources: the special-purpose address registries of
 * IANA (RFC 6890 and its updates).
 */
const REFUSED: Networks = [
  ["0.0.0.0/8 ::/128", "an unspecified address"],
  ["127.0.0.0/8 ::1/128", "a loopback address"],
  ["10.0.0.0/8 172.16.0.0/12 192.168.0.0/16", "a private address"],
  ...LOCAL_SERVICES,
  ["100.64.0.0/10", "an address of a carrier's own network"],
  ["192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20", "an address for documentation"],
  ["198.18.0.0/15 2001:2::/48", "an address for benchmarks"],
  ["224.0.0.0/4 ff00::/8", "a multicast address"],
  ["255.255.255.255/32", "the broadcast address"],
  ["192.88.99.0/24 2002::/16", "a 6to4 address"],
  ["192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 240.0.0.0/4", "a reserved address"],
  ["::ffff:0:0/96 ::ffff:0:0:0/96 ::/96", "an IPv4 address written as IPv6"],
  ["64:ff9b::/96 64:ff9b:1::/48", "a NAT64 address"],
  ["2001::/32", "a Teredo address"],
  ["fc00::/7", "a unique-local address"],
  ["fec0::/10", "a site-local address"],
  ["2001::/23 2620:4f:8000::/48", "a reserved address"],
];

/** The only IPv6 range from which hosts on the Internet have addresses. Source: RFC 4291, section 2.4. */
const GLOBAL_UNICAST: Networks = [["2000::/3", "an address on the Internet"]];

/**
 * Prefixes of addresses whose last four bytes are the IPv4 address that they reach. Sources: RFC 4291, section 2.5.5; RFC 2765; RFC 6052; RFC 8215.
 */
const WITH_IPV4: Networks = [["::ffff:0:0/96 ::ffff:0:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48", "IPv4"]];

/**
 * Why an address must not be connected to, in words, such as `a private address`; undefined when it may be. Text that is no address is refused too.
 */
export function refusalOf(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes("%")) return "not an address";
  const read = ipaddr.parse(address);
  const found = wordsFor(read, REFUSED);
  if (found !== undefined) return found;
  return read.kind() === "ipv6" && wordsFor(read, GLOBAL_UNICAST) === undefined ? "a reserved address" : undefined;
}

/** The same for checks, which may use private addresses. An IPv6 address that contains an IPv4 address is judged by that; zones are ignored. */
export function checkRefusalOf(address: string): string | undefined {
  if (isIP(address) === 0) return "not an address";
  const read = ipaddr.parse(address.replace(/%.*$/s, ""));
  const found = wordsFor(read, LOCAL_SERVICES);
  if (found !== undefined || wordsFor(read, WITH_IPV4) === undefined) return found;
  return wordsFor(ipaddr.fromByteArray(read.toByteArray().slice(-4)), LOCAL_SERVICES);
}

type Table = readonly { network: ReturnType<typeof ipaddr.parseCIDR>; what: string }[];

/** Each is parsed on first use, since nothing is sent while the program starts. */
const tables = new Map<Networks, Table>();

function wordsFor(address: ReturnType<typeof ipaddr.parse>, networks: Networks): string | undefined {
  let table = tables.get(networks);
  if (table === undefined) {
    table = networks.flatMap(([list, what]) => list.split(" ").map((network) => ({ network: ipaddr.parseCIDR(network), what })));
    tables.set(networks, table);
  }
  return table.find(({ network }) => network[0].kind() === address.kind() && address.match(network))?.what;
}

/** What is wrong with an address, in a form that may be shown: it contains no more of the address than the host. */
interface UrlFault {
  code: Extract<ErrorCode, "unusable_values" | "https_required" | "private_address_refused">;
  message: string;
}

export const LONGEST_URL = 2048;

/** A private host that may be asked nevertheless; `port` undefined is any, `plain` allows http. */
export interface OutboundPrivateHost {
  host: string;
  port: number | undefined;
  plain: boolean;
}

export interface UrlRules {
  allowPrivate: boolean;
  /** The exceptions while `allowPrivate` is false. */
  privateHosts?: readonly OutboundPrivateHost[];
}

/**
 * Parses the address of a receiver and checks everything that needs no lookup. The spelling of the host does not matter: the URL standard turns
 * `2130706433`, `0177.1` and `0x7f.1` into the address 127.0.0.1. With `allowPrivate` any host and http are allowed; otherwise only as `privateHosts`
 * says.
 */
export function readOutboundUrl(text: string, { allowPrivate, privateHosts = [] }: UrlRules): URL | UrlFault {
  const bad = (message: string): UrlFault => ({ code: "unusable_values", message });
  if (text.length > LONGEST_URL) return bad(`Must not be longer than ${LONGEST_URL} characters`);
  // The URL standard silently drops some of these characters, and treats others as a slash.
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

/** Whether host, port and protocol are among the private ones that may be asked. */
function isListed(url: URL, privateHosts: readonly OutboundPrivateHost[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return privateHosts.some(
    (each) =>
      each.host.replace(/\.$/, "").toLowerCase() === hostOf(url) &&
      (each.port === undefined || each.port === port) &&
      (each.plain || url.protocol === "https:"),
  );
}

/** The host in the form for a resolver: without brackets and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** The host in the form that may be shown. */
export function shownHost(url: URL): string {
  return url.hostname;
}

/** Why a host is refused before it is looked up; undefined when only a lookup shows it. */
function hostRefusal(host: string): string | undefined {
  if (isIP(host) !== 0) return refusalOf(host);
  // RFC 6761, section 6.3: whatever a resolver answers.
  return /(^|\.)localhost$/i.test(host) ? "a loopback name" : undefined;
}

/** Checks addresses as they are written, and the addresses that names resolve to. */
interface OutboundGuard {
  read(urlText: string): URL | UrlFault;
  /** All addresses of the URL's host; throws an OutboundError when one of them is refused. */
  addressesOf(url: URL): Promise<readonly string[]>;
  /** A lookup for one connection: it uses the checked addresses, whatever the name resolves to a moment later. */
  lookupFor(url: URL): LookupFunction;
}

interface OutboundGuardOptions {
  allowPrivate: boolean;
  privateHosts: readonly OutboundPrivateHost[];
  resolve: (host: string) => Promise<readonly string[]>;
  refusalFor: (address: string) => string | undefined;
}

export function createOutboundGuard({ allowPrivate, privateHosts, resolve, refusalFor }: OutboundGuardOptions): OutboundGuard {
  async function addressesOf(url: URL): Promise<readonly string[]> {
    const host = hostOf(url);
    const addresses = await resolve(host);
    for (const address of allowPrivate || isListed(url, privateHosts) ? [] : addresses) {
      const refusal = refusalFor(address);
      if (refusal !== undefined) throw new OutboundError(`${host} leads to ${address}, which is ${refusal}`, "private_address_refused");
    }
    return addresses;
  }

  return {
    addressesOf,
    read: (urlText) => readOutboundUrl(urlText, { allowPrivate, privateHosts }),
    lookupFor(url) {
      const lookUp = callbackify(() => addressesOf(url));
      return (_, options, callback) => {
        lookUp((error, addresses) => {
          const found = (addresses ?? [])
            .map((address) => ({ address, family: isIP(address) }))
            .filter(({ family }) => typeof options.family !== "number" || options.family === 0 || options.family === family);
          const [first] = found;
          if (error !== null) callback(error, []);
          else if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
          else if (options.all === true) callback(null, found);
          else callback(null, first.address, first.family);
        });
      };
    },
  };
}
