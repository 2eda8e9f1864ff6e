import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { StartError } from "../platform/errors.ts";

/** A set of networks, asked about single addresses. */
export interface AddressSet {
  /** As configured, normalised; for the log. */
  readonly networks: readonly string[];
  /** Whether one of the networks contains the address; text that is no address is in none. */
  includes(address: string): boolean;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads a comma-separated list of CIDRs and bare addresses. Host bits may be set (`10.1.2.3/8` means `10.0.0.0/8`);
 * IPv4 written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. Throws a StartError naming every entry that is neither.
 * Source: specification, Trusted proxies.
 */
export function parseTrustedProxies(text: string): AddressSet {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const parsed = entries.map((entry) => ({ entry, network: parseNetwork(entry) }));
  const nonsense = parsed.filter(({ network }) => network === undefined).map(({ entry }) => JSON.stringify(entry));
  if (nonsense.length > 0) {
    throw new StartError(`${nonsense.join(", ")}: neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32`);
  }
  return addressSet(parsed.flatMap(({ network }) => (network === undefined ? [] : [network])));
}

function addressSet(networks: readonly Network[]): AddressSet {
  // Asked with nearly every request, and nearly always of IPv4, which fits a number.
  const masked = networks.flatMap(([address, length]) => {
    if (address.kind() !== "ipv4") return [];
    const mask = length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0;
    return [{ mask, first: (numberOf(address.toString()) & mask) >>> 0 }];
  });
  return {
    networks: networks.map(([address, length]) => `${address.toString()}/${length}`),
    includes(text) {
      if (isIP(text) === 4) {
        const address = numberOf(text);
        return masked.some(({ mask, first }) => (address & mask) >>> 0 === first);
      }
      const address = parseAddress(text.replace(/%.*$/, ""));
      return address !== undefined && networks.some((network) => address.kind() === network[0].kind() && address.match(network));
    },
  };
}

/** Of an IPv4 address in its usual spelling. */
function numberOf(text: string): number {
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(text) === 0 || text.includes("%") ? undefined : ipaddr.process(text);
}

function parseNetwork(text: string): Network | undefined {
  const [, addressText = "", lengthText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  if (address === undefined) return undefined;
  const bits = address.kind() === "ipv4" ? 32 : 128;
  const mappedBits = isIP(addressText) === 6 && bits === 32 ? 96 : 0;
  const length = lengthText === undefined ? bits : Number(lengthText) - mappedBits;
  if (length < 0 || length > bits) return undefined;
  const first = maskedBytes(address.toByteArray(), length);
  return [ipaddr.fromByteArray(first), length];
}

function maskedBytes(bytes: readonly number[], length: number): number[] {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - index * 8))) & 0xff);
}
