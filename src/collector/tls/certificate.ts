import type { X509Certificate } from "node:crypto";
import { cleanName } from "../../platform/text.ts";
import { bitsOf, expectTag, oidOf, readChildren, readDer, TAG } from "./der.ts";

const MAX_NAME = 500;
const MAX_SANS = 200;

/** A distinguished name on one line: `O=Example, CN=example.org`. */
export function nameLine(name: string | undefined): string {
  return cleanName((name ?? "").split("\n").filter(Boolean).join(", "), MAX_NAME);
}

/** The part of a name that people know it by: its common name, else its organisation, else all of it. */
export function shortName(name: string | undefined): string {
  const short = partOf(name, "CN") ?? partOf(name, "O") ?? partOf(name, "OU") ?? nameLine(name);
  return cleanName(short, 120) || "without a name";
}

/** A part of a distinguished name; undefined when it has none. */
export function partOf(name: string | undefined, part: string): string | undefined {
  const line = (name ?? "").split("\n").find((each) => each.startsWith(`${part}=`));
  return line === undefined ? undefined : cleanName(line.slice(part.length + 1).replace(/\\([^0-9A-F])/g, "$1"), MAX_NAME);
}

export function isSelfIssued(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer;
}

/** Signed with its own key. */
export function isSelfSigned(certificate: X509Certificate): boolean {
  return isSelfIssued(certificate) && isSignedBy(certificate, certificate);
}

/** Whether the signature of one fits the key of the other; false, too, for algorithms that are not known here. */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Host names and addresses that it is for, without their kinds. */
export function namesOf(certificate: X509Certificate): string[] {
  const text = certificate.subjectAltName ?? "";
  const names: string[] = [];
  // Names with commas and the like are written as JSON strings, so that none can pass for two.
  for (const [, kind, quoted, plain] of text.matchAll(/(DNS|IP Address|URI|email):(?:("(?:[^"\\]|\\.)*")|([^,]*))/g)) {
    const name = quoted === undefined ? (plain ?? "") : unquoted(quoted);
    if (kind === "DNS") names.push(cleanName(name));
    if (kind === "IP Address") names.push(shortAddress(name));
    if (names.length === MAX_SANS) break;
  }
  return names;
}

function unquoted(text: string): string {
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === "string" ? parsed : "";
}

/** IPv6 addresses come with all their zeros. */
function shortAddress(address: string): string {
  return address.includes(":") ? (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address) : address;
}

/** The public key in words, such as `RSA 2048` or `EC P-256`, and whether it is too short to be trusted. */
export function keyOf(certificate: X509Certificate): { type: string; isWeak: boolean } {
  try {
    const { asymmetricKeyType = "unknown", asymmetricKeyDetails: details } = certificate.publicKey;
    if (asymmetricKeyType === "ec") {
      const curve = details?.namedCurve ?? "unknown";
      const bits = Number(/\d{3}/.exec(curve)?.[0] ?? 256);
      return { type: `EC ${CURVES[curve] ?? curve}`, isWeak: bits < 224 };
    }
    const bits = details?.modulusLength;
    if (bits === undefined) return { type: asymmetricKeyType.replace(/^e/, "E"), isWeak: false };
    return { type: `${asymmetricKeyType.toUpperCase()} ${bits}`, isWeak: bits < 2048 };
  } catch {
    return { type: "unknown", isWeak: false };
  }
}

const CURVES: Record<string, string> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/** How it was signed, such as `ecdsa-with-SHA256`. */
export function signatureOf(certificate: X509Certificate): string {
  return certificate.signatureAlgorithm ?? "unknown";
}

/** Where its issuer says that the certificate of the issuer is found; null when it does not. Only ever shown, never fetched. */
export function issuerAddress(certificate: X509Certificate): string | null {
  const [, address] = /^CA Issuers - URI:(https?:\/\/[^\s"]{1,200})$/m.exec(certificate.infoAccess ?? "") ?? [];
  return address ?? null;
}

/** What DER shows of a certificate that node:crypto does not. */
export interface CertificateParts {
  issuerName: Buffer;
  /** The key itself, without its algorithm. */
  keyBits: Buffer;
  /** Of the basic constraints: how many authorities may stand between this one and a leaf; null for any number. */
  pathLength: number | null;
}

/** Source: RFC 5280, section 4.1. Throws when it is not well-formed. */
export function partsOf(certificate: X509Certificate): CertificateParts {
  const [tbs] = readChildren(readDer(certificate.raw));
  const fields = readChildren(expectTag(tbs, TAG.sequence));
  // The version is left out of certificates of version 1.
  const [, , issuer, , , key, ...rest] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const extensions = rest.find(({ tag }) => tag === 0xa3);
  return {
    issuerName: expectTag(issuer, TAG.sequence).raw,
    keyBits: bitsOf(readChildren(expectTag(key, TAG.sequence))[1]),
    pathLength: extensions === undefined ? null : pathLengthOf(extensions.value),
  };
}

function pathLengthOf(extensions: Buffer): number | null {
  for (const extension of readChildren(readDer(extensions))) {
    const parts = readChildren(extension);
    if (oidOf(parts[0]) !== "2.5.29.19") continue;
    const length = readChildren(readDer(expectTag(parts.at(-1), TAG.octetString).value)).find(({ tag }) => tag === TAG.integer);
    return length === undefined || length.value.length > 4 ? null : length.value.readIntBE(0, length.value.length);
  }
  return null;
}
