import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { fc } from "../../test/support/seed.ts";
import type { Clock } from "../platform/clock.ts";
import { createTokenBuckets, createWindowLimit } from "./rate-limit.ts";

/** A clock that only shows the time it is given. */
function createHand(): Clock & { ms: number } {
  return {
    ...createFakeClock(),
    ms: 0,
    monotonicMs() {
      return this.ms;
    },
  };
}

describe("token buckets", () => {
  it("let the burst pass, then the rate", () => {
    const clock = createHand();
    const buckets = createTokenBuckets({ perSecond: 10, burst: 20, clock });
    const admitted = (tries: number): number => Array.from({ length: tries }, () => buckets.admits("192.0.2.1")).filter(Boolean).length;
    assert.equal(admitted(50), 20);
    clock.ms += 1000;
    assert.equal(admitted(50), 10);
    clock.ms += 60_000;
    assert.equal(admitted(50), 20);
  });

  it("count each IPv4 address and each /64 for itself", () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1, clock: createHand() });
    assert.deepEqual(
      ["192.0.2.1", "192.0.2.2", "192.0.2.1", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map((address) => buckets.admits(address)),
      [true, true, false, true, false, true],
    );
  });

  it("decide like a bucket that is never forgotten", () => {
    const steps = fc.array(fc.record({ waitMs: fc.oneof(fc.nat(40), fc.nat(3000)), client: fc.nat(5) }), { maxLength: 300 });
    fc.assert(
      fc.property(steps, (requests) => {
        const clock = createHand();
        const buckets = createTokenBuckets({ perSecond: 10, burst: 5, clock });
        const exact = new Map<number, { tokens: number; atMs: number }>();
        for (const { waitMs, client } of requests) {
          clock.ms += waitMs;
          const before = exact.get(client) ?? { tokens: 5, atMs: clock.ms };
          const tokens = Math.min(5, before.tokens + ((clock.ms - before.atMs) / 1000) * 10);
          assert.equal(buckets.admits(`192.0.2.${client}`), tokens >= 1);
          exact.set(client, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: clock.ms });
        }
      }),
    );
  });

  it("forgive, and do not store, a flood of addresses", () => {
    const clock = createHand();
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1, clock, capacity: 100 });
    assert.equal(buckets.admits("192.0.2.1"), true);
    for (let count = 0; count < 100; count += 1) buckets.admits(`10.0.0.${count}`);
    assert.equal(buckets.admits("192.0.2.1"), false, "one generation later it is still known");
    for (let count = 0; count < 1000; count += 1) buckets.admits(`10.1.${count >> 8}.${count & 255}`);
    assert.equal(buckets.admits("192.0.2.1"), true);
  });
});

describe("window limit", () => {
  it("has a bound for all clients together, of which a refused client takes nothing", () => {
    const clock = createHand();
    const limit = createWindowLimit({ count: 2, countInAll: 5, windowSeconds: 3, clock });
    for (let count = 0; count < 100; count += 1) limit.admits("192.0.2.1");
    const admitted = Array.from({ length: 20 }, (_, client) => limit.admits(`10.0.0.${client}`)).filter(Boolean).length;
    assert.equal(admitted, 3);
    clock.ms = 3000;
    assert.equal(limit.admits("10.0.0.19"), true);
  });

  it("never admits more than its count in any window, and admits whatever keeps to that", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 200 }), (waits) => {
        const clock = createHand();
        const limit = createWindowLimit({ count: 5, windowSeconds: 3, clock });
        const admitted: number[] = [];
        for (const wait of waits) {
          clock.ms += wait * 100;
          const recent = admitted.filter((atMs) => atMs > clock.ms - 3000).length;
          assert.equal(limit.admits("192.0.2.1"), recent < 5);
          if (recent < 5) admitted.push(clock.ms);
        }
      }),
    );
  });
});
