import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/folder.ts";
import { writeWholeFile } from "../../platform/whole-file.ts";
import { makeSelfSigned, type SelfSigned } from "./self-signed.ts";

/** The certificate that the server made for itself, and by what agents know it. */
export interface OwnCertificate extends SelfSigned {
  /** `sha256:` and 64 hexadecimal digits. */
  fingerprint: string;
  /** It was made just now: who knew an earlier one refuses it. */
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

/** Throws with what is wrong, never with the text itself: it holds a key. */
function parse(text: string): OwnCertificate {
  const end = "-----END CERTIFICATE-----\n";
  const [certificate = "", key = ""] = text.split(new RegExp(`(?<=${end})`));
  let isPair = false;
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    // Said below, without what OpenSSL says of the text.
  }
  if (!isPair) throw new Error("it is not a certificate in PEM, and its private key after it");
  return { certificate, key, fingerprint: fingerprintOf(certificate), isNew: false };
}
