import { lookup as systemLookup } from "node:dns/promises";
import { Agent as HttpAgent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import { callbackify } from "node:util";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { refusalOf } from "./outbound-addresses.ts";
import { connectionFault, OutboundError } from "./outbound-error.ts";
import { parseRetryAfter } from "./outbound-retry-after.ts";
import { hostOf, LONGEST_URL, readOutboundUrl, shownHost } from "./outbound-url.ts";

export { OutboundError } from "./outbound-error.ts";

export interface OutboundRequest {
  url: string;
  method: "POST" | "PUT" | "GET";
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  /** For everything from looking up the name to the first line of the answer, redirects included. */
  timeoutMs: number;
}

export interface OutboundAnswer {
  status: number;
  /** What `Retry-After` asks for; null when it does not. */
  retryAfterMs: number | null;
  headers: IncomingHttpHeaders;
}

/**
 * The one door to receivers outside. Private addresses are refused when an address is saved, at every connection and at every redirect: the
 * name is looked up here, every address found is checked, and the connection goes to what was checked. Source: contract, section 6.
 */
export interface Outbound {
  readonly allowPrivate: boolean;
  /**
   * The address, read and checked. Throws `validation_failed`, `https_required` or `private_address_refused`. A name that cannot be looked up
   * now is no fault: `note` is told.
   */
  check(urlText: string, note?: (sentence: string) => void): Promise<URL>;
  /** Sends and answers what came back, without its body. Throws an OutboundError when nothing came. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Closes connections that are kept open. */
  stop(): void;
}

export interface OutboundOptions {
  /** Lifts the refusal of private addresses, and allows http. */
  allowPrivate: boolean;
  clock: Clock;
  /** Whom to trust; what Node trusts when absent. */
  trust?: { context(kind: "strict"): SecureContext };
  /** All addresses of a name. */
  resolve?: (host: string) => Promise<readonly string[]>;
  /** What forbids an address that a name leads to, in words. */
  refusalFor?: (address: string) => string | undefined;
}

const MOST_REDIRECTS = 3;
/** Those after which the same message is sent again; after a 303 it would not be the same, and 304 to 306 are none. */
const REDIRECTS = [301, 302, 307, 308];
const MOST_ANSWER_BYTES = 65_536;
const LOOKUP_MS = 5000;
const MOST_SOCKETS = { maxSockets: 8, maxTotalSockets: 512, maxFreeSockets: 64 };
/** After which a connection that nobody uses is closed. */
const IDLE_MS = 15_000;
/** All other headers may be credentials, which another host must not see. */
const HARMLESS_HEADER = /^(?:accept|content-type|user-agent|idempotency-key|x-service-[a-z-]+)$/i;

export function createOutbound({ allowPrivate, clock, trust, resolve = resolveAll, refusalFor = refusalOf }: OutboundOptions): Outbound {
  const kept = { keepAlive: true, scheduling: "lifo", timeout: IDLE_MS, ...MOST_SOCKETS } as const;
  const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };

  /** Every address of a name; throws an OutboundError when one of them is refused. */
  async function checkedAddresses(host: string): Promise<readonly string[]> {
    const addresses = await resolve(host);
    for (const address of allowPrivate ? [] : addresses) {
      const refusal = refusalFor(address);
      if (refusal !== undefined) throw new OutboundError(`${host} leads to ${address}, which is ${refusal}`, "private_address_refused");
    }
    return addresses;
  }

  const lookUp = callbackify(checkedAddresses);
  const lookup: LookupFunction = (host, options, callback) => {
    lookUp(host, (error, addresses) => {
      const found = (addresses ?? [])
        .map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => typeof options.family !== "number" || options.family === 0 || options.family === family);
      const [first] = found;
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

  /** One request to one address. `agent` false is a connection of its own. */
  function exchange(url: URL, request: OutboundRequest, agent?: false): Promise<{ answer: OutboundAnswer; location: string | undefined }> {
    const { promise, resolve: settle, reject } = Promise.withResolvers<{ answer: OutboundAnswer; location: string | undefined }>();
    const options = { method: request.method, headers: request.headers, lookup };
    const secureContext = trust?.context("strict");
    const sent =
      url.protocol === "http:"
        ? httpRequest(url, { ...options, agent: agent ?? agents["http:"] })
        : httpsRequest(url, { ...options, agent: agent ?? agents["https:"], ...(secureContext === undefined ? {} : { secureContext }) });
    const giveUp = (error: OutboundError) => (): void => {
      reject(error);
      sent.destroy(error);
    };
    const tooLate = new OutboundError(`${shownHost(url)} did not answer within ${secondsOf(request.timeoutMs)}`, "timeout");
    const timer = clock.after(request.timeoutMs, giveUp(tooLate));
    const abort = giveUp(brokenOff());
    request.signal.addEventListener("abort", abort, { once: true });
    sent.once("close", () => {
      timer.cancel();
      request.signal.removeEventListener("abort", abort);
      reject(new OutboundError(`${shownHost(url)} closed the connection without an answer`, "connection"));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      reject(agent !== false && isStale(sent, error) ? new StaleConnection() : connectionFault(shownHost(url), error));
    });
    sent.once("response", (response) => {
      throwAway(response);
      const { statusCode: status = 0, headers } = response;
      settle({
        answer: { status, retryAfterMs: parseRetryAfter(headers["retry-after"], clock.now()), headers },
        location: headers.location,
      });
    });
    sent.end(request.body);
    return promise;
  }

  /** A kept connection that was closed meanwhile is no reason to give up: once more, by one of its own. */
  async function exchangeFresh(url: URL, request: OutboundRequest): ReturnType<typeof exchange> {
    try {
      return await exchange(url, request);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      if (request.signal.aborted) throw brokenOff();
      return exchange(url, request, false);
    }
  }

  /** Where a redirect leads, checked as if it had been saved. */
  function follow(from: URL, location: string): URL {
    const target = location.length > LONGEST_URL ? null : URL.parse(location, from.href);
    const where = `${shownHost(from)} redirects to an address that is not allowed`;
    if (target === null) throw new OutboundError(where, "redirect");
    if (from.protocol === "https:" && target.protocol === "http:") throw new OutboundError(`${where}: it is not https`, "https_required");
    target.hash = "";
    const checked = readOutboundUrl(target.href, { allowPrivate });
    if (checked instanceof URL) return checked;
    throw new OutboundError(`${where}: ${checked.message}`, checked.code === "validation_failed" ? "redirect" : checked.code);
  }

  return {
    allowPrivate,
    async check(urlText, note) {
      const url = readOutboundUrl(urlText, { allowPrivate });
      if (!(url instanceof URL)) throw refused(url.code, url.message);
      if (allowPrivate || isIP(hostOf(url)) !== 0) return url;
      try {
        await within(LOOKUP_MS, checkedAddresses(hostOf(url)), clock);
      } catch (error) {
        if (error instanceof OutboundError && error.reason === "private_address_refused") throw refused(error.reason, error.message);
        note?.(`The name ${shownHost(url)} cannot be looked up.`);
      }
      return url;
    },

    async send(request) {
      if (request.signal.aborted) throw brokenOff();
      const deadlineMs = clock.monotonicMs() + request.timeoutMs;
      const first = readOutboundUrl(request.url, { allowPrivate });
      if (!(first instanceof URL))
        throw new OutboundError(
          `The address is not allowed: ${first.message}`,
          first.code === "validation_failed" ? "connection" : first.code,
        );
      let url = first;
      let { headers } = request;
      for (let redirects = 0; ; redirects += 1) {
        const { answer, location } = await exchangeFresh(url, { ...request, headers, timeoutMs: deadlineMs - clock.monotonicMs() });
        if (!REDIRECTS.includes(answer.status) || location === undefined) return answer;
        if (redirects === MOST_REDIRECTS)
          throw new OutboundError(`${shownHost(first)} redirects more than ${MOST_REDIRECTS} times`, "redirect");
        const next = follow(url, location);
        if (next.origin !== url.origin) headers = harmless(headers);
        url = next;
      }
    },

    stop() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function brokenOff(): OutboundError {
  return new OutboundError("The attempt was broken off", "aborted");
}

function refused(code: ServiceError["code"], message: string): ServiceError {
  return new ServiceError(code, `The address is not allowed. ${message}.`, [{ path: "url", message }]);
}

function harmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADER.test(name)));
}

class StaleConnection extends Error {}

/** The receiver closed a connection that was kept open just as it was used again: it has seen nothing of the message. */
function isStale(sent: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** Read so that the connection can be used again, but no further than a bound. */
function throwAway(response: IncomingMessage): void {
  let bytes = 0;
  response.on("error", () => undefined);
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) response.destroy();
  });
}

async function within<Value>(limitMs: number, promise: Promise<Value>, clock: Clock): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => late.reject(new OutboundError("It took too long", "timeout")));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    timer.cancel();
  }
}

function secondsOf(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}

async function resolveAll(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}
