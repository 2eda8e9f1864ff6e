import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { EndpointCheck, HttpCheck } from "../../observations.ts";
import { messageOf } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import { connectFirst } from "../peers/connect.ts";
import { type Peer, PeerError, peerName } from "../peers/failure.ts";
import { secure, sentBy, verdictOf, certificateFault } from "../peers/secure.ts";
import { joined, judgeChain } from "../tls/chain.ts";
import { searchBody } from "./body.ts";
import { exchange, letFinish, followRedirect, isRedirect, peerOfUrl, type ProbeRequest, urlName } from "./exchange.ts";
import {
  failureOf,
  type Learned,
  NOTHING_LEARNED,
  type Outcome,
  type ProbeParts,
  successOf,
  type Deadline,
  startDeadline,
} from "./probe.ts";

/** A check under way: what it needs at every hop, and what it has learned. */
interface Journey extends ProbeParts {
  http: HttpCheck;
  deadline: Deadline;
  startedMs: number;
  learned: Learned;
}

/**
 * Makes one request, follows its redirects and judges the last answer; a redirect whose own status is expected is not followed.
 * The response time is that from the beginning to the end of the last headers. Throws only the signal's reason.
 */
export async function probeHttp(check: EndpointCheck, http: HttpCheck, parts: ProbeParts, signal: AbortSignal): Promise<Outcome> {
  const { clock } = parts;
  const deadline = startDeadline(clock, check.timeoutMs, signal);
  const journey: Journey = { ...parts, http, deadline, startedMs: clock.monotonicMs(), learned: { ...NOTHING_LEARNED } };
  try {
    const { response, request } = await travel(firstRequest(check.target, http), journey);
    await judgeBody(response, request, journey);
    return successOf(journey.learned);
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(journey.learned, error);
  } finally {
    deadline.clear();
  }
}

/** Credentials in the URL become a header, unless there is one already. */
function firstRequest(target: string, { method, headers: given }: HttpCheck): ProbeRequest {
  const url = new URL(target);
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  if (url.username !== "" || url.password !== "") {
    const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`;
    headers["authorization"] ??= `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  url.username = "";
  url.password = "";
  return { url, method, headers };
}

/** Without percent signs that escape; as it is when some of them do not. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Up to the answer that is expected. Throws a PeerError when there is none. */
async function travel(first: ProbeRequest, journey: Journey): Promise<{ response: IncomingMessage; request: ProbeRequest }> {
  const { http } = journey;
  const visited = new Set<string>();
  let request = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(request, journey, redirects === 0);
    const status = response.statusCode ?? 0;
    if (isExpected(status, http.expectedStatus)) return { response, request };
    letFinish(response, journey.clock);
    if (!isRedirect(status) || http.maxRedirects === 0) throw new PeerError("http", statusSentence(status, first, request, http));
    visited.add(`${request.method} ${request.url.href}`);
    const next = followRedirect(request, status, response.headers.location);
    if (visited.has(`${next.method} ${next.url.href}`)) {
      throw new PeerError("http", `${urlName(first.url)} redirects in a circle, back to ${urlName(next.url)}${downgrade(first, next)}.`);
    }
    if (redirects >= http.maxRedirects) {
      const to = `${urlName(next.url)}${downgrade(first, next)}`;
      throw new PeerError(
        "http",
        `${urlName(first.url)} redirects more than ${http.maxRedirects === 1 ? "once" : `${http.maxRedirects} times`}, lastly to ${to}.`,
      );
    }
    request = next;
  }
}

/** One request over its own connection. */
async function ask(request: ProbeRequest, journey: Journey, isFirst: boolean): Promise<IncomingMessage> {
  const { clock, resolver, guard, deadline, learned, startedMs } = journey;
  const { signal } = deadline;
  const peer = peerOfUrl(request.url);
  deadline.enter("resolve", peer);
  const addresses = await resolver.resolve(peer.host, signal);
  deadline.enter("connect", peer);
  let socket = await connectFirst(addresses, peer, { clock, guard, signal });
  if (isFirst) learned.address = socket.remoteAddress ?? null;
  if (request.url.protocol === "https:") {
    deadline.enter("handshake", peer);
    const context = journey.trust.context(journey.http.tlsVerify ? "strict" : "lenient");
    const serverName = peer.host.replace(/\.$/, "");
    const secured = await secure(socket, { peer, serverName, context, signal });
    socket = secured;
    const sent = sentBy(secured);
    if (isFirst) learned.certificate = { trusted: secured.authorized, expiresAt: sent[0]?.validToDate ?? null };
    const verdict = verdictOf(secured);
    if (journey.http.tlsVerify && verdict !== null) {
      // Nothing has been sent to it yet.
      secured.destroy();
      throw untrustedError({ peer, serverName, sent, verdict }, journey);
    }
  }
  deadline.enter("answer", peer);
  const response = await exchange(socket, request, peer, signal).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  learned.responseTimeMs = clock.monotonicMs() - startedMs;
  learned.httpStatus = response.statusCode ?? null;
  response.on("error", () => undefined);
  return response;
}

/** OpenSSL has decided; our own judgment has the better words for it. */
function untrustedError(
  { peer, serverName, sent, verdict }: { peer: Peer; serverName: string; sent: X509Certificate[]; verdict: string },
  { trust, clock }: ProbeParts,
): PeerError {
  const { faults, hostFault } = judgeChain({ sent, anchors: trust, now: clock.now(), serverName });
  const reasons = joined(hostFault === null ? faults : [...faults, hostFault]);
  return new PeerError("tls", `${peerName(peer)} is not trusted${reasons === null ? `: ${certificateFault(verdict)}.` : `. ${reasons}`}`);
}

/** So much of an expected text is named. */
const NAMED_CHARACTERS = 80;

async function judgeBody(response: IncomingMessage, { url }: ProbeRequest, { http, deadline, clock }: Journey): Promise<void> {
  if (http.bodyContains === null) return letFinish(response, clock);
  deadline.enter("body", peerOfUrl(url));
  const search = await searchBody(response, http.bodyContains).catch((error: unknown) => {
    deadline.signal.throwIfAborted();
    throw new PeerError("http", `${urlName(url)} broke off its answer: ${messageOf(error)}.`);
  });
  // A body without a length looks complete when we end it.
  deadline.signal.throwIfAborted();
  const expected = `"${cleanName(http.bodyContains, NAMED_CHARACTERS)}"`;
  if (search === "absent") throw new PeerError("assertion", `The body of ${urlName(url)} does not contain ${expected}.`);
  if (search === "beyond") {
    throw new PeerError("assertion", `The first MiB of the body of ${urlName(url)} does not contain ${expected}.`);
  }
}

function statusSentence(status: number, first: ProbeRequest, last: ProbeRequest, { expectedStatus }: HttpCheck): string {
  const where =
    first === last ? urlName(first.url) : `${urlName(last.url)}, to which ${urlName(first.url)} redirects${downgrade(first, last)},`;
  return `${where} answered ${status}; expected ${expectedStatus.join(", ")}.`;
}

function downgrade(first: ProbeRequest, last: ProbeRequest): string {
  return first.url.protocol === "https:" && last.url.protocol === "http:" ? " without TLS" : "";
}

/** Whether a status is one of `200` or a class such as `2xx`. */
function isExpected(status: number, expected: readonly string[]): boolean {
  return expected.some((pattern) => pattern === String(status) || pattern === `${Math.floor(status / 100)}xx`);
}
