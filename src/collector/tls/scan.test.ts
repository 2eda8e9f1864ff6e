import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createServer } from "node:tls";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { createAuthority } from "../../../test/support/tls-authority.ts";
import { type Animal, ANIMALS, startTlsZoo, type TlsZoo } from "../../../test/support/tls-zoo.ts";
import { systemClock } from "../../platform/clock.ts";
import { createScanner, type ScanCertificate } from "./scan.ts";
import { createTrust } from "./trust.ts";

const signal = new AbortController().signal;

/** What must be reported of each animal; null where nothing is wrong. */
const SENTENCES: Record<Animal, RegExp | null> = {
  good: null,
  stapled: null,
  expiring: null,
  expired: /^The certificate "expired" expired on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
  notYetValid: /^The certificate "notYetValid" is not valid before \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
  wrongHost: /^The certificate "wrongHost" is for elsewhere\.test, \*\.elsewhere\.test, not for localhost\.$/,
  missingIntermediate:
    /^The certificate "missingIntermediate" was issued by "Zoo Intermediate", which is neither sent nor trusted here\. The intermediate certificate is missing: .* found at http:\/\/ca\.zoo\.test\/intermediate\.der\.$/,
  wrongOrder:
    /^The certificates are sent in the wrong order: "Zoo Intermediate" is at place 3 and belongs at place 2, after "wrongOrder"\.$/,
  selfSigned: /^The certificate "localhost" is self-signed: no trusted authority vouches for it\.$/,
  unknownRoot:
    /^The intermediate certificate "Strange Intermediate" was issued by "Strange Root", which is neither sent nor trusted here\./,
  expiredIntermediate: /^The intermediate certificate "Old Intermediate" expired on .* UTC\.$/,
  expiredRoot: /^The root certificate "Old Root" expired on .* UTC\. It is sent without need/,
  notCa: /^The certificate "Zoo Server" is not an authority's, so it may not sign others\.$/,
  impostor: /^The signature of the certificate "impostor" was not made with the key of "Zoo Intermediate", which is sent as its issuer\.$/,
  pathTooLong: /^The intermediate certificate "Short Intermediate" allows 0 authorities below it, and there is 1\.$/,
  sha1: /^The certificate "sha1" is signed with SHA-1, which can be forged\.$/,
  clientOnly: /^The certificate "clientOnly" is not meant for servers\.$/,
  forbiddenName: /^The certificate "forbiddenName" is refused by clients: its chain breaks a rule of its authorities, such as/,
  weakKey: /^The certificate "weakKey" has a weak key \(RSA 1024\)\.$/,
  revoked: /^The certificate "revoked" was revoked on .* UTC\.$/,
  forgedStaple: null,
  ipSan: null,
  wildcard: null,
  idn: null,
};

describe("the TLS zoo", () => {
  let zoo: TlsZoo;
  let scan: ScanCertificate;
  before(async () => {
    zoo = await startTlsZoo();
    scan = createScanner({ trust: createTrust({ extraRootsPem: zoo.rootPem }), clock: systemClock });
  });
  after(() => zoo.stop());

  for (const animal of ANIMALS) {
    it(`names what is wrong with ${animal}`, async () => {
      const result = await scan(zoo.target(animal), signal);
      const sentence = SENTENCES[animal];
      assert.equal(result.error, null);
      if (sentence === null) assert.equal(result.chainError, null);
      else assert.match(result.chainError ?? "", sentence);
      assert.equal(result.hostnameMatch, animal !== "wrongHost");
      assert.equal(result.chainValid, sentence === null || animal === "wrongHost");
      assert.equal(result.ocsp, { stapled: "good", revoked: "revoked", forgedStaple: "unknown" }[animal as string] ?? null);
    });
  }

  it("reports the facts of the leaf", async () => {
    const { leaf } = await scan(zoo.target("good"), signal);
    assert.ok(leaf !== null);
    const { serialNumber, fingerprintSha256, notBefore, expiresAt, ...facts } = leaf;
    assert.deepEqual(facts, {
      subject: "CN=good, O=Binnacle Zoo",
      issuer: "CN=Zoo Intermediate, O=Binnacle Zoo",
      issuerOrg: "Binnacle Zoo",
      sans: ["localhost", "127.0.0.1", "::1"],
      keyType: "EC P-256",
      signatureAlgorithm: "ecdsa-with-SHA256",
    });
    assert.match(serialNumber, /^[0-9A-F]{30,40}$/);
    assert.match(fingerprintSha256, /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.ok(Math.abs(expiresAt.getTime() - notBefore.getTime() - 92 * 86_400_000) < 2000);
  });

  it("judges again what was sent when it has changed, and hourly", async () => {
    const clock = createFakeClock(new Date());
    const look = createScanner({ trust: createTrust({ extraRootsPem: zoo.rootPem }), clock });
    const first = await look(zoo.target("good"), signal);
    assert.equal(await look(zoo.target("good"), signal), first);
    assert.notEqual(await look(zoo.target("expired"), signal), first);
    clock.jump(new Date(clock.now().getTime() + 3_600_000));
    assert.notEqual(await look(zoo.target("good"), signal), first);
  });

  it("judges again from the moment a certificate is valid, and just after its last", async () => {
    const clock = createFakeClock(new Date());
    const look = createScanner({ trust: createTrust({ extraRootsPem: zoo.rootPem }), clock });
    const faultAt = async (animal: Animal, time: number): Promise<string | null> => {
      clock.jump(new Date(time));
      return (await look(zoo.target(animal), signal)).chainError;
    };
    const { leaf: early } = await look(zoo.target("notYetValid"), signal);
    const { leaf: late } = await look(zoo.target("expired"), signal);
    assert.ok(early !== null && late !== null);
    const [begins, ends] = [early.notBefore.getTime(), late.expiresAt.getTime()];
    assert.match((await faultAt("notYetValid", begins - 1)) ?? "", /is not valid before/);
    assert.equal(await faultAt("notYetValid", begins), null);
    for (const time of [ends - 1, ends]) {
      assert.equal(await faultAt("expired", time), null);
      assert.match((await faultAt("expired", ends + 1)) ?? "", /expired on/);
    }
  });

  const chains: [Animal, string[]][] = [
    ["good", ["good", "Zoo Intermediate", "Zoo Root"]],
    ["missingIntermediate", ["missingIntermediate"]],
    ["wrongOrder", ["wrongOrder", "Zoo Root", "Zoo Intermediate"]],
    ["selfSigned", ["localhost"]],
    ["expiredRoot", ["expiredRoot", "Zoo Intermediate", "Zoo Root", "Old Root", "Zoo Root"]],
  ];
  for (const [animal, names] of chains) {
    it(`shows the chain of ${animal} as sent, completed by the root`, async () => {
      const { chain } = await scan(zoo.target(animal), signal);
      assert.deepEqual(
        chain.map(({ subject }) => subject.replace(/CN=|, O=.*/g, "")),
        names,
      );
    });
  }

  it("marks the links that are wrong", async () => {
    const { chain } = await scan(zoo.target("expiredIntermediate"), signal);
    assert.deepEqual(
      chain.map(({ error }) => error?.replace(/ on .*/, "") ?? null),
      [null, 'The intermediate certificate "Old Intermediate" expired', null],
    );
  });

  it("reports all that is wrong at once", async () => {
    const later = createFakeClock(new Date(Date.now() + 200 * 86_400_000));
    const scanLater = createScanner({ trust: createTrust({ extraRootsPem: zoo.rootPem }), clock: later });
    const { chainError } = await scanLater({ ...zoo.target("sha1"), serverName: "other.test" }, signal);
    assert.match(chainError ?? "", /expired on .* is signed with SHA-1.* not for other\.test\.$/);
  });

  it("does not believe a staple that is out of date", async () => {
    const later = createFakeClock(new Date(Date.now() + 30 * 86_400_000));
    const scanLater = createScanner({ trust: createTrust({ extraRootsPem: zoo.rootPem }), clock: later });
    const { ocsp, chainValid } = await scanLater(zoo.target("revoked"), signal);
    assert.deepEqual({ ocsp, chainValid }, { ocsp: "unknown", chainValid: true });
  });

  it("trusts a self-signed certificate that it was given", async () => {
    const { chain } = await scan(zoo.target("selfSigned"), signal);
    assert.equal(chain.length, 1);
    const pem = await leafPem(zoo.port("selfSigned"));
    const trusting = createScanner({ trust: createTrust({ extraRootsPem: pem }), clock: systemClock });
    assert.equal((await trusting(zoo.target("selfSigned"), signal)).chainError, null);
  });

  it("sees what speaks HTTP/2 alone, as servers of gRPC do", async () => {
    const period = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
    const { cert, key } = await createAuthority(temporaryFolder()).issue({ ...period, name: "h2", extensions: [] });
    const server = createServer({ cert, key, ALPNProtocols: ["h2"] }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      assert.equal((await scan({ ...zoo.target("good"), port }, signal)).error, null);
    } finally {
      server.close();
    }
  });

  it("sees a renewal", async () => {
    const expired = await scan(zoo.target("expired"), signal);
    await zoo.renew("expired", { days: 42 });
    const renewed = await scan(zoo.target("expired"), signal);
    assert.equal(renewed.chainError, null);
    assert.notEqual(renewed.leaf?.fingerprintSha256, expired.leaf?.fingerprintSha256);
    assert.ok(Math.abs((renewed.leaf?.expiresAt.getTime() ?? 0) - Date.now() - 42 * 86_400_000) < 60_000);
  });
});

async function leafPem(port: number): Promise<string> {
  const { connect } = await import("node:tls");
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? "");
      socket.destroy();
    });
  });
}
