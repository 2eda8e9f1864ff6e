import { createHash, type KeyObject, verify, X509Certificate } from "node:crypto";
import { isSignedBy, partsOf } from "./certificate.ts";
import { bitsOf, type Der, expectTag, oidOf, readChildren, readDer, TAG, timeOf } from "./der.ts";

/** What a responder says of a certificate. */
export type OcspStatus = { status: "good" | "unknown" } | { status: "revoked"; at: Date };

export interface StapleQuestion {
  /** The bytes of the OCSPResponse. */
  response: Buffer;
  leaf: X509Certificate;
  issuer: X509Certificate;
  now: Date;
}

const UNKNOWN = { status: "unknown" } as const;
const BASIC_RESPONSE = "1.3.6.1.5.5.7.48.1.1";
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const CLOCK_SKEW_MS = 5 * 60_000;
/** A response that names no next update is believed for so long. */
const LONGEST_MS = 10 * 86_400_000;

const HASHES: Record<string, string> = { "1.3.14.3.2.26": "sha1", "2.16.840.1.101.3.4.2.1": "sha256" };
/** Signatures that are believed, and their hash; null where the algorithm has its own. */
const SIGNATURES: Record<string, string | null> = {
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
  "1.3.101.112": null,
};

/**
 * Reads a stapled response. What is not signed by the issuer or by a responder that it appointed, is for another certificate, or is out of
 * date, says nothing: unknown. Source: RFC 6960, section 4.2.
 */
export function readStaple(question: StapleQuestion): OcspStatus {
  try {
    return read(question);
  } catch {
    return UNKNOWN;
  }
}

function read({ response, leaf, issuer, now }: StapleQuestion): OcspStatus {
  const [status, bytes] = readChildren(readDer(response));
  if (expectTag(status, TAG.enumerated).value[0] !== 0) return UNKNOWN;
  const [type, octets] = readChildren(readDer(expectTag(bytes, 0xa0).value));
  if (oidOf(type) !== BASIC_RESPONSE) return UNKNOWN;
  const [data, algorithm, signature, certificates] = readChildren(readDer(expectTag(octets, TAG.octetString).value));
  if (data === undefined || algorithm === undefined) return UNKNOWN;
  const signed = { bytes: data.raw, algorithm: oidOf(readChildren(algorithm)[0]), signature: bitsOf(signature) };
  if (!signersOf(certificates, issuer, now).some((key) => isSigned(signed, key))) return UNKNOWN;
  const answers = readChildren(data).find(({ tag }) => tag === TAG.sequence);
  const answer = (answers === undefined ? [] : readChildren(answers)).map(readChildren).find(([id]) => isAbout(id, leaf, issuer));
  return answer === undefined ? UNKNOWN : statusOf(answer, now);
}

/** The issuer's own key, and those of responders that it appointed. */
function signersOf(certificates: Der | undefined, issuer: X509Certificate, now: Date): KeyObject[] {
  const sent = certificates === undefined ? [] : readChildren(readDer(expectTag(certificates, 0xa0).value)).slice(0, 5);
  const responders = sent
    .map(({ raw }) => new X509Certificate(raw))
    .filter((each) => each.keyUsage?.includes(OCSP_SIGNING) === true && each.validFromDate <= now && now <= each.validToDate)
    .filter((each) => each.issuer === issuer.subject && isSignedBy(each, issuer));
  return [issuer, ...responders].map(({ publicKey }) => publicKey);
}

function isSigned({ bytes, algorithm, signature }: { bytes: Buffer; algorithm: string; signature: Buffer }, key: KeyObject): boolean {
  const hash = SIGNATURES[algorithm];
  if (hash === undefined) return false;
  try {
    return verify(hash, bytes, key, signature);
  } catch {
    // A signature of one algorithm and a key of another.
    return false;
  }
}

function isAbout(id: Der | undefined, leaf: X509Certificate, issuer: X509Certificate): boolean {
  const [algorithm, nameHash, keyHash, serial] = readChildren(expectTag(id, TAG.sequence));
  const hash = HASHES[oidOf(readChildren(expectTag(algorithm, TAG.sequence))[0])];
  if (hash === undefined) return false;
  const digest = (bytes: Buffer): Buffer => createHash(hash).update(bytes).digest();
  return (
    significant(expectTag(serial, TAG.integer).value.toString("hex")) === significant(leaf.serialNumber.toLowerCase()) &&
    digest(partsOf(leaf).issuerName).equals(expectTag(nameHash, TAG.octetString).value) &&
    digest(partsOf(issuer).keyBits).equals(expectTag(keyHash, TAG.octetString).value)
  );
}

function statusOf([, status, thisUpdate, next]: Der[], now: Date): OcspStatus {
  const since = timeOf(thisUpdate).getTime();
  const until = next?.tag === 0xa0 ? timeOf(readDer(next.value)).getTime() : since + LONGEST_MS;
  if (now.getTime() < since - CLOCK_SKEW_MS || now.getTime() > until + CLOCK_SKEW_MS) return UNKNOWN;
  if (status?.tag === 0x80) return { status: "good" };
  return status?.tag === 0xa1 ? { status: "revoked", at: timeOf(readDer(status.value)) } : UNKNOWN;
}

/** A number in hexadecimal without the zeros before it, which only keep it positive. */
function significant(digits: string): string {
  return digits.replace(/^0+/, "");
}
