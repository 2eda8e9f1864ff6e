import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { issuerAddress, keyOf, nameLine, namesOf, partsOf, signatureOf } from "../../../src/collector/tls/certificate.ts";
import { bitsOf, type Der, oidOf, readChildren, readDer, timeOf } from "../../../src/collector/tls/der.ts";
import { readStaple } from "../../../src/collector/tls/ocsp.ts";
import type { Target } from "../target.ts";

const CONSTRUCTED = 0x20;
const DEEPEST = 40;

const der: Target = {
  name: "der",
  reads: "elements of DER, and certificates where the input is one",
  maxBytes: 4096,
  maxMs: 100,
  isRefusal: (error) => isMalformed(error) || (error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE"),
  run(input) {
    const certificate = certificateOf(input);
    if (certificate !== undefined) {
      for (const text of [...namesOf(certificate), nameLine(certificate.subject), keyOf(certificate).type, signatureOf(certificate)])
        assert.equal(typeof text, "string");
      issuerAddress(certificate);
      partsOf(certificate);
    }
    visit(readDer(input), 0);
  },
};

function certificateOf(input: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(input);
  } catch {
    return undefined;
  }
}

function visit(element: Der, depth: number): void {
  assert.ok(element.raw.length >= element.value.length + 2);
  for (const read of [oidOf, timeOf, bitsOf]) tried(() => read(element));
  const children = (element.tag & CONSTRUCTED) === 0 ? [] : (tried(() => readChildren(element)) ?? []);
  if (children.length > 0) assert.ok(Buffer.concat(children.map(({ raw }) => raw)).equals(element.value));
  if (depth < DEEPEST) for (const child of children) visit(child, depth + 1);
}

function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

function isMalformed(error: unknown): boolean {
  return error instanceof Error && error.message === "not well-formed DER";
}

/** The certificate of which the first kept staple says that it was revoked, and its issuer. */
const [leaf, issuer] = readFileSync(join(import.meta.dirname, "ocsp.pem"), "utf8")
  .split(/(?=-----BEGIN)/)
  .map((pem) => new X509Certificate(pem));
/** Within the validity of that staple. */
const NOW = new Date("2026-11-26T00:00:00Z");

const ocsp: Target = {
  name: "ocsp",
  reads: "a stapled answer about a certificate that was revoked: none may say that it is good",
  maxBytes: 4096,
  maxMs: 100,
  run(response) {
    if (leaf === undefined || issuer === undefined) throw new Error("ocsp.pem has two certificates");
    assert.notEqual(readStaple({ response, leaf, issuer, now: NOW }).status, "good");
  },
};

export const CERTIFICATE_TARGETS: readonly Target[] = [der, ocsp];
