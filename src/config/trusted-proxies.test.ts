import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { StartError } from "../platform/errors.ts";
import { parseTrustedProxies } from "./trusted-proxies.ts";

const cases: [list: string, address: string, included: boolean][] = [
  ["", "127.0.0.1", false],
  ["10.0.0.0/8", "10.255.255.255", true],
  ["10.0.0.0/8", "11.0.0.0", false],
  ["10.1.2.3/8", "10.200.0.1", true],
  ["192.168.1.7", "192.168.1.7", true],
  ["192.168.1.7", "192.168.1.8", false],
  ["10.0.0.0/8", "::ffff:10.0.0.1", true],
  ["::ffff:10.0.0.1", "10.0.0.1", true],
  ["::ffff:10.0.0.0/104", "10.9.9.9", true],
  ["::ffff:10.0.0.0/104", "11.9.9.9", false],
  ["0.0.0.0/0", "203.0.113.9", true],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["2001:db8::/32", "2001:db8:ffff::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["fe80::/10", "fe80::1%eth0", true],
  ["::1", "::1", true],
  [" 10.0.0.0/8 , ::1 ,", "::1", true],
  ["10.0.0.0/8", "not an address", false],
  ["10.0.0.0/8", "", false],
  ["10.0.0.0/31", "10.0.0.1", true],
  ["10.0.0.0/31", "10.0.0.2", false],
];
for (const [list, address, included] of cases) {
  test(`${JSON.stringify(list)} ${included ? "contains" : "does not contain"} ${JSON.stringify(address)}`, () => {
    assert.equal(parseTrustedProxies(list).includes(address), included);
  });
}

for (const nonsense of [
  "10.0.0.0/33",
  "10.0.0/8",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "::1/129",
  "::ffff:10.0.0.0/8",
  "010.0.0.1",
  "0x7f.1",
  "proxy",
  "*",
  "fe80::1%eth0",
  "1.2.3.4;5.6.7.8",
]) {
  test(`${nonsense} refuses the start and is named`, () => {
    assert.throws(
      () => parseTrustedProxies(`127.0.0.1,${nonsense}`),
      (error) => error instanceof StartError && error.message.includes(nonsense),
    );
  });
}

test("a network contains exactly the addresses that share its leading bits", () => {
  const bits = ([a, b, c, d]: number[]) => (((a ?? 0) << 24) | ((b ?? 0) << 16) | ((c ?? 0) << 8) | (d ?? 0)) >>> 0;
  const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 4 }), (network, other, length, shared) => {
      const address = [...network.slice(0, shared), ...other.slice(shared)];
      const expected = length === 0 || bits(network) >>> (32 - length) === bits(address) >>> (32 - length);
      assert.equal(parseTrustedProxies(`${network.join(".")}/${length}`).includes(address.join(".")), expected);
    }),
  );
});
