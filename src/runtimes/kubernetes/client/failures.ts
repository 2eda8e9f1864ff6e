import { ServiceError, messageOf } from "../../../platform/errors.ts";
import type { ClusterAccess } from "./access.ts";

type Reached = Pick<ClusterAccess, "address" | "origin">;

const UNTRUSTED = ({ origin }: Reached): string =>
  `its certificate is not signed by the authority of ${origin}. Something else may answer there, or the cluster has a new authority: renew that entry.`;
const NOT_TLS = (): string => "the other side does not speak TLS there. Correct the address.";

/** What a failed connection means and what helps, by the code that Node gives it. */
const CONNECTION_FAILURES: Record<string, (access: Reached) => string> = {
  ECONNREFUSED: () => "nothing listens there. Start the API server, or correct the address.",
  ENOTFOUND: () => "the host name does not resolve. Correct the address, or check the name server.",
  EAI_AGAIN: () => "the name server did not answer. It is tried again.",
  EHOSTUNREACH: () => "the host cannot be reached. Check the network and the network policies.",
  ENETUNREACH: () => "the network cannot be reached. Check the network and the network policies.",
  ETIMEDOUT: () => "the host does not answer. Check the network, the firewall and the network policies.",
  ECONNRESET: () => "the connection was closed. The API server may be restarting; it is tried again.",
  EPIPE: () => "the connection was closed. The API server may be restarting; it is tried again.",
  EPROTO: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: () =>
    "its certificate is for another name. Use a name of the certificate, or give that name as tls-server-name.",
  CERT_HAS_EXPIRED: () => "its certificate has expired. Renew it, or correct the clock of this machine.",
  CERT_NOT_YET_VALID: () => "its certificate is not valid yet. Correct the clock of this machine.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  ERR_OSSL_PEM_NO_START_LINE: ({ origin }) => `the certificate or key of ${origin} is no PEM. Correct it.`,
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: ({ origin }) =>
    `the client certificate and the key of ${origin} do not belong together. Correct them.`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ({ origin }) => `it asks for a client certificate, and ${origin} has none.`,
};

/** A failed connection as a sentence with its reason and a remedy. */
export function connectionFailure(access: Reached, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = errorCode(error);
  const known = CONNECTION_FAILURES[code];
  if (known !== undefined) return unavailable(access, known(access), error);
  if (code.startsWith("HPE_")) return unavailable(access, "the answer is not HTTP. Correct the address.", error);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_OSSL_"))
    return unavailable(access, `TLS failed (${code}). Check the authority, the client certificate and the key of ${access.origin}.`, error);
  return unavailable(access, `${messageOf(error)}.`, error);
}

export function silence(access: Reached, timeoutMs: number): ServiceError {
  return unavailable(
    access,
    `no answer came within ${timeoutMs / 1000} s. The API server may be overloaded, or a firewall may drop the packets; it is tried again.`,
  );
}

export function unavailable({ address }: Reached, reasonAndRemedy: string, cause?: unknown): ServiceError {
  return new ServiceError("runtime_unavailable", `The Kubernetes API at ${address} cannot be used: ${reasonAndRemedy}`, undefined, {
    cause,
  });
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && !("code" in error)) return errorCode(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
