import type { X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { cleanName } from "../../platform/text.ts";
import { codeOf, type Peer, PeerError, peerName } from "./failure.ts";

export interface SecureOptions {
  peer: Peer;
  /** What is sent as SNI, unless it is an address, and held against the certificate. */
  serverName: string;
  context: SecureContext;
  /** What may be spoken over it, as ALPN names it; by default HTTP/1.1 alone. */
  protocols?: readonly string[];
  /** Called with the stapled OCSP response when there is one; asks for it only when given. */
  onStaple?: (response: Buffer) => void;
  signal: AbortSignal;
}

/**
 * Makes a connection a TLS connection, whatever the certificate: {@link verdictOf} says whether it can be trusted, before anything
 * is sent. Throws a PeerError, or the signal's reason, and then the socket is closed.
 */
export function secure(
  socket: Socket,
  { peer, serverName, context, protocols = ["http/1.1"], onStaple, signal }: SecureOptions,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secured = connect({
    socket,
    host: serverName,
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    secureContext: context,
    rejectUnauthorized: false,
    ALPNProtocols: [...protocols],
    requestOCSP: onStaple !== undefined,
  });
  const abort = (): void => fail(signal.reason);

  function fail(reason: unknown): void {
    signal.removeEventListener("abort", abort);
    secured.destroy();
    socket.destroy();
    reject(reason);
  }

  if (onStaple !== undefined) secured.on("OCSPResponse", (response) => response !== null && onStaple(response));
  secured.on("error", (error) => fail(tlsError(peer, error)));
  secured.once("secureConnect", () => {
    signal.removeEventListener("abort", abort);
    resolve(secured);
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return promise;
}

/** What the server sent. Node links it as a chain of issuers, in the order of sending and whether they are issuers or not; and shows it only once. */
export function sentBy(secured: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let each = secured.getPeerX509Certificate(); each !== undefined; each = each.issuerCertificate) sent.push(each);
  return sent;
}

/** Why OpenSSL would refuse the certificate, as its code; null when it would not. */
export function verdictOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized) return null;
  // Typed as an error, it is the code alone.
  return typeof authorizationError === "string" ? authorizationError : codeOf(authorizationError);
}

const HANDSHAKE_FAULTS: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "does not speak TLS there",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "does not speak TLS there",
  ERR_SSL_HTTP_REQUEST: "does not speak TLS there",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "speaks only versions of TLS that are too old",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "refused our versions of TLS",
  ERR_SSL_DH_KEY_TOO_SMALL: "uses a weak key exchange",
  ERR_SSL_EE_KEY_TOO_SMALL: "has a certificate with a weak key",
  ERR_SSL_CA_MD_TOO_WEAK: "has a certificate that is signed with a weak hash",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "knows no such server name",
  ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME: "knows no such server name",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "asks for a client certificate",
  ECONNRESET: "closed the connection during the TLS handshake",
  EPIPE: "closed the connection during the TLS handshake",
};

/** A handshake that failed. */
export function tlsError(peer: Peer, error: unknown): PeerError {
  const code = codeOf(error);
  return new PeerError("tls", `${peerName(peer)} ${HANDSHAKE_FAULTS[code] ?? `broke the TLS handshake (${code})`}.`);
}

/** OpenSSL's verdict on a certificate, for those that we have no rule for ourselves. */
export function certificateFault(verdict: string): string {
  // Node has no name for these; mostly they are name constraints.
  if (verdict === "UNSPECIFIED") return "its chain breaks a rule of its authorities, such as the names they may sign for";
  return `its chain breaks a rule (${cleanName(verdict, 80)})`;
}
