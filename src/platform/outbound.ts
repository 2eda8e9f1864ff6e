import { lookup as systemLookup } from "node:dns/promises";
import { Agent as HttpAgent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { SecureContext } from "node:tls";
import { type Clock, within } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { bodyOf, type OutboundOpened } from "./outbound-body.ts";
import { connectionFault, OutboundError, parseRetryAfter } from "./outbound-error.ts";
import { hostOf, LONGEST_URL, type OutboundPrivateHost, shownHost, createOutboundGuard, refusalOf } from "./outbound-url.ts";

export type { OutboundOpened } from "./outbound-body.ts";
export { OutboundError } from "./outbound-error.ts";
export type { OutboundPrivateHost } from "./outbound-url.ts";

export interface OutboundRequest {
  url: string;
  method: "POST" | "PUT" | "GET";
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  signal: AbortSignal;
  /** From the lookup of the name to the first line of the answer, redirects included. */
  timeoutMs: number;
}

export interface OutboundOpenRequest {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  headers: Readonly<Record<string, string>>;
  /** Never sent to another origin: a redirect to one is refused. */
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** To the first line of the answer, redirects included. */
  timeoutMs: number;
  /** Between two pieces of the body; `timeoutMs` by default. */
  idleMs?: number;
  /** From the first line of the answer to the end of its body; no limit by default. */
  wholeMs?: number;
}

export interface OutboundAnswer {
  status: number;
  /** The wait that `Retry-After` asks for; null without one. */
  retryAfterMs: number | null;
  headers: IncomingHttpHeaders;
}

/**
 * The only way to receivers outside. Private addresses are refused when an address is saved, at every connection and at every redirect: names are
 * looked up here, every address found is checked, and the connection uses a checked address. Source: contract, section 6.
 */
export interface Outbound {
  readonly allowPrivate: boolean;
  /**
   * Parses and checks an address. Throws `unusable_values`, `https_required` or `private_address_refused`. A name that cannot be looked up now is no
   * fault; `note` gets a sentence about it.
   */
  check(urlText: string, note?: (sentence: string) => void): Promise<URL>;
  /** Sends a request; answers without the body of the response. Throws an OutboundError when there is no answer. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * The same with the body of the response, as it was sent: nothing is decompressed. Headers that may be credentials are dropped on a redirect to
   * another origin.
   */
  open(request: OutboundOpenRequest): Promise<OutboundOpened>;
  /** Closes idle connections. */
  stop(): void;
}

export interface OutboundOptions {
  /** Allows private addresses and http. */
  allowPrivate: boolean;
  /** Private hosts that may be asked nevertheless, over http where they say so. */
  privateHosts?: readonly OutboundPrivateHost[];
  clock: Clock;
  /** Which certificates are trusted; by default those that Node trusts. */
  trust?: { context(kind: "strict"): SecureContext };
  /** Looks up all addresses of a name. */
  resolve?: (host: string) => Promise<readonly string[]>;
  /** Why an address that a name resolves to is refused, in words. */
  refusalFor?: (address: string) => string | undefined;
}

const MOST_REDIRECTS = 3;
/** The statuses after which the same message is sent again. After a 303 it would be another one, and 304 to 306 are no redirects. */
const REDIRECTS = [301, 302, 307, 308];
const MOST_ANSWER_BYTES = 65_536;
const THROW_AWAY_MS = 5000;
const LOOKUP_MS = 5000;
const MOST_SOCKETS = { maxSockets: 8, maxTotalSockets: 512, maxFreeSockets: 64 };
/** When an unused connection is closed. */
const IDLE_MS = 15_000;
/** All other headers may be credentials, which another host must not get. */
const HARMLESS_HEADER = /^(?:accept|content-type|user-agent|idempotency-key|x-service-[a-z-]+)$/i;

interface Sent extends Pick<OutboundRequest, "headers" | "signal" | "timeoutMs"> {
  method: string;
  body: string | Uint8Array | undefined;
  /** Whether the body of the answer will be read. */
  wantsBody: boolean;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { allowPrivate, privateHosts = [], clock, trust, resolve = resolveAll, refusalFor = refusalOf } = options;
  const kept = { keepAlive: true, scheduling: "lifo", timeout: IDLE_MS, ...MOST_SOCKETS } as const;
  const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };
  const guard = createOutboundGuard({ allowPrivate, privateHosts, resolve, refusalFor });
  const trusted = (): { secureContext?: SecureContext } => (trust === undefined ? {} : { secureContext: trust.context("strict") });

  /** One request to one address, up to the first line of its answer. `agent` false uses a separate connection. */
  function exchange(url: URL, request: Sent, agent?: false): Promise<IncomingMessage> {
    const { promise, resolve: settle, reject } = Promise.withResolvers<IncomingMessage>();
    const asked = { method: request.method, headers: request.headers, lookup: guard.lookupFor(url) };
    const sent =
      url.protocol === "http:"
        ? httpRequest(url, { ...asked, agent: agent ?? agents["http:"] })
        : httpsRequest(url, { ...asked, agent: agent ?? agents["https:"], ...trusted() });
    const giveUp = (error: OutboundError): void => {
      reject(error);
      sent.destroy(error);
    };
    const timer = clock.after(request.timeoutMs, () =>
      giveUp(new OutboundError(`${shownHost(url)} did not answer within ${secondsOf(request.timeoutMs)}`, "timeout")),
    );
    const abort = (): void => giveUp(brokenOff());
    const closed = (): void => {
      settled();
      reject(new OutboundError(`${shownHost(url)} closed the connection without an answer`, "connection"));
    };
    const settled = (): void => {
      timer.cancel();
      request.signal.removeEventListener("abort", abort);
      sent.off("close", closed);
    };
    request.signal.addEventListener("abort", abort, { once: true });
    sent.once("close", closed);
    sent.on("error", (error: NodeJS.ErrnoException) => {
      reject(agent !== false && isStale(sent, error) ? new StaleConnection() : connectionFault(shownHost(url), error));
    });
    sent.once("response", (response) => {
      settled();
      response.on("error", () => undefined);
      // At once: then the connection is free for the next request as soon as the sender knows the answer.
      if (!request.wantsBody || isRedirect(response)) throwAway(response, clock);
      settle(response);
    });
    sent.end(request.body);
    return promise;
  }

  /** If a kept connection was closed meanwhile, the request is retried once, over a separate connection. */
  async function exchangeFresh(url: URL, request: Sent): Promise<IncomingMessage> {
    try {
      return await exchange(url, request);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      if (request.signal.aborted) throw brokenOff();
      return exchange(url, request, false);
    }
  }

  /** The target of a redirect, checked as if it were saved. */
  function follow(from: URL, location: string): URL {
    const target = location.length > LONGEST_URL ? null : URL.parse(location, from.href);
    const where = `${shownHost(from)} redirects to an address that is not allowed`;
    if (target === null) throw new OutboundError(where, "redirect");
    if (from.protocol === "https:" && target.protocol === "http:") throw new OutboundError(`${where}: it is not https`, "https_required");
    target.hash = "";
    const checked = guard.read(target.href);
    if (checked instanceof URL) return checked;
    throw new OutboundError(`${where}: ${checked.message}`, checked.code === "unusable_values" ? "redirect" : checked.code);
  }

  /** Sends, and sends again after each redirect, until there is another answer. */
  async function deliver(request: Sent & { url: string }, mayFollow: (from: URL, to: URL) => boolean): Promise<Delivered> {
    if (request.signal.aborted) throw brokenOff();
    const deadlineMs = clock.monotonicMs() + request.timeoutMs;
    const first = guard.read(request.url);
    if (!(first instanceof URL))
      throw new OutboundError(`The address is not allowed: ${first.message}`, first.code === "unusable_values" ? "connection" : first.code);
    let url = first;
    let { headers } = request;
    for (let redirects = 0; ; redirects += 1) {
      const response = await exchangeFresh(url, { ...request, headers, timeoutMs: deadlineMs - clock.monotonicMs() });
      const { statusCode: status = 0, headers: answered } = response;
      if (answered.location === undefined || !isRedirect(response)) return { url, status, response };
      if (redirects === MOST_REDIRECTS)
        throw new OutboundError(`${shownHost(first)} redirects more than ${MOST_REDIRECTS} times`, "redirect");
      const next = follow(url, answered.location);
      if (!mayFollow(url, next)) throw new OutboundError(`${shownHost(url)} redirects what was sent to another host`, "redirect");
      if (next.origin !== url.origin) headers = harmless(headers);
      url = next;
    }
  }

  return {
    allowPrivate,
    async check(urlText, note) {
      const url = guard.read(urlText);
      if (!(url instanceof URL)) throw refused(url.code, url.message);
      if (allowPrivate || isIP(hostOf(url)) !== 0) return url;
      try {
        await within(clock, LOOKUP_MS, guard.addressesOf(url), () => new OutboundError("It took too long", "timeout"));
      } catch (error) {
        if (error instanceof OutboundError && error.reason === "private_address_refused") throw refused(error.reason, error.message);
        note?.(`The name ${shownHost(url)} cannot be looked up.`);
      }
      return url;
    },

    async send(request) {
      const { status, response } = await deliver({ ...request, wantsBody: false }, () => true);
      const { headers } = response;
      const asked = headers["retry-after"];
      return { status, retryAfterMs: asked === undefined ? null : parseRetryAfter(asked, clock.now()), headers };
    },

    async open({ idleMs, wholeMs, ...request }) {
      const { body, timeoutMs, signal } = request;
      const wantsBody = request.method !== "HEAD";
      const { url, status, response } = await deliver(
        { ...request, body, wantsBody },
        (from, to) => body === undefined || from.origin === to.origin,
      );
      const { headers } = response;
      const opened = { status, headers, url: url.href };
      if (!wantsBody) return { ...opened, body: Readable.from([]) };
      return { ...opened, body: bodyOf(response, { clock, signal, host: shownHost(url), idleMs: idleMs ?? timeoutMs, wholeMs }) };
    },

    stop() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function brokenOff(): OutboundError {
  return new OutboundError("The attempt was broken off", "aborted");
}

/** Refused to channels and webhooks unless the operator permits it. */
const PERMITTED_BY_OPTION: ReadonlySet<ServiceError["code"]> = new Set(["https_required", "private_address_refused"]);

function refused(code: ServiceError["code"], reason: string): ServiceError {
  const message = PERMITTED_BY_OPTION.has(code) ? `${reason.replace(/\.$/, "")}; --allow-private-webhooks permits it` : reason;
  return new ServiceError(code, `The address is not allowed. ${message}.`, [{ path: "url", message }]);
}

function harmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADER.test(name)));
}

class StaleConnection extends Error {}

/** Whether the receiver closed a kept connection just as it was used again: then it has seen nothing of the message. */
function isStale(sent: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

interface Delivered {
  /** The URL that answered. */
  url: URL;
  status: number;
  response: IncomingMessage;
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return REDIRECTS.includes(statusCode) && headers.location !== undefined;
}

/** Reads the rest, up to a limit, so that the connection can be used again. */
function throwAway(response: IncomingMessage, clock: Clock): void {
  let bytes = 0;
  const timer = clock.after(THROW_AWAY_MS, () => response.destroy());
  response.once("close", () => timer.cancel());
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) response.destroy();
  });
}

function secondsOf(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}

async function resolveAll(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}
