import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { createTokenBuckets } from "../../http/rate-limit.ts";
import { Answer, type RouteRequest } from "../../http/route.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Grant } from "../access.ts";
import { calledTool, isInitialize, messagesOf, requestIdOf } from "./messages.ts";
import { type Caller, NO_READING, type Protocol } from "./protocol.ts";
import { createSessions, type Session } from "./sessions.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

type Given = RouteRequest<undefined, undefined, unknown>;

/** What answers HTTP: every version of the protocol. */
export interface Exchange {
  /** Whether this grant does not permit a tool that the body calls; which of them would change something is kept. */
  refuses(grant: Grant, body: unknown): Promise<boolean>;
  post(request: Given, grant: Grant): Promise<Answer>;
  /** GET and DELETE, which only sessions have. */
  inSession(request: Given, grant: Grant): Promise<Answer>;
  /** Lets the client of a lasting connection subscribe. */
  subscriptions: Subscriptions;
  /** Ends all that is open under a grant. */
  endGrant(grantId: number): Promise<void>;
  stop(): Promise<void>;
}

/** The last version with batches of messages. */
const LAST_WITH_BATCHES = "2025-03-26";
const MOST_IN_BATCH = 20;
/** Refusals that are kept of one connection, and of all without one: a flood of them must not fill the database. */
const NOTED = { perSecond: 1 / 60, burst: 20 };
/** How long a POST may wait for its turn and its answer. */
const ANSWER_MS = 2 * MINUTE_MS;
/** A token lives no longer; a client comes back to its stream with the next one. */
const STREAM_MS = HOUR_MS;
const MOST_STREAMS = 200;
/** Of these, of one connection: one for each of its sessions, and as many that listen without one. */
const MOST_STREAMS_OF_ONE = 40;
const MOST_LISTENING = 100;
/** What one of them may subscribe to: a hundred addresses of 500 characters. */
const MOST_LISTENED_CHARACTERS = 50_000;

const OPENING = Buffer.from(": open\n\n");

/** What the SDK reads of a request; the token stays with us. */
const READ_HEADERS = new Set(["accept", "content-type", "last-event-id"]);

export function createExchange({ protocol, clock, log }: { protocol: Protocol; clock: Clock; log: Log }): Exchange {
  const { sdk } = protocol;
  const sessions = createSessions({ sdk, clock });
  const noted = createTokenBuckets({ ...NOTED, clock });
  const grants = new WeakMap<Request, Grant>();
  const streams = new Map<Readable, { grantId: number | null; timer: Timer }>();
  const modern = sdk.createMcpHandler(
    ({ requestInfo }) => protocol.serve(callerOf(requestInfo === undefined ? undefined : grants.get(requestInfo))),
    {
      legacy: "reject",
      maxSubscriptions: MOST_LISTENING,
      onerror: ({ name }) => log.debug({ reason: name }, "MCP message not served"),
    },
  );
  const subscriptions = createSubscriptions({ resources: protocol.resources, onUpdated: modern.notify.resourceUpdated, clock });

  /** Keeps what stays open, to end it when it must not any longer. */
  function keep(stream: Readable, grantId: number | null, onClosed: () => void): void {
    streams.set(stream, { grantId, timer: clock.after(STREAM_MS, () => stream.destroy()) });
    stream.once("error", () => undefined);
    stream.once("close", () => {
      streams.get(stream)?.timer.cancel();
      streams.delete(stream);
      onClosed();
    });
  }

  function refuseStreams(grant: Grant): void {
    const own = grant.id === null ? [] : [...streams.values()].filter(({ grantId }) => grantId === grant.id);
    if (streams.size < MOST_STREAMS && own.length < MOST_STREAMS_OF_ONE) return;
    throw new ServiceError("rate_limited", "Too many streams are open. Close one, or try again later.");
  }

  async function begin(asked: Request, { body }: Given, grant: Grant): Promise<Answer> {
    const caller = callerOf(grant);
    const server = protocol.serve(caller, { isSession: true });
    subscriptions.accept(server, caller);
    const session = await sessions.begin(grant, { server, caller });
    const response = await session.transport.handleRequest(asked, { parsedBody: body });
    if (session.transport.sessionId === undefined) await server.close();
    return answerOf(response, () => undefined);
  }

  async function postIn(session: Session, asked: Request, { body }: Given): Promise<Answer> {
    if (Array.isArray(body)) {
      if ((session.server.getNegotiatedProtocolVersion() ?? "") > LAST_WITH_BATCHES)
        return rpcAnswer(400, -32_600, "This version of the protocol has no batches.");
      if (body.length > MOST_IN_BATCH) return rpcAnswer(400, -32_600, `A batch may have ${MOST_IN_BATCH} messages.`);
    }
    const ids = messagesOf(body).flatMap((message) => requestIdOf(message) ?? []);
    const isTwice = new Set(ids).size < ids.length || ids.some((id) => session.pending.has(id));
    if (isTwice) return rpcAnswer(400, -32_600, "A request of this id waits for its answer already.");
    for (const id of ids) session.pending.add(id);
    try {
      return await inTime(session, session.transport.handleRequest(asked, { parsedBody: body }), body);
    } finally {
      for (const id of ids) session.pending.delete(id);
    }
  }

  /** The SDK does not answer everything, and nobody may wait forever. */
  async function inTime({ ended }: Session, response: Promise<Response>, body: unknown): Promise<Answer> {
    const late = Promise.withResolvers<Answer>();
    const timer = clock.after(ANSWER_MS, () => late.resolve(lateAnswer(body)));
    try {
      const first = await Promise.race([response, late.promise, ended]);
      if (first === undefined) return rpcAnswer(404, -32_001, "This session has ended.");
      return first instanceof Answer ? first : await answerOf(first, () => undefined);
    } finally {
      timer.cancel();
    }
  }

  /** A change that has begun cannot be taken back. */
  async function lateAnswer(body: unknown): Promise<Answer> {
    const calls = messagesOf(body).flatMap((message) => calledTool(message) ?? []);
    const isWrite = (await Promise.all(calls.map(({ name }) => protocol.writes(name)))).includes(true);
    const what = isWrite ? ". The change may still be made: look whether it was before you try again." : " and was given up.";
    return rpcAnswer(503, -32_603, `The answer took too long${what}`);
  }

  /** The session that a request names, or the refusal. */
  function sessionOf({ headers }: Given, grant: Grant): Session | Answer {
    const id = headers["mcp-session-id"];
    if (typeof id !== "string")
      return rpcAnswer(400, -32_000, "The header Mcp-Session-Id is missing: send the one that initialize was answered with.");
    return sessions.find(id, grant) ?? rpcAnswer(404, -32_001, "There is no such session. Begin one with initialize.");
  }

  return {
    async refuses(grant, body) {
      const calls = messagesOf(body).flatMap((message) => calledTool(message) ?? []);
      const verdicts = await Promise.all(calls.map(({ name }) => protocol.refuses(grant.scopes, name)));
      const refused = calls.filter((_, index) => verdicts[index]);
      // Of more messages at once none is answered.
      for (const call of refused.slice(0, MOST_IN_BATCH))
        if (noted.admits(String(grant.id))) await protocol.noteRefused(callerOf(grant), call);
      return refused.length > 0;
    },
    async post(request, grant) {
      const asked = webRequest(request);
      if (!(await sdk.isLegacyRequest(asked, request.body))) {
        for (const { method, params } of messagesOf(request.body)) {
          if (method !== "subscriptions/listen") continue;
          if (!grant.scopes.includes("monitor:read")) return rpcAnswer(403, -32_600, NO_READING);
          if (JSON.stringify(params ?? null).length > MOST_LISTENED_CHARACTERS)
            return rpcAnswer(400, -32_602, "That is too much to listen to.");
          refuseStreams(grant);
        }
        grants.set(asked, grant);
        return answerOf(await modern.fetch(asked, { parsedBody: request.body }), (stream) => keep(stream, grant.id, () => undefined));
      }
      if (isInitialize(request.body) && request.headers["mcp-session-id"] === undefined) return begin(asked, request, grant);
      const session = sessionOf(request, grant);
      return session instanceof Answer ? session : postIn(session, asked, request);
    },
    async inSession(request, grant) {
      if (request.method === "HEAD") return new Answer(405, undefined, { allow: "GET, POST, DELETE" });
      const session = sessionOf(request, grant);
      if (session instanceof Answer) return session;
      if (request.method === "GET") refuseStreams(grant);
      return answerOf(await session.transport.handleRequest(webRequest(request)), (stream) => {
        session.streams += 1;
        keep(stream, grant.id, () => {
          session.streams -= 1;
          session.usedAtMs = clock.monotonicMs();
        });
      });
    },
    subscriptions,
    async endGrant(grantId) {
      await sessions.end(grantId);
      for (const [stream, { grantId: ofGrant }] of streams) if (ofGrant === grantId) stream.destroy();
    },
    async stop() {
      subscriptions.stop();
      await Promise.all([sessions.end(), modern.close()]);
    },
  };
}

function callerOf(grant: Grant | undefined): Caller {
  return {
    key: typeof grant?.id === "number" ? `grant ${grant.id}` : "open",
    scopes: grant?.scopes ?? [],
    name: grant?.clientName ?? null,
  };
}

/** A request as the web has it, without its body: that is parsed. */
function webRequest({ method, headers, signal }: Pick<RouteRequest<never, never, never>, "method" | "headers" | "signal">): Request {
  const forwarded = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && (READ_HEADERS.has(name) || name.startsWith("mcp-")) ? [[name, value]] : [],
  );
  return new Request("http://binnacle/mcp", { method, headers: forwarded, signal });
}

/** Of the web's answer the same for our server; `onStream` is given one that stays open. */
async function answerOf(response: Response, onStream: (stream: Readable) => void): Promise<Answer> {
  const headers = Object.fromEntries(response.headers);
  // What belongs to the connection is the server's to say.
  delete headers["connection"];
  headers["cache-control"] ??= "no-store";
  if (response.body === null) return new Answer(response.status, undefined, headers);
  if (headers["content-type"]?.startsWith("text/event-stream") !== true)
    return new Answer(response.status, Buffer.from(await response.arrayBuffer()), headers);
  const stream = Readable.fromWeb(response.body as ReadableStream);
  // Without a first word the headers would wait for it, and the client for them.
  stream.unshift(OPENING);
  onStream(stream);
  return new Answer(response.status, stream, headers);
}

/** An error of JSON-RPC that is about no one request. */
function rpcAnswer(status: number, code: number, message: string): Answer {
  return new Answer(
    status,
    { jsonrpc: "2.0", id: null, error: { code, message } },
    { "content-type": "application/json", "cache-control": "no-store" },
  );
}
