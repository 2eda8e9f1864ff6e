import { HOUR_MS } from "../contract/time.ts";
import { codeOf } from "./errors.ts";
import { cleanName } from "./text.ts";

export type OutboundReason =
  | "private_address_refused"
  | "https_required"
  | "redirect"
  | "name"
  | "connection"
  | "tls"
  | "timeout"
  | "too_large"
  | "aborted";

/** Why a receiver could not be reached, as a sentence that names only the host of its address. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(sentence: string, reason: OutboundReason) {
    super(sentence.endsWith(".") ? sentence : `${sentence}.`);
    this.name = "OutboundError";
    this.reason = reason;
  }
}

const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection without an answer",
  EPIPE: "closed the connection without an answer",
  EHOSTUNREACH: "cannot be reached: there is no route to the host",
  ENETUNREACH: "cannot be reached: there is no route to its network",
  ETIMEDOUT: "did not answer to the connection",
};

const NAME_FAULTS: readonly string[] = ["ENOTFOUND", "ENODATA", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME"];

const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate leads to an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate leads to an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate leads to an authority that is not trusted",
};

/** Node's error code of a failed request, in words. Its message is never shown, since it may contain what was sent. */
export function connectionFault(host: string, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = cleanName(codeOf(error), 80) || "unknown";
  if (NAME_FAULTS.includes(code)) return new OutboundError(`The name ${host} was not found`, "name");
  const certificate = CERTIFICATE_FAULTS[code];
  if (certificate !== undefined) return new OutboundError(`${host} is not trusted: ${certificate}`, "tls");
  const connection = CONNECTION_FAULTS[code];
  if (connection !== undefined) return new OutboundError(`${host} ${connection}`, "connection");
  if (/CERT|SSL|TLS|EPROTO/.test(code)) return new OutboundError(`No secure connection to ${host} came about (${code})`, "tls");
  if (code.startsWith("HPE_")) return new OutboundError(`The answer of ${host} is not HTTP`, "connection");
  return new OutboundError(`${host} cannot be reached (${code})`, "connection");
}

/** The longest wait that a receiver may ask for. */
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * The `Retry-After` of an answer in milliseconds from `now`, at most an hour: seconds or a date; null when it is missing or invalid. Source: RFC
 * 9110, section 10.2.3.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,15}(\.\d{1,6})?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_WAIT_MS);
  // Only dates: Date.parse accepts nearly any text.
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), LONGEST_WAIT_MS);
}
