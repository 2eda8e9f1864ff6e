import { isIPv6 } from "node:net";
import type { FailureClass } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";

/** Where something answers, the host without brackets. */
export interface Peer {
  host: string;
  port: number;
}

/** Why a peer could not be asked, or gave no good answer: a sentence without credentials. */
export class PeerError extends Error {
  readonly failureClass: FailureClass;
  /** Our own want of ports or files: it says nothing of the peer. */
  readonly isOurs: boolean;
  /** Somebody answered, if only to say no: the network carries, or the resolver works. */
  readonly isRefusal: boolean;

  constructor(failureClass: FailureClass, message: string, { isOurs = false, isRefusal = false } = {}) {
    super(message);
    this.name = "PeerError";
    this.failureClass = failureClass;
    this.isOurs = isOurs;
    this.isRefusal = isRefusal;
  }
}

/** `host:port`, fit to be shown. */
export function peerName({ host, port }: Peer): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${cleanName(host)}:${port}`;
}

const OUR_FAULTS: Record<string, string> = {
  EMFILE: "too many files are open",
  ENFILE: "the system has too many files open",
  ENOBUFS: "the system has no buffers left",
  ENOMEM: "the system has no memory left",
  EADDRNOTAVAIL: "no local port or address is free",
};

/** A name that was not found, by the code of getaddrinfo. */
export function lookupError(host: string, error: unknown): PeerError {
  const code = codeOf(error);
  if (code in OUR_FAULTS) return new PeerError("dns", `${cleanName(host)} was not looked up: ${OUR_FAULTS[code]}.`, { isOurs: true });
  if (code === "ENOTFOUND" || code === "ENODATA")
    return new PeerError("dns", `The name ${cleanName(host)} was not found.`, { isRefusal: true });
  return new PeerError("dns", `The resolver gave no answer for ${cleanName(host)}${code === "EAI_AGAIN" ? "" : ` (${code})`}.`);
}

const CONNECT_FAULTS: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "reset the connection",
  EHOSTUNREACH: "cannot be reached: there is no route to the host",
  ENETUNREACH: "cannot be reached: there is no route to its network",
  EHOSTDOWN: "cannot be reached: the host is down",
  ETIMEDOUT: "did not answer to the connection",
  EACCES: "cannot be reached: a firewall of this host forbids it",
  EPERM: "cannot be reached: a firewall of this host forbids it",
};

/** Of those of several addresses, in order: that this host could not ask one, as an IPv6 address from most containers, says nothing of the others. */
export function errorToReport(errors: readonly PeerError[]): PeerError | undefined {
  return errors.find(({ isOurs }) => !isOurs) ?? errors[0];
}

/** A connection that did not come about, by the code of the system. */
export function connectError(peer: Peer, error: unknown): PeerError {
  const code = codeOf(error);
  if (code in OUR_FAULTS) return new PeerError("connect", `${peerName(peer)} was not asked: ${OUR_FAULTS[code]}.`, { isOurs: true });
  const isRefusal = code === "ECONNREFUSED" || code === "ECONNRESET";
  return new PeerError("connect", `${peerName(peer)} ${CONNECT_FAULTS[code] ?? `cannot be reached (${code})`}.`, { isRefusal });
}

/** The code of an error of Node or OpenSSL. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? cleanName(code, 80) : "unknown";
}

/** Settles with the promise, or throws the signal's reason when that comes first. */
export async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
