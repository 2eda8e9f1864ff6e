import { createPrivateKey, X509Certificate, createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { chmodSync, statSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import { DAY_MS } from "../contract/time.ts";
import { messageOf, StartError } from "../platform/errors.ts";
import { writeWholeFile, makeFolder, readBoundedFile } from "../platform/files.ts";

/** The certificate that the server made itself, with the fingerprint by which agents recognise it. */
export interface OwnCertificate extends SelfSigned {
  /** `sha256:` and 64 hexadecimal digits. */
  fingerprint: string;
  /** It was made just now: agents that know an earlier one refuse it. */
  isNew: boolean;
}

const LARGEST_FILE = 16_384;

/**
 * The server's own certificate, made at the first start and kept in `grpc-certificate.pem` in the data folder. Changed names do not replace it:
 * agents know it by its fingerprint. Throws a StartError for a file that cannot be used; it is never overwritten.
 */
export function openOwnCertificate({ dataDir, names, now }: { dataDir: string; names: readonly string[]; now: Date }): OwnCertificate {
  const path = join(dataDir, "grpc-certificate.pem");
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      const made = makeSelfSigned(names, now);
      makeFolder(dataDir);
      writeWholeFile(path, made.certificate + made.key);
      return { ...made, fingerprint: fingerprintOf(made.certificate), isNew: true };
    }
    // A restored copy may have another mode.
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
    return parse(readBoundedFile(path, LARGEST_FILE));
  } catch (error) {
    throw new StartError(
      `The server's own certificate, ${path}, cannot be used: ${messageOf(error)}. Put back a copy of it, or remove it: the server then makes another, and agents need its fingerprint.`,
      { cause: error },
    );
  }
}

/** Of a certificate in DER, or the first in a PEM text: `sha256:` and 64 hexadecimal digits. */
export function fingerprintOf(certificate: string | Buffer): string {
  return `sha256:${new X509Certificate(certificate).fingerprint256.replaceAll(":", "").toLowerCase()}`;
}

/** Errors say what is wrong, but never contain the text: it has a private key. */
function parse(text: string): OwnCertificate {
  const end = "-----END CERTIFICATE-----\n";
  const [certificate = "", key = ""] = text.split(new RegExp(`(?<=${end})`));
  let isPair = false;
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    // Reported below, without OpenSSL's message about the text.
  }
  if (!isPair) throw new Error("it is not a certificate in PEM, and its private key after it");
  return { certificate, key, fingerprint: fingerprintOf(certificate), isNew: false };
}

/**
 * Makes the certificate of a listener that was given none. Node can read certificates but not make them, so the few elements of DER that it needs are
 * written here. Source: RFC 5280, section 4; RFC 5480; RFC 5758.
 */

export interface SelfSigned {
  /** PEM. */
  certificate: string;
  /** PEM, PKCS #8. */
  key: string;
}

const VALID_DAYS = 3650;

const OID = {
  commonName: "550403",
  ecdsaWithSha256: "2a8648ce3d040302",
  subjectKeyIdentifier: "551d0e",
  keyUsage: "551d0f",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
} as const;

/** A new P-256 key and its certificate, valid from a day ago for ten years, for DNS names and IPv4 addresses. */
export function makeSelfSigned(names: readonly string[], now: Date): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ format: "der", type: "spki" });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const name = sequence(set(sequence(oid(OID.commonName), utf8("Binnacle listener (self-signed)"))));
  const validity = sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + VALID_DAYS * DAY_MS)));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    name,
    validity,
    name,
    spki,
    explicit(3, sequence(...extensions(names, spki))),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, algorithm, bits(signature, 0));
  return { certificate: pem("CERTIFICATE", certificate), key: privateKey.export({ format: "pem", type: "pkcs8" }).toString() };
}

function extensions(names: readonly string[], spki: Buffer): Buffer[] {
  const alternatives = names.map((name) =>
    isIPv4(name) ? element(0x87, Buffer.from(name.split(".").map(Number))) : element(0x82, Buffer.from(name, "ascii")),
  );
  const digitalSignature = bits(Buffer.from([0x80]), 7);
  return [
    extension(OID.basicConstraints, sequence(), { critical: true }),
    extension(OID.keyUsage, digitalSignature, { critical: true }),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectAltName, sequence(...alternatives)),
    extension(OID.subjectKeyIdentifier, element(0x04, createHash("sha1").update(spki).digest())),
  ];
}

function extension(id: string, value: Buffer, { critical } = { critical: false }): Buffer {
  return sequence(oid(id), ...(critical ? [element(0x01, Buffer.from([0xff]))] : []), element(0x04, value));
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]): Buffer => element(0x31, Buffer.concat(parts));
const explicit = (number: number, content: Buffer): Buffer => element(0xa0 | number, content);
const oid = (encoded: string): Buffer => element(0x06, Buffer.from(encoded, "hex"));
const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text));
const bits = (content: Buffer, unused: number): Buffer => element(0x03, Buffer.concat([Buffer.from([unused]), content]));

/** A positive integer in the fewest bytes. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  return element(0x02, (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.from([0]), digits]));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on. */
function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
