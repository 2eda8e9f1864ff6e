import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DAY_MS } from "../../contract/time.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Authority, createAuthority, type Identity } from "../../../test/support/tls-authority.ts";
import { joined, judgeChain } from "./chain.ts";
import { readStaple } from "./ocsp.ts";
import { createTrust, type Trust } from "./trust.ts";

const now = new Date();
const CA = ["basicConstraints = critical,CA:true"];
const day = (days: number): Date => new Date(now.getTime() + days * DAY_MS);

describe("a chain of certificates", () => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-chain-"));
  let authority: Authority;
  let root: Identity;
  let intermediate: Identity;
  let leaf: Identity;
  let trust: Trust;

  before(async () => {
    authority = createAuthority(folder);
    root = await authority.issue({ name: "Root", from: day(-10), until: day(100), extensions: CA });
    intermediate = await authority.issue({ name: "Intermediate", issuer: root, from: day(-10), until: day(100), extensions: CA });
    leaf = await authority.issue({
      name: "leaf",
      issuer: intermediate,
      from: day(-1),
      until: day(10),
      extensions: ["subjectAltName = DNS:leaf.test, DNS:*.leaf.test, IP:10.0.0.1, IP:fd00::1"],
    });
    trust = createTrust({ extraRootsPem: root.cert, systemRoots: () => [] });
  });
  after(() => rmSync(folder, { recursive: true }));

  const certificatesOf = (...identities: Identity[]): X509Certificate[] => identities.map(({ cert }) => new X509Certificate(cert));
  const judge = (sent: Identity[], { serverName = "leaf.test", at = now, anchors = trust } = {}) =>
    judgeChain({ sent: certificatesOf(...sent), anchors, now: at, serverName });

  const hosts: [string, boolean][] = [
    ["leaf.test", true],
    ["LEAF.test", true],
    ["leaf.test.", true],
    ["a.leaf.test", true],
    ["a.b.leaf.test", false],
    ["test", false],
    ["10.0.0.1", true],
    ["10.0.0.2", false],
    ["fd00::1", true],
    ["fd00:0:0:0:0:0:0:1", true],
    ["leaf", false],
  ];
  for (const [serverName, isFor] of hosts) {
    it(`is ${isFor ? "" : "not "}for ${serverName}`, () =>
      assert.equal(judge([leaf, intermediate], { serverName }).hostFault === null, isFor));
  }

  it("does not take the subject for a host name", async () => {
    const nameless = await authority.issue({
      name: "leaf.test",
      issuer: root,
      from: day(-1),
      until: day(1),
      extensions: ["basicConstraints = CA:false"],
    });
    assert.equal(judge([nameless]).hostFault?.sentence, 'The certificate "leaf.test" names no hosts, so it is not for leaf.test.');
  });

  it("may hold certificates twice, and the root", () => {
    assert.deepEqual(judge([leaf, leaf, intermediate, intermediate, root]).faults, []);
  });

  it("is good when an intermediate is trusted by itself", () => {
    const anchors = createTrust({ extraRootsPem: intermediate.cert, systemRoots: () => [] });
    assert.deepEqual(judge([leaf], { anchors }).faults, []);
  });

  it("reports a trusted root that has expired", () => {
    const { faults } = judge([leaf, intermediate], { at: day(200) });
    assert.match(
      joined(faults) ?? "",
      /certificate "leaf" expired on .* "Intermediate" expired on .* The root certificate "Root" expired on/,
    );
  });

  it("prefers the way without faults among several", async () => {
    const older = await authority.issue({
      name: "Intermediate",
      keyOf: intermediate,
      issuer: root,
      from: day(-10),
      until: day(-5),
      extensions: CA,
    });
    const { faults } = judge([leaf, intermediate, older]);
    assert.match(joined(faults) ?? "", /^The intermediate certificate "Intermediate" expired on .* It is sent without need/);
    assert.equal(faults.length, 1);
  });

  it("is judged in bounded time, however many namesakes are sent", async () => {
    // Two keys of one name, whose certificates sign each other in every combination.
    const keys = [await authority.issue({ name: "Crowd", from: day(-1), until: day(1), extensions: CA })];
    keys.push(await authority.issue({ name: "Crowd", from: day(-1), until: day(1), extensions: CA }));
    const [one, other] = keys;
    assert.ok(one !== undefined && other !== undefined);
    const namesakes: Identity[] = [];
    for (let index = 0; index < 6; index += 1) {
      namesakes.push(
        await authority.issue({ name: "Crowd", issuer: other, keyOf: one, from: day(-1), until: day(1 + index), extensions: CA }),
        await authority.issue({ name: "Crowd", issuer: one, keyOf: other, from: day(-1), until: day(1 + index), extensions: CA }),
      );
    }
    const sheep = await authority.issue({
      name: "sheep",
      issuer: one,
      from: day(-1),
      until: day(1),
      extensions: ["subjectAltName = DNS:leaf.test"],
    });
    const startedMs = performance.now();
    const { faults } = judge([sheep, ...namesakes]);
    assert.ok(faults.length > 0);
    assert.ok(performance.now() - startedMs < 5000);
  });

  it("says of a staple that is no response only that nothing is known", async () => {
    const [own, issuer] = certificatesOf(leaf, intermediate);
    assert.ok(own !== undefined && issuer !== undefined);
    const response = await authority.staple({ cert: leaf, issuer: intermediate, responder: intermediate, revoked: true });
    assert.equal(readStaple({ response, leaf: own, issuer, now }).status, "revoked");
    assert.equal(readStaple({ response, leaf: issuer, issuer: own, now }).status, "unknown");
    const [sibling] = certificatesOf(
      await authority.issue({ name: "leaf", issuer: intermediate, from: day(-1), until: day(1), extensions: [] }),
    );
    assert.ok(sibling !== undefined);
    assert.equal(readStaple({ response, leaf: sibling, issuer, now }).status, "unknown");
    fc.assert(
      fc.property(fc.nat(response.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(response);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const { status } = readStaple({ response: damaged, leaf: own, issuer, now });
        // What lies outside of what is signed may change without harm.
        assert.ok(status === "unknown" || status === "revoked");
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (anything) => {
        assert.equal(readStaple({ response: Buffer.from(anything), leaf: own, issuer, now }).status, "unknown");
      }),
    );
  });

  it("is held against what was given as trusted", () => {
    assert.throws(() => createTrust({ extraRootsPem: "not a certificate" }), /no certificate in PEM form/);
    assert.throws(() => createTrust({ extraRootsPem: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }));
    assert.equal(
      createTrust({ extraRootsPem: `# ours\n${root.cert}\n${intermediate.cert}`, systemRoots: () => [] }).includes(
        new X509Certificate(intermediate.cert),
      ),
      true,
    );
  });
});
