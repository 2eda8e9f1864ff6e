import { cleanName } from "../../platform/text.ts";
import { codeOf, type Peer, PeerError, peerName } from "./failure.ts";

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
