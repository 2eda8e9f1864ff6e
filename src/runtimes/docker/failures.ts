import { ServiceError, messageOf } from "../../platform/errors.ts";
import type { EngineAddress } from "./address.ts";

const NOT_TLS = (): string => "the other side does not speak TLS there. Use tcp:// without DOCKER_TLS_VERIFY, or the engine's TLS port.";
const UNTRUSTED = (): string => "its certificate is not trusted. Put the authority's ca.pem into DOCKER_CERT_PATH.";

/** What a failed connection means and what helps, by the code that Node gives it. */
const CONNECTION_FAILURES: Record<string, (address: EngineAddress) => string> = {
  ENOENT: (address) => `there is no such socket. Start ${engineName(address)}, or mount its socket into this container.`,
  ENOTSOCK: () => "that path is not a socket. Give the path of the engine's socket.",
  EACCES: () =>
    "this user may not open the socket. Add the user to the group that owns it (usually `docker`), or run the container with `--group-add` and that group's number.",
  EPERM: () => "this user may not open the socket. Add the user to the group that owns it (usually `docker`).",
  ECONNREFUSED: (address) => `nothing listens there. Start ${engineName(address)}, or correct the address.`,
  ENOTFOUND: () => "the host name does not resolve. Correct SERVICE_DOCKER_HOST.",
  EAI_AGAIN: () => "the name server did not answer. It is tried again.",
  EHOSTUNREACH: () => "the host cannot be reached. Check the network and the address.",
  ENETUNREACH: () => "the network cannot be reached. Check the network and the address.",
  ETIMEDOUT: () => "the host does not answer. Check the network and the firewall.",
  ECONNRESET: () => "the connection was closed. The engine may be restarting; it is tried again.",
  EPIPE: () => "the connection was closed. The engine may be restarting; it is tried again.",
  EPROTO: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: (address) =>
    `its certificate is for another name than ${address.display}. Use the name in the certificate.`,
  CERT_HAS_EXPIRED: () => "its certificate has expired. Renew it.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

/** A failed connection as a sentence with its reason and a remedy. */
export function connectionFailure(address: EngineAddress, error: unknown): ServiceError {
  const code = errorCode(error);
  const known = CONNECTION_FAILURES[code];
  if (known !== undefined) return unavailable(address, known(address), error);
  if (code.startsWith("HPE_"))
    return unavailable(address, "the answer is not HTTP. Correct the address, or use https:// if the engine expects TLS.", error);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_OSSL_")) {
    return unavailable(address, `TLS failed (${code}). Check ca.pem, cert.pem and key.pem in DOCKER_CERT_PATH.`, error);
  }
  return unavailable(address, `${messageOf(error)}.`, error);
}

/** Why an engine cannot be used that took a question and gave no answer in time. */
const SILENCE = new Error("no answer in time");

/** For a question without an answer, although the engine answers others. */
const UNANSWERED = new Error("no answer that can be read");

/** Whether the same question of another thing may well be answered: the engine can be reached and allows it. */
export function isOfOneQuestion(error: unknown): boolean {
  return error instanceof ServiceError && (error.cause === SILENCE || error.cause === UNANSWERED);
}

/** Of an answer that is none. */
export function unanswered(address: EngineAddress, reasonAndRemedy: string): ServiceError {
  return unavailable(address, reasonAndRemedy, UNANSWERED);
}

export function isSilence(error: unknown): boolean {
  return error instanceof ServiceError && error.cause === SILENCE;
}

export function silence(address: EngineAddress, timeoutMs: number): ServiceError {
  return unavailable(
    address,
    `the connection was accepted, but no answer came within ${timeoutMs / 1000} s. The engine may be overloaded or hanging; it is tried again.`,
    SILENCE,
  );
}

/** Podman's sockets bear its name. */
function engineName({ display }: EngineAddress): string {
  return /podman/i.test(display) ? "Podman" : "Docker";
}

export function unavailable(address: EngineAddress, reasonAndRemedy: string, cause?: unknown): ServiceError {
  return new ServiceError(
    "runtime_unavailable",
    `${engineName(address)} at ${address.display} cannot be used: ${reasonAndRemedy}`,
    undefined,
    { cause },
  );
}

/** What an answer with an error status becomes. `message` is the engine's own. */
export function refusal(address: EngineAddress, request: string, status: number, message: string): ServiceError {
  const answer = message === "" ? `status ${status}` : `"${message}" (status ${status})`;
  // Podman says this with status 500 when the container is removed while it is looked at, Docker with 409 when its log is read then.
  const gone =
    (status === 500 && /no such container|has already been removed/i.test(message)) ||
    (status === 409 && /dead or marked for removal/i.test(message));
  if (status === 404 || gone) return new ServiceError("not_found", message === "" ? "The runtime does not know it." : message);
  if (status === 401 || status === 403 || status === 405) {
    return unavailable(address, `GET ${request} is denied, with ${answer}. If a socket proxy stands before it, allow this route.`);
  }
  if (/does not support reading/i.test(message)) {
    return new ServiceError(
      "conflict",
      "The log driver of this container does not allow its log to be read. Use the json-file, local or journald driver.",
    );
  }
  if (status === 400 && /HTTP request to an HTTPS server/i.test(message)) {
    return unavailable(address, "it expects TLS. Use https://, or set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH.");
  }
  return unanswered(address, `GET ${request} was answered with ${answer}. It is tried again.`);
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && !("code" in error)) return errorCode(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
