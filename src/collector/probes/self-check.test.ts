import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { PeerError } from "../peers/failure.ts";
import type { Resolver } from "../peers/resolver.ts";
import { createSelfCheck, type KnownPeer, type CutOffEvidence, isCutOff } from "./self-check.ts";

const UNREACHABLE = new PeerError("connect", "no route");
const REFUSED = new PeerError("connect", "refused", { isRefusal: true });
const NO_ANSWER = new PeerError("dns", "no answer");

/** Hosts by name, each at a different address, all of which succeeded lately. */
function setUp({
  hosts = ["a.test", "b.test", "c.test"],
  answers = {} as Record<string, PeerError | undefined>,
  connected = true,
  resolverWorks = true,
} = {}) {
  const clock = createFakeClock();
  const known: KnownPeer[] = hosts.map((host, index) => ({
    peer: { host, port: 443 },
    address: `203.0.113.${index + 1}`,
    succeededMs: index,
  }));
  const connections: string[] = [];
  let isConnected = connected;
  const selfCheck = createSelfCheck({
    clock,
    peers: () => known,
    readNetwork: () => ({ interfaceUp: isConnected, defaultRoute: isConnected, isNear: (address) => address.startsWith("10.") }),
    resolver: { resolve: (host) => (resolverWorks ? Promise.resolve([host]) : Promise.reject(NO_ANSWER)) } satisfies Resolver,
    guard: () => undefined,
    connect([address = ""]) {
      connections.push(address);
      const error = answers[address] ?? (isConnected ? undefined : UNREACHABLE);
      // Only its destroy is used.
      return error === undefined ? Promise.resolve({ destroy() {} } as unknown as Socket) : Promise.reject(error);
    },
  });
  const of = (host: string): KnownPeer =>
    known.find(({ peer }) => peer.host === host) ?? { peer: { host, port: 1 }, address: null, succeededMs: null };
  return { clock, selfCheck, known, connections, of, connect: (now: boolean) => void (isConnected = now) };
}

describe("the self-check", () => {
  it("excuses what fails while the host has no network", async () => {
    const { selfCheck, of } = setUp({ connected: false, resolverWorks: false });
    for (const failureClass of ["connect", "timeout", "dns"] as const)
      assert.equal(await selfCheck.excuses(of("a.test"), failureClass), true);
  });

  it("excuses for as long as the host has no network, and nothing that was wrong before", async () => {
    const { selfCheck, known, clock, of } = setUp({ connected: false, resolverWorks: false });
    known.push({ peer: { host: "gone.test", port: 443 }, address: "203.0.113.9", succeededMs: -16 * 60_000 });
    for (let minutes = 0; minutes < 120; minutes += 5) {
      assert.equal(await selfCheck.excuses(of("a.test"), "connect"), true, `after ${minutes} minutes`);
      assert.equal(await selfCheck.excuses(of("gone.test"), "connect"), false);
      await clock.advance(5 * 60_000);
    }
    await clock.advance(16 * 60_000);
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false, "nothing was asked for so long that it may have come back");
  });

  it("blames what failed while the network was back, also when it is away again", async () => {
    const { selfCheck, known, clock, of, connect } = setUp({ connected: false });
    for (const each of known) each.succeededMs = -10 * 60_000;
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), true);
    await clock.advance(8 * 60_000);
    connect(true);
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false);
    for (const each of known.slice(1)) each.succeededMs = clock.monotonicMs();
    await clock.advance(60_000);
    connect(false);
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false);
    assert.equal(await selfCheck.excuses(of("b.test"), "connect"), true);
  });

  it("does not excuse what fails while others answer, if only by refusing", async () => {
    const { selfCheck, of } = setUp({ connected: false, answers: { "203.0.113.3": REFUSED } });
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false);
    assert.equal(await setUp().selfCheck.excuses(of("a.test"), "timeout"), false);
  });

  it("excuses names while the resolver is silent, and nothing else", async () => {
    const { selfCheck, of } = setUp({ resolverWorks: false });
    assert.equal(await selfCheck.excuses(of("a.test"), "dns"), true);
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false);
  });

  it("never excuses the only one, one that is near, one that never answered, or a wrong answer, and asks nobody then", async () => {
    const alone = setUp({ hosts: ["a.test"], connected: false });
    assert.equal(await alone.selfCheck.excuses(alone.of("a.test"), "connect"), false);
    const { selfCheck, known, connections, of } = setUp({ connected: false });
    known.push({ peer: { host: "db", port: 5432 }, address: "10.0.0.5", succeededMs: 0 });
    for (const [host, failureClass] of [
      ["db", "connect"],
      ["new.test", "connect"],
      ["a.test", "http"],
    ] as const) {
      assert.equal(await selfCheck.excuses(of(host), failureClass), false);
    }
    assert.deepEqual(connections, []);
  });

  it("asks a few others, those that answered last, once for all failures of a moment", async () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `host${index}.test`);
    const { clock, selfCheck, connections, of } = setUp({ hosts, connected: false });
    await Promise.all(hosts.map((host) => selfCheck.excuses(of(host), "connect")));
    assert.deepEqual(connections, ["203.0.113.100", "203.0.113.99", "203.0.113.98", "203.0.113.97"]);
    await clock.advance(4000);
    await selfCheck.excuses(of("host1.test"), "connect");
    assert.equal(connections.length, 8);
  });

  it("does not count on those that answered long ago", async () => {
    const { clock, selfCheck, of } = setUp({ connected: false });
    await clock.advance(60 * 60_000);
    assert.equal(await selfCheck.excuses(of("a.test"), "connect"), false);
  });
});

/** The cable is out: nothing answers, and there is no interface. */
const cableOut: CutOffEvidence = {
  failureClass: "connect",
  answeredLately: true,
  isNear: false,
  interfaceUp: false,
  defaultRoute: false,
  others: { tried: 3, reached: 0 },
  names: { tried: 3, answered: 0 },
};
const allWell = { interfaceUp: true, defaultRoute: true, others: { tried: 3, reached: 3 }, names: { tried: 3, answered: 3 } };
const resolverDown = { ...allWell, names: { tried: 2, answered: 0 } };
const noOthers = { others: { tried: 0, reached: 0 }, names: { tried: 0, answered: 0 } };

describe("the self-check", () => {
  const rows: [string, Partial<CutOffEvidence>, boolean][] = [
    ["the cable is out", {}, true],
    ["the cable is out, and it shows as timeouts", { failureClass: "timeout" }, true],
    ["the cable is out, and it shows as names not found", { failureClass: "dns" }, true],
    ["there is no default route", { interfaceUp: true }, true],
    ["there is no interface, and routes cannot be read", { defaultRoute: null }, true],
    ["the resolver is down, and the endpoint has a name", { ...resolverDown, failureClass: "dns" }, true],
    ["the resolver is down, and the endpoint was connected to in vain", resolverDown, false],
    ["the network beyond the interface is dead, so that the resolver is too", { interfaceUp: true, defaultRoute: true }, true],
    [
      "the network is dead, but only addresses are known",
      { interfaceUp: true, defaultRoute: true, names: { tried: 0, answered: 0 } },
      false,
    ],
    ["one endpoint is broken and all others are well", allWell, false],
    ["one name is broken and all others are found", { ...allWell, failureClass: "dns" }, false],
    ["one other host answers", { others: { tried: 3, reached: 1 } }, false],
    ["one other name is answered, and there is no route", { names: { tried: 3, answered: 1 } }, true],
    ["there is no route by default, but others answer", { ...allWell, defaultRoute: false }, false],
    ["it is the only endpoint", noOthers, false],
    ["it is the only name, and is not found", { ...noOthers, failureClass: "dns" }, false],
    ["it is near", { isNear: true }, false],
    ["it never answered", { answeredLately: false }, false],
    ["it answered wrongly", { failureClass: "http" }, false],
    ["its certificate is refused", { failureClass: "tls" }, false],
    ["its body is wrong", { failureClass: "assertion" }, false],
    ["it succeeded", { failureClass: null }, false],
  ];
  for (const [when, evidence, excused] of rows) {
    it(`${excused ? "excuses" : "does not excuse"} a failure when ${when}`, () =>
      assert.equal(isCutOff({ ...cableOut, ...evidence }), excused));
  }
});
