import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { makeSelfSigned } from "./own-certificate.ts";

const NAMES = ["localhost", "watch.example.org", "127.0.0.1"];
const openssl = (input: string, ...args: string[]): string => execFileSync("openssl", args, { input, encoding: "utf8", stdio: "pipe" });

test("the certificate is one, to Node", () => {
  const now = new Date("2026-03-01T12:00:00.500Z");
  const { certificate, key } = makeSelfSigned(NAMES, now);
  const read = new X509Certificate(certificate);
  assert.ok(read.verify(read.publicKey));
  assert.equal(read.issuer, read.subject);
  assert.ok(read.checkPrivateKey(createPrivateKey(key)));
  assert.equal(read.ca, false);
  assert.equal(read.checkHost("watch.example.org"), "watch.example.org");
  assert.equal(read.checkIP("127.0.0.1"), "127.0.0.1");
  assert.equal(read.checkHost("elsewhere.example.org"), undefined);
  assert.deepEqual([read.validFromDate, read.validToDate], [new Date("2026-02-28T12:00:00Z"), new Date("2036-02-27T12:00:00Z")]);
});

test("the certificate is one, to openssl, whatever the serial number and the year", () => {
  for (const year of ["2026", "2039", "2040", "2051"]) {
    for (let round = 0; round < 5; round += 1) {
      const { certificate, key } = makeSelfSigned(NAMES, new Date(`${year}-03-01T12:00:00Z`));
      const text = openssl(certificate, "x509", "-noout", "-text");
      assert.match(text, /Version: 3 \(0x2\)[\s\S]*ecdsa-with-SHA256[\s\S]*NIST CURVE: P-256/);
      assert.match(text, /DNS:localhost, DNS:watch\.example\.org, IP Address:127\.0\.0\.1/);
      assert.match(text, /Key Usage: critical\s+Digital Signature\s[\s\S]*TLS Web Server Authentication/);
      assert.doesNotMatch(text, /Serial Number:\s*\(Negative\)/);
      const [ours, theirs] = [openssl(certificate, "x509", "-noout", "-pubkey"), openssl(key, "pkey", "-pubout")];
      assert.equal(ours, theirs);
    }
  }
});

test("no two are alike", () => {
  const [one, other] = [makeSelfSigned(NAMES, new Date()), makeSelfSigned(NAMES, new Date())].map(
    (each) => new X509Certificate(each.certificate),
  );
  assert.notEqual(one?.serialNumber, other?.serialNumber);
  assert.notEqual(one?.fingerprint256, other?.fingerprint256);
});
