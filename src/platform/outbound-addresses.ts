import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Networks = readonly (readonly [networks: string, what: string])[];

/** Where a machine or its cloud answers those who are on it, often with secrets. Not even checks go there. */
const LOCAL_SERVICES: Networks = [
  ["169.254.0.0/16 fe80::/10", "a link-local address"],
  // IPv4: Azure, Alibaba, Oracle. IPv6: Amazon's instances and pods, Google, Scaleway, Oracle, Akamai. Each is named in that cloud's own documentation.
  ["168.63.129.16/32 100.100.100.200/32 192.0.0.192/32", "an address of a cloud's own services"],
  [
    "fd00:ec2::254/128 fd00:ec2::23/128 fd20:ce::254/128 fd00:42::42/128 fd00:c1::a9fe:a9fe/128 fd00:a9fe:a9fe::1/128",
    "an address of a cloud's own services",
  ],
];

/**
 * Networks that messages to the outside have no business in, and what each is. Sources: the special-purpose address registries of IANA
 * (RFC 6890 and its updates); the first that matches names the address.
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

/** Of IPv6 only this is given out to hosts on the Internet. Source: RFC 4291, section 2.4. */
const GLOBAL_UNICAST: Networks = [["2000::/3", "an address on the Internet"]];

/** Whose last four bytes are an IPv4 address that is reached by them. Sources: RFC 4291, section 2.5.5; RFC 2765; RFC 6052; RFC 8215. */
const WITH_IPV4: Networks = [["::ffff:0:0/96 ::ffff:0:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48", "IPv4"]];

/** What forbids to connect to an address, in words: `a private address`; undefined when nothing does. Text that is no address is refused too. */
export function refusalOf(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes("%")) return "not an address";
  const read = ipaddr.parse(address);
  const found = wordsFor(read, REFUSED);
  if (found !== undefined) return found;
  return read.kind() === "ipv6" && wordsFor(read, GLOBAL_UNICAST) === undefined ? "a reserved address" : undefined;
}

/** The same for checks, which may go to private addresses; by its IPv4 address where one of IPv6 holds it, and whatever its zone. */
export function checkRefusalOf(address: string): string | undefined {
  if (isIP(address) === 0) return "not an address";
  const read = ipaddr.parse(address.replace(/%.*$/s, ""));
  const found = wordsFor(read, LOCAL_SERVICES);
  if (found !== undefined || wordsFor(read, WITH_IPV4) === undefined) return found;
  return wordsFor(ipaddr.fromByteArray(read.toByteArray().slice(-4)), LOCAL_SERVICES);
}

type Table = readonly { network: ReturnType<typeof ipaddr.parseCIDR>; what: string }[];

/** Each read when it is first needed: nothing is sent while the program starts. */
const tables = new Map<Networks, Table>();

function wordsFor(address: ReturnType<typeof ipaddr.parse>, networks: Networks): string | undefined {
  let table = tables.get(networks);
  if (table === undefined) {
    table = networks.flatMap(([list, what]) => list.split(" ").map((network) => ({ network: ipaddr.parseCIDR(network), what })));
    tables.set(networks, table);
  }
  return table.find(({ network }) => network[0].kind() === address.kind() && address.match(network))?.what;
}
