import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError, isServiceError, messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { isAudited } from "./audit.ts";
import { BULK_BODY_BYTES } from "./bulk.ts";
import type { Audit } from "./audit.ts";
import type { HttpLimits } from "./http-config.ts";
import { closeGently } from "./gentle-close.ts";
import { type Input, type InputParser, loadInputParser } from "./input.ts";
import { createWindowLimit } from "./rate-limit.ts";
import { JSON_MEDIA, type Replies } from "./replies.ts";
import type { Method, Route, RouteRequest } from "./route.ts";
import { EventStreamAnswer } from "./sse.ts";
import type { EventStreams } from "./sse.ts";

export interface RouteTools {
  clock: Clock;
  log: Log;
  limits: HttpLimits;
  replies: Replies;
  streams: EventStreams;
  /** Without it no operation is recorded. */
  audit: Audit | undefined;
  maxBodyBytes: number;
}

const GIVEN_UP = "The answer took too long. The work was given up; try again, or ask for less.";
/** A write that has begun cannot be taken back. */
const NOT_ENDED = "The answer took too long. The change may still be made; look whether it was before you try again.";

/** Adds a route to the server. */
export function registerRoute(fastify: FastifyInstance, definition: Route, tools: RouteTools): void {
  const { clock, log, limits, replies, streams, audit, maxBodyBytes } = tools;
  let parseInput: InputParser | undefined;
  const media = mediaOf(definition);
  const auditor = isAudited(definition) ? audit : undefined;

  fastify.route({
    method: definition.method === "GET" ? ["GET", "HEAD"] : definition.method,
    url: urlOf(definition.path),
    config: {
      definition,
      ...(definition.limit === undefined ? {} : { limiter: createWindowLimit({ ...definition.limit, clock }) }),
    },
    ...(definition.bulk === undefined ? {} : { bodyLimit: Math.max(maxBodyBytes, BULK_BODY_BYTES) }),
    ...(definition.before === undefined ? {} : { onRequest: answerBefore }),
    handler(request, reply) {
      // Its client keeps sending a body that is not read.
      if (request.bodyIsCutOff) reply.header("connection", "close");
      if (parseInput !== undefined) handle(request, reply, parseInput);
      else
        loadInputParser(definition)
          .then((parse) => handle(request, reply, (parseInput ??= parse)))
          .catch((error: unknown) => reply.send(error));
    },
  });

  function handle(request: FastifyRequest, reply: FastifyReply, parse: InputParser): void {
    const { params, query, body } = request;
    const exchange = new Exchange(request, reply, parse({ params, query, body }), log);
    const result = auditor === undefined ? definition.handle(exchange) : auditor.run(definition, exchange, request);
    if (!(result instanceof Promise)) answer(reply, result);
    else if (definition.stream === true) result.then((value) => answer(reply, value)).catch((error: unknown) => reply.send(error));
    else answerInTime(reply, result, exchange);
  }

  /** An answer that is sent here ends the request: its body is not read. */
  async function answerBefore({ headers, raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const early = await definition.before?.({ headers });
    if (early === undefined) return undefined;
    if (!raw.complete) closeGently(raw, clock);
    await replies.sendResult(reply, early, media);
    return reply;
  }

  function answer(reply: FastifyReply, result: unknown): void {
    if (reply.request.isStranger === true) return replies.sendStatus(reply, result);
    if (!(result instanceof EventStreamAnswer)) return void replies.sendResult(reply, result, media);
    if (reply.request.method === "HEAD") {
      reply.header("content-type", media).send();
      return;
    }
    streams.open(reply, result, { client: reply.request.clientAddress, isPublic: definition.access === "public" });
  }

  function answerInTime(reply: FastifyReply, result: Promise<unknown>, exchange: Exchange): void {
    const timer = clock.after(limits.answerMs, () => {
      reply.request.isOverdue = true;
      reply.send(new ServiceError("request_timeout", definition.method === "GET" ? GIVEN_UP : NOT_ENDED));
      exchange.abort();
    });
    result
      .then(
        (value) => {
          if (!reply.sent) answer(reply, value);
        },
        (error: unknown) => {
          if (!reply.sent) return void reply.send(error);
          log.debug({ request_id: exchange.requestId, reason: messageOf(error) }, "request failed after its timeout");
          // What was aborted fails in many ways.
          auditor?.refused(definition, reply.request, isServiceError(error) ? error : { code: "request_timeout" });
        },
      )
      .catch((error: unknown) => reply.send(error))
      .finally(() => timer.cancel());
  }
}

/** Prevents a path from matching a parameter of another route: the request is answered as one with a method that the path does not take. */
export function registerRefusal(fastify: FastifyInstance, method: Method, path: string): void {
  fastify.route({
    method: method === "GET" ? ["GET", "HEAD"] : method,
    url: urlOf(path),
    config: { isRefused: true },
    handler: () => Promise.reject(new ServiceError("method_not_allowed", `${path} does not take ${method}.`)),
  });
}

/** In the syntax of the router: `:name` is a parameter, `::` is a colon. */
function urlOf(path: string): string {
  return path.replaceAll(":", "::").replace(/\{(\w+)\}/g, ":$1");
}

/** The media type of its first answer: JSON when a schema describes it. */
function mediaOf({ responses }: Route): string {
  const [first] = Object.values(responses);
  return typeof first === "string" ? first : JSON_MEDIA;
}

/** The input of a handler. The signal is made on first use, since most handlers answer at once. */
class Exchange implements RouteRequest<never, never, never> {
  readonly params: never;
  readonly query: never;
  readonly body: never;
  readonly log: Log;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #controller: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, { params, query, body }: Input, log: Log) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.log = log;
    this.#request = request;
    this.#reply = reply;
  }

  get method(): string {
    return this.#request.method;
  }

  get headers(): RouteRequest<never, never, never>["headers"] {
    return this.#request.headers;
  }

  get clientAddress(): string {
    return this.#request.clientAddress;
  }

  get peerAddress(): string {
    return this.#request.raw.socket.remoteAddress ?? "";
  }

  get requestId(): string {
    return this.#request.id;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const response = this.#reply.raw;
      const abortUnlessAnswered = (): void => {
        if (!response.writableFinished) controller.abort();
      };
      if (response.closed) abortUnlessAnswered();
      else response.once("close", abortUnlessAnswered);
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
  }
}
