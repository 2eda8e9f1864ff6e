import { inspect } from "node:util";
import { isObject } from "./object.ts";

/** Every error code of the service, with its HTTP status and its form elsewhere. Source: contract, section 0. */
export const ERROR_TABLE = {
  invalid_request: { http: 400, grpc: "INVALID_ARGUMENT", when: "not JSON, a malformed path id or query, a message that cannot be read" },
  validation_failed: { http: 400, grpc: "INVALID_ARGUMENT", when: "a body breaks its schema; details list every fault" },
  label_too_long: { http: 400, grpc: "INVALID_ARGUMENT", when: "the label of an agent has more than 64 characters" },
  private_address_refused: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    when: "the address of a channel or webhook is, or leads to, a private one",
  },
  https_required: { http: 400, grpc: "INVALID_ARGUMENT", when: "the address of a channel or webhook is not https" },
  EDITION_REQUIRED: { http: 403, grpc: "PERMISSION_DENIED", when: "the edition in force does not grant the capability" },
  cross_origin_refused: { http: 403, grpc: "PERMISSION_DENIED", when: "an unsafe method from another site" },
  probe_refused: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    when: "a check of an endpoint, by its header X-Service-Probe, where none is answered",
  },
  agent_revoked: { http: 403, grpc: "PERMISSION_DENIED", when: "to an agent: it was revoked and must not come back" },
  unauthorized: { http: 401, grpc: "UNAUTHENTICATED", when: "a token is required and is missing or wrong" },
  bad_signature: { http: 401, grpc: "UNAUTHENTICATED", when: "to an agent: the answer to the challenge is not signed with its key" },
  token_invalid: { http: 401, grpc: "UNAUTHENTICATED", when: "to an agent: no such enrollment token" },
  token_expired: { http: 401, grpc: "UNAUTHENTICATED", when: "to an agent: the enrollment token is too old" },
  not_found: { http: 404, grpc: "NOT_FOUND", when: "no such record or route" },
  agent_unknown: { http: 404, grpc: "NOT_FOUND", when: "to an agent: no agent has this id; it was deleted, or belongs to another server" },
  method_not_allowed: { http: 405, grpc: "UNIMPLEMENTED", when: "the path exists under other methods; see Allow" },
  conflict: { http: 409, grpc: "FAILED_PRECONDITION", when: "the record's state does not permit this" },
  unusable_values: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    when: "a body follows its schema, but its values contradict each other, or name or mean something that does not exist; details list every fault",
  },
  already_acknowledged: { http: 409, grpc: "FAILED_PRECONDITION", when: "somebody acknowledged it before" },
  duplicate_name: { http: 409, grpc: "ALREADY_EXISTS", when: "another record has this name" },
  scan_in_progress: { http: 409, grpc: "FAILED_PRECONDITION", when: "a scan for newer images runs already" },
  mail_unavailable: { http: 409, grpc: "FAILED_PRECONDITION", when: "no mail server is configured, so nobody can subscribe" },
  token_consumed: { http: 409, grpc: "FAILED_PRECONDITION", when: "to an agent: the enrollment token was used before" },
  clock_skew: { http: 409, grpc: "FAILED_PRECONDITION", when: "to an agent: its clock and ours are more than 300 seconds apart" },
  protocol_unsupported: { http: 409, grpc: "FAILED_PRECONDITION", when: "to an agent: it speaks the protocol otherwise than this server" },
  stream_replaced: { http: 409, grpc: "ABORTED", when: "to an agent: a newer stream of the same agent took the place of this one" },
  payload_too_large: {
    http: 413,
    grpc: "RESOURCE_EXHAUSTED",
    when: "the body exceeds SERVICE_MAX_BODY_SIZE, or 8 MiB for a bulk operation",
  },
  unsupported_media_type: { http: 415, grpc: "INVALID_ARGUMENT", when: "a body that is not application/json" },
  misdirected_request: {
    http: 421,
    grpc: "PERMISSION_DENIED",
    when: "a Host name that is neither an address nor ours; see SERVICE_BASE_URL and SERVICE_ALLOWED_HOSTS",
  },
  rate_limited: { http: 429, grpc: "RESOURCE_EXHAUSTED", when: "too many requests from this address; see Retry-After" },
  agent_busy: { http: 429, grpc: "RESOURCE_EXHAUSTED", when: "too many logs are read through this agent at once" },
  internal: { http: 500, grpc: "INTERNAL", when: "a defect of the service; carries the request id only" },
  runtime_unavailable: { http: 502, grpc: "UNAVAILABLE", when: "the container runtime cannot be reached" },
  storage_unavailable: { http: 503, grpc: "UNAVAILABLE", when: "the database cannot be reached, or is too busy to answer in time" },
  standby: { http: 503, grpc: "UNAVAILABLE", when: "this server waits to take over from another one that has the database; ask that one" },
  starting: { http: 503, grpc: "UNAVAILABLE", when: "the program has been starting for more than 10 seconds; see Retry-After" },
  agent_offline: { http: 503, grpc: "UNAVAILABLE", when: "the agent of this host is not connected" },
  listener_unavailable: { http: 503, grpc: "UNAVAILABLE", when: "to an agent: the server is stopping, or too many wait to authenticate" },
  handshake_timeout: {
    http: 408,
    grpc: "DEADLINE_EXCEEDED",
    when: "to an agent: its enrollment or its answer to the challenge did not come within 10 seconds",
  },
  request_timeout: {
    http: 503,
    grpc: "UNAVAILABLE",
    when: "the request took longer than 10 seconds; what it changes may still be changed",
  },
} as const satisfies Record<string, { http: number; grpc: string; when: string }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** A fault of an input: the dotted path of the field, and what is wrong with it. */
export interface Fault {
  path: string;
  message: string;
  /** For an item in a list of many: the caller's key of it. */
  key?: string;
}

/** An expected failure, which is sent to the caller as it is. Any other error is a defect and answered as `internal`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.name = "ServiceError";
    this.code = code;
    this.details = details;
  }
}

/** The error in its JSON form. */
export function errorBody({ code, message, details }: ServiceError): string {
  return JSON.stringify({ error: { code, message, ...(details === undefined ? {} : { details }) } });
}

const FAULTS_IN_SENTENCE = 5;

/** The first faults in a sentence. */
export function faultsInWords(faults: readonly Fault[]): string {
  const words = faults.slice(0, FAULTS_IN_SENTENCE).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return words.join("; ");
}

/** Throws `unusable_values` with all faults that a schema cannot state. Does nothing when there are none. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new ServiceError("unusable_values", `The body cannot be used: ${faultsInWords(faults)}.`, faults);
}

export function isServiceError(error: unknown, code?: ErrorCode): error is ServiceError {
  return error instanceof ServiceError && (code === undefined || error.code === code);
}

/** Ends the program with exit code 2 and a sentence for the operator: bad options, an unusable database. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  if (error instanceof Error) return error.message || error.name;
  return typeof error === "string" ? error : inspect(error);
}

/** The code of an error of Node, such as `ENOENT`, and the first one's of several; empty for other errors. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && !("code" in error)) return codeOf(error.errors[0]);
  return isObject(error) && typeof error["code"] === "string" ? error["code"] : "";
}
