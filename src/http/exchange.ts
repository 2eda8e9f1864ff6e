import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../platform/log.ts";
import type { Input } from "./input.ts";
import type { RouteRequest } from "./route.ts";

/** What a handler is given. The signal is made when first asked for, since most handlers answer at once. */
export class Exchange implements RouteRequest<never, never, never> {
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
