import { type IncomingMessage, request as startRequest } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { PROBE_MARK } from "../../platform/probe-mark.ts";
import { looksSecret, MASK } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";
import { codeOf, type Peer, PeerError, peerName } from "../peers/failure.ts";
import { tlsError } from "../peers/secure.ts";

/** One request of a check. */
export interface ProbeRequest {
  url: URL;
  method: string;
  /** By names in lower case. */
  headers: Record<string, string>;
}

/** All other headers may be credentials, which another host must not see. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "user-agent",
]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * The request that a redirect asks for. After 303, and after 301 and 302 to a POST, it is a GET; another origin gets none of our headers but harmless ones.
 * Throws a PeerError when it leads nowhere. Source: RFC 9110, section 15.4; Fetch, HTTP-redirect fetch.
 */
export function followRedirect(request: ProbeRequest, status: number, location: string | undefined): ProbeRequest {
  const from = urlName(request.url);
  if (location === undefined) throw new PeerError("http", `${from} answered ${status} without saying where to go.`);
  const url = URL.parse(location, request.url.href);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new PeerError("http", `${from} answered ${status} and points to an address that is not one of http or https.`);
  }
  url.username = "";
  url.password = "";
  const { method } = request;
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  return {
    url,
    method: becomesGet ? "GET" : method,
    headers: url.origin === request.url.origin ? request.headers : withoutCredentials(request.headers),
  };
}

/** Who is asked at a URL. */
export function peerOfUrl({ protocol, hostname, port }: URL): Peer {
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** Where a URL leads, without what may be secret in it: user, password, query, and a path that is a secret itself. */
export function urlName({ origin, pathname }: URL): string {
  const url = `${origin}${pathname}`;
  return looksSecret("path", url) ? `${origin}/${MASK}` : cleanName(url, 200);
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => HARMLESS.has(name) && !looksSecret(name, value)));
}

const UNREAD_BYTES = 64 * 1024;
const UNREAD_MS = 1_000;
/** More header bytes than any server has reason to send. */
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Sends one request over a new connection and resolves with the answer as soon as its headers are there.
 * Throws a PeerError when what comes is no answer, or the signal's reason. The socket is destroyed then, or by destroying the answer.
 */
export async function exchange(
  socket: Socket,
  { url, method, headers }: ProbeRequest,
  peer: Peer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = startRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, "user-agent": "binnacle", accept: "*/*", ...headers, [PROBE_MARK]: "1" },
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  let isAnswered = false;
  // Also for what comes later: a body that breaks off, or our own timeout.
  const abort = (): void => void request.destroy(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  request.on("error", (error) => reject(signal.aborted ? signal.reason : answerError(peer, error)));
  const answer = (response: IncomingMessage): void => {
    isAnswered = true;
    resolve(response);
  };
  request.on("response", answer);
  request.on("upgrade", (response: IncomingMessage) => {
    socket.destroy();
    answer(response);
  });
  request.on("close", () => {
    signal.removeEventListener("abort", abort);
    if (!isAnswered) reject(answerError(peer, { code: "ECONNRESET" }));
  });
  request.end();
  return await promise;
}

/** A body that nobody needs is read to its end, so that the server can finish in peace; but not for long. */
export function letFinish(response: IncomingMessage, clock: Clock): void {
  let left = UNREAD_BYTES;
  const timer = clock.after(UNREAD_MS, () => void response.destroy());
  response.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) response.destroy();
  });
  response.on("close", () => timer.cancel());
}

const ANSWER_FAULTS: Record<string, string> = {
  ECONNRESET: "closed the connection before it answered",
  EPIPE: "closed the connection before it answered",
  HPE_HEADER_OVERFLOW: `sent more than ${MAX_HEADER_BYTES / 1024} KiB of headers`,
};

/** An exchange that failed after the connection was made. */
export function answerError(peer: Peer, error: unknown): PeerError {
  const code = codeOf(error);
  if (code.startsWith("ERR_SSL")) return tlsError(peer, error);
  const fault = ANSWER_FAULTS[code] ?? (code.startsWith("HPE_") ? "answered with something that is not HTTP" : `did not answer (${code})`);
  return new PeerError("http", `${peerName(peer)} ${fault}.`);
}
