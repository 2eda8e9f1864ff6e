import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAddressGuard } from "./address-guard.ts";

const OWN_ADDRESSES = ["127.0.0.1", "192.168.1.5", "::1", "fd12::5"];
const guardOf = (address: string, port = 8080) =>
  createAddressGuard({ listeners: () => [{ address, port }], ownAddresses: () => OWN_ADDRESSES });
const guardOfEngine = (address: string, port = 2375) =>
  createAddressGuard({ engine: () => [{ address, port }], ownAddresses: () => OWN_ADDRESSES });
const nowhere = createAddressGuard();

describe("the addresses that checks may connect to", () => {
  const never = [
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fd00:ec2::254",
    "fd00:0ec2:0:0:0:0:0:0254",
    "192.0.0.192",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
    "fd00:c1::a9fe:a9fe",
    "fd00:a9fe:a9fe::1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:0:169.254.169.254",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "::ffff:100.100.100.200",
    "not an address",
  ];
  for (const address of never) {
    it(`are never ${address}`, () => assert.match(nowhere(address, 80) ?? "", /^is .*, which no check reaches$/));
  }

  const allowed = [
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.5",
    "100.64.0.1",
    "::1",
    "fd00:ec2::253",
    "203.0.113.5",
    "::ffff:10.0.0.1",
    "2001:db8::1",
  ];
  for (const address of allowed) {
    it(`may be ${address}`, () => assert.equal(nowhere(address, 80), undefined));
  }

  /** Where the program listens, and what reaches it. */
  const reached: [bound: string, addresses: string[]][] = [
    ["127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "::", "::ffff:7f00:1"]],
    ["0.0.0.0", ["127.0.0.1", "127.8.8.8", "192.168.1.5", "::ffff:192.168.1.5", "0.0.0.0", "::"]],
    ["::", ["::1", "127.0.0.1", "192.168.1.5", "fd12::5", "fd12:0::0:5", "::ffff:192.168.1.5", "0.0.0.0"]],
    ["192.168.1.5", ["192.168.1.5", "::ffff:192.168.1.5", "0.0.0.0"]],
    ["::1", ["::1", "0:0::1", "::"]],
  ];
  for (const [bound, addresses] of reached) {
    for (const address of addresses) {
      it(`are not ${address} while the program listens on ${bound}`, () => {
        const guard = guardOf(bound);
        assert.match(guard(address, 8080) ?? "", /is where this Binnacle listens/);
        assert.equal(guard(address, 8081), undefined);
      });
    }
  }

  const free: [bound: string, address: string][] = [
    ["127.0.0.1", "192.168.1.5"],
    ["192.168.1.5", "127.0.0.1"],
    ["0.0.0.0", "192.168.1.6"],
    ["::", "fd12::6"],
  ];
  for (const [bound, address] of free) {
    it(`may be ${address} while the program listens on ${bound}`, () => assert.equal(guardOf(bound)(address, 8080), undefined));
  }

  const engines: [engine: string, addresses: string[]][] = [
    ["10.0.0.9", ["10.0.0.9", "::ffff:10.0.0.9"]],
    ["127.0.0.1", ["127.0.0.1", "192.168.1.5", "0.0.0.0", "::1"]],
    ["192.168.1.5", ["192.168.1.5", "127.0.0.1", "fd12::5"]],
  ];
  for (const [engine, addresses] of engines) {
    for (const address of addresses) {
      it(`are not ${address} while the engine is asked at ${engine}`, () => {
        const guard = guardOfEngine(engine);
        assert.match(guard(address, 2375) ?? "", /is where the container engine of this Binnacle listens/);
        assert.equal(guard(address, 2376), undefined);
        assert.equal(guard("10.0.0.10", 2375), undefined);
      });
    }
  }

  it("are judged by where the program listens now", () => {
    const listeners: { address: string; port: number }[] = [];
    const guard = createAddressGuard({ listeners: () => listeners });
    assert.equal(guard("127.0.0.1", 9000), undefined);
    listeners.push({ address: "127.0.0.1", port: 9000 });
    assert.notEqual(guard("127.0.0.1", 9000), undefined);
  });
});
