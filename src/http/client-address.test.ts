import assert from "node:assert/strict";
import { describe, it } from "node:test";
import ipaddr from "ipaddr.js";
import { fc } from "../../test/support/seed.ts";
import { parseTrustedProxies } from "../config/trusted-proxies.ts";
import { canonicalAddress, clientAddress, isLoopback, quotaKey } from "./client-address.ts";

const proxies = parseTrustedProxies("10.0.0.0/8, 2001:db8:1::/48, 192.0.2.7");

describe("clientAddress", () => {
  const cases: [what: string, peer: string, headers: Record<string, string>, client: string][] = [
    ["a peer that is no proxy is the client", "198.51.100.1", { "x-forwarded-for": "1.1.1.1", "x-real-ip": "2.2.2.2" }, "198.51.100.1"],
    ["a proxy without forwarded headers is the client", "10.0.0.1", {}, "10.0.0.1"],
    ["one hop", "10.0.0.1", { "x-forwarded-for": "1.1.1.1" }, "1.1.1.1"],
    [
      "the first hop from the right that is not listed",
      "10.0.0.1",
      { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 10.2.3.4,192.0.2.7" },
      "1.1.1.1",
    ],
    ["all listed: the leftmost", "10.0.0.1", { "x-forwarded-for": "10.9.9.9, 10.2.3.4" }, "10.9.9.9"],
    ["nonsense left of the client does not matter", "10.0.0.1", { "x-forwarded-for": "evil, 1.1.1.1, 10.2.3.4" }, "1.1.1.1"],
    ["nonsense among the hops: the peer", "10.0.0.1", { "x-forwarded-for": "1.1.1.1, unknown, 10.2.3.4" }, "10.0.0.1"],
    ["empty: the peer", "10.0.0.1", { "x-forwarded-for": "" }, "10.0.0.1"],
    ["a trailing comma: the peer", "10.0.0.1", { "x-forwarded-for": "1.1.1.1," }, "10.0.0.1"],
    ["X-Real-IP without X-Forwarded-For", "10.0.0.1", { "x-real-ip": "2.2.2.2" }, "2.2.2.2"],
    ["X-Real-IP beside X-Forwarded-For is not read", "10.0.0.1", { "x-forwarded-for": "nonsense", "x-real-ip": "2.2.2.2" }, "10.0.0.1"],
    ["X-Real-IP that cannot be parsed: the peer", "10.0.0.1", { "x-real-ip": "2.2.2" }, "10.0.0.1"],
    ["ports", "10.0.0.1", { "x-forwarded-for": "1.1.1.1:4711" }, "1.1.1.1"],
    ["brackets", "10.0.0.1", { "x-forwarded-for": "[2001:DB8:2::1]" }, "2001:db8:2::1"],
    ["brackets and port", "10.0.0.1", { "x-forwarded-for": "[2001:db8:2::1]:4711, 2001:db8:1::5" }, "2001:db8:2::1"],
    ["IPv4 in brackets is nonsense", "10.0.0.1", { "x-forwarded-for": "[1.1.1.1]" }, "10.0.0.1"],
    ["IPv4 written as one number is nonsense", "10.0.0.1", { "x-forwarded-for": "16843009" }, "10.0.0.1"],
    ["a peer seen through an IPv6 socket", "::ffff:10.0.0.1", { "x-forwarded-for": "::ffff:1.1.1.1" }, "1.1.1.1"],
    ["a mapped address cannot pretend to be another client", "::ffff:198.51.100.1", {}, "198.51.100.1"],
  ];
  for (const [what, peer, headers, client] of cases) {
    it(what, () => assert.equal(clientAddress(peer, headers, proxies), client));
  }

  it("a long hop is refused at once, whatever is in it", () => {
    const spaces = " ".repeat(100_000);
    const begun = process.cpuUsage();
    for (const hop of [`a${spaces}b`, `[${spaces}`, `[a]${spaces}b`, `1.1.1.1${spaces}:1`, `${"1".repeat(100_000)}:`])
      assert.equal(clientAddress("10.0.0.1", { "x-forwarded-for": hop }, proxies), "10.0.0.1");
    assert.equal(clientAddress("10.0.0.1", { "x-forwarded-for": `${spaces}1.1.1.1${spaces}` }, proxies), "1.1.1.1");
    const longest = `[${"1111:".repeat(6)}255.255.255.255%enp0s31f6.42000]:65535`;
    assert.equal(clientAddress("10.0.0.1", { "x-forwarded-for": longest }, proxies), canonicalAddress(longest.slice(1, -7)));
    // With a step for every two characters of a hop it would be tens of seconds.
    assert.ok(process.cpuUsage(begun).user < 1_000_000);
  });

  it("believes nobody without trusted proxies", () => {
    assert.equal(
      clientAddress("127.0.0.1", { "x-forwarded-for": "1.1.1.1", "x-real-ip": "1.1.1.1" }, parseTrustedProxies("")),
      "127.0.0.1",
    );
  });

  const listed = fc.integer({ min: 0, max: 0xff_ff_ff }).map((low) => `10.${low >> 16}.${(low >> 8) & 255}.${low & 255}`);
  const stranger = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .map((text) => canonicalAddress(text) ?? "")
    .filter((text) => !proxies.includes(text));
  const spelling = fc.constantFrom(
    (address: string) => address,
    (address: string) => ` ${address} `,
    (address: string) => (address.includes(":") ? `[${address}]:443` : `${address}:443`),
    (address: string) => (address.includes(":") ? `[${address}]` : `::ffff:${address}`),
  );

  it("finds the stranger behind any listed hops, whatever stands to the left of it", () => {
    const chain = fc.tuple(fc.array(fc.string()), stranger, spelling, fc.array(fc.tuple(listed, spelling)), listed);
    fc.assert(
      fc.property(chain, ([left, client, spell, hops, peer]) => {
        const header = [
          ...left.map((text) => text.replaceAll(",", "")),
          spell(client),
          ...hops.map(([hop, spellHop]) => spellHop(hop)),
        ].join(",");
        assert.equal(clientAddress(peer, { "x-forwarded-for": header }, proxies), client);
      }),
    );
  });

  it("always answers with a canonical address, and with the peer's unless the peer is listed", () => {
    fc.assert(
      fc.property(stranger, listed, fc.string(), (outsider, proxy, header) => {
        assert.equal(clientAddress(outsider, { "x-forwarded-for": header }, proxies), outsider);
        const client = clientAddress(proxy, { "x-forwarded-for": header }, proxies);
        assert.equal(canonicalAddress(client), client);
      }),
    );
  });
});

describe("quotaKey", () => {
  it("is the address for IPv4 and the /64 for IPv6", () => {
    assert.equal(quotaKey("192.0.2.1"), "192.0.2.1");
    assert.equal(quotaKey("2001:db8:0:7::1"), quotaKey("2001:db8:0:7:ffff:ffff:ffff:ffff"));
    assert.notEqual(quotaKey("2001:db8:0:7::1"), quotaKey("2001:db8:0:8::1"));
  });
  it("is the same exactly for addresses of one /64", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
        const sameNetwork = ipaddr.IPv6.parse(a).match(ipaddr.IPv6.parse(b), 64);
        const [first, second] = [canonicalAddress(a) ?? "", canonicalAddress(b) ?? ""];
        if (first.includes(".") || second.includes(".")) return;
        assert.equal(quotaKey(first) === quotaKey(second), sameNetwork);
      }),
    );
  });
});

it("isLoopback knows every spelling of this machine", () => {
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) assert.equal(isLoopback(host), true, host);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.example", ""]) assert.equal(isLoopback(host), false, host);
});
