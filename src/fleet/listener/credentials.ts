import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SecureContextOptions } from "node:tls";
import { ServerCredentials } from "@grpc/grpc-js";
import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";

/** How the listener proves its identity. Source: specification, Authentication, Agents. */
export type ListenerTls =
  | { kind: "files"; certificateFile: string; keyFile: string }
  /** A self-signed certificate and its key, both in PEM. */
  | { kind: "self_signed"; certificate: string; key: string }
  /** h2c, behind a proxy that ends TLS. */
  | { kind: "insecure" };

export interface Credentials {
  credentials: ServerCredentials;
  stop(): void;
}

interface Identity {
  certificate: Buffer;
  privateKey: Buffer;
}

const REREAD_EVERY_MS = MINUTE_MS;

/** Throws a StartError that names the file and what is wrong with it. */
export async function openCredentials(tls: ListenerTls, { clock, log }: { clock: Clock; log: Log }): Promise<Credentials> {
  if (tls.kind === "insecure") return { credentials: ServerCredentials.createInsecure(), stop: () => undefined };
  if (tls.kind === "self_signed") {
    const { certificate, key } = tls;
    const identity = { certificate: Buffer.from(certificate), privateKey: Buffer.from(key) };
    return { credentials: new ChangingCredentials(identity), stop: () => undefined };
  }
  const files = tls;
  let current = await readIdentity(files);
  const credentials = new ChangingCredentials(current);
  let rounds: Timer = clock.after(REREAD_EVERY_MS, () => void reread());

  /** A renewed certificate is used for new connections; if it is unusable, the old one stays in use. */
  async function reread(): Promise<void> {
    try {
      const next = await readIdentity(files);
      if (!next.certificate.equals(current.certificate) || !next.privateKey.equals(current.privateKey)) {
        credentials.change(next);
        log.info({ expires_at: new X509Certificate(next.certificate).validToDate }, "the certificate of the gRPC listener was renewed");
      }
      current = next;
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "the changed certificate of the gRPC listener cannot be used; the one before stays");
    }
    rounds = clock.after(REREAD_EVERY_MS, () => void reread());
  }

  return { credentials, stop: () => rounds.cancel() };
}

async function readIdentity({ certificateFile, keyFile }: { certificateFile: string; keyFile: string }): Promise<Identity> {
  const certificate = await read(certificateFile, "SERVICE_GRPC_TLS_CERT");
  const privateKey = await read(keyFile, "SERVICE_GRPC_TLS_KEY");
  const leaf = understood(() => new X509Certificate(certificate), `SERVICE_GRPC_TLS_CERT: ${certificateFile} holds no PEM certificate`);
  const key = understood(
    () => createPrivateKey(privateKey),
    `SERVICE_GRPC_TLS_KEY: ${keyFile} holds no PEM private key without a passphrase`,
  );
  if (!leaf.checkPrivateKey(key)) {
    throw new StartError(`SERVICE_GRPC_TLS_KEY: ${keyFile} is not the key of the first certificate in ${certificateFile}.`);
  }
  return { certificate, privateKey };
}

async function read(path: string, option: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartError(`${option}: ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

function understood<Result>(parse: () => Result, fault: string): Result {
  try {
    return parse();
  } catch (error) {
    throw new StartError(`${fault}: ${messageOf(error)}.`, { cause: error });
  }
}

/** Credentials that can change while they are in use. */
class ChangingCredentials extends ServerCredentials {
  constructor(identity: Identity) {
    super({ minVersion: "TLSv1.2" }, contextOf(identity));
  }

  change(identity: Identity): void {
    this.updateSecureContextOptions(contextOf(identity));
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this;
  }
}

function contextOf({ certificate, privateKey }: Identity): SecureContextOptions {
  return { cert: certificate, key: privateKey };
}
