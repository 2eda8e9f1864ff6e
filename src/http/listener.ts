import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { codeOf, messageOf, StartError } from "../platform/errors.ts";
import { HTTP_LIMITS, type HttpConfig, type HttpLimits } from "./http-config.ts";
import { createQuota, type Quota } from "./quota.ts";

/** A request that is received too slowly is ended up to this much late. Node checks at this interval whether or not there are connections. */
const CONNECTIONS_CHECKED_EVERY_MS = 2500;
/** How many requests may wait while the program starts; a page makes about twenty at once. */
const MOST_HELD = 256;

/** An answer that needs only Node. */
export interface PlainAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Answers while the program is still starting. */
export interface StartingAnswers {
  /** The immediate answer; undefined for a request that has to wait. */
  atOnce(request: IncomingMessage): PlainAnswer | undefined;
  /** The answer to a request that waited too long, or came when too many were waiting. */
  later(request: IncomingMessage): PlainAnswer;
}

/** Answers requests, once the program is ready. */
export interface Answerer {
  request: RequestListener;
  /** Answers a request that could not be parsed. */
  clientError(error: NodeJS.ErrnoException, socket: Socket): void;
}

export interface HttpListenerOptions {
  config: Pick<HttpConfig, "listen" | "trustedProxies">;
  clock: Clock;
  limits?: Partial<HttpLimits>;
  /** Without it every request waits. */
  starting?: StartingAnswers;
}

/**
 * The HTTP port. It may be open before the program can answer: then a bounded number of requests wait for a bounded time, so that no client is
 * refused during the start.
 */
export class HttpListener {
  readonly #config: HttpListenerOptions["config"];
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #starting: StartingAnswers | undefined;
  readonly #connections: Quota;
  /** Functions that release a held request, which the server then answers. */
  readonly #held = new Set<() => void>();
  readonly #servers: Server[] = [];
  #answerer: Answerer | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor({ config, clock, limits, starting }: HttpListenerOptions) {
    this.#config = config;
    this.#clock = clock;
    this.#limits = { ...HTTP_LIMITS, ...limits };
    this.#starting = starting;
    this.#connections = createQuota(
      { total: this.#limits.connections, perAddress: this.#limits.connectionsPerClient },
      config.trustedProxies,
    );
  }

  /** One server for each address: `localhost` may be two. */
  get servers(): readonly Server[] {
    return this.#servers;
  }

  get addresses(): AddressInfo[] {
    return this.#servers.map(addressOf);
  }

  /** The URL for a browser on this machine; empty until the port is open. */
  get url(): string {
    const [first] = this.addresses;
    if (first === undefined) return "";
    const address = first.address === "0.0.0.0" ? "127.0.0.1" : first.address;
    return `http://${address.includes(":") ? `[${address}]` : address}:${first.port}`;
  }

  /** Opens the port, only once however often it is called. Throws a StartError when it cannot. */
  open(): Promise<void> {
    return (this.#opening ??= this.#openAll());
  }

  /** From now on this answers requests, first those that wait; without an answerer requests wait. */
  answerBy(answerer: Answerer | undefined): void {
    // Requests that come while the port closes are answered as before.
    if (answerer === undefined && this.#closing !== undefined) return;
    this.#answerer = answerer;
    if (answerer !== undefined) for (const letGo of this.#held) letGo();
  }

  /** Closes the port, and waits a bounded time for pending answers. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #openAll(): Promise<void> {
    const { host, port } = this.#config.listen;
    try {
      const { address, port: bound } = await this.#bind(host, port);
      if (host !== "localhost") return;
      const others = (await lookup(host, { all: true })).filter((each) => each.address !== address);
      for (const other of others) await this.#bind(other.address, bound).catch(() => undefined);
    } catch (error) {
      throw new StartError(listenFault(error, host, port), { cause: error });
    }
  }

  async #bind(host: string, port: number): Promise<AddressInfo> {
    const server = this.#createServer();
    server.listen({ host, port });
    await once(server, "listening");
    this.#servers.push(server);
    return addressOf(server);
  }

  #createServer(): Server {
    const { receiveMs, idleMs, keepAliveMs, headerBytes, connections } = this.#limits;
    const answer = (request: IncomingMessage, response: ServerResponse): void => this.#answer(request, response);
    const server = createServer(
      {
        maxHeaderSize: headerBytes,
        requestTimeout: receiveMs,
        // Node uses the shorter of its two timeouts for the headers, so both must be set.
        headersTimeout: receiveMs,
        keepAliveTimeout: keepAliveMs,
        connectionsCheckingInterval: Math.min(CONNECTIONS_CHECKED_EVERY_MS, receiveMs),
        requireHostHeader: false,
        keepAlive: true,
        keepAliveInitialDelay: idleMs,
      },
      answer,
    );
    server.setTimeout(idleMs);
    server.maxConnections = connections;
    // Before Node reads a byte of the connection.
    server.prependListener("connection", (socket) => {
      const leave = this.#connections.enter(socket.remoteAddress ?? "");
      if (leave === undefined) socket.destroy();
      else socket.once("close", leave);
    });
    server.on("drop", () => server.closeIdleConnections());
    // An unknown expectation is ignored. Otherwise Node answers it without our headers.
    server.on("checkExpectation", answer);
    server.on("clientError", (error: Error, socket) => {
      if (this.#answerer === undefined) socket.destroy();
      else this.#answerer.clientError(error, socket as Socket);
    });
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#answerer !== undefined) return this.#answerer.request(request, response);
    const atOnce = this.#starting?.atOnce(request);
    if (atOnce !== undefined) return send(response, atOnce);
    if (this.#held.size < MOST_HELD && this.#closing === undefined) return this.#hold(request, response);
    this.#answerLater(request, response);
  }

  #hold(request: IncomingMessage, response: ServerResponse): void {
    const letGo = (): void => {
      overdue.cancel();
      response.off("close", letGo);
      this.#held.delete(letGo);
      if (response.destroyed) return;
      if (this.#answerer === undefined) this.#answerLater(request, response);
      else this.#answerer.request(request, response);
    };
    const overdue = this.#clock.after(this.#limits.answerMs, letGo);
    this.#held.add(letGo);
    response.on("close", letGo);
  }

  #answerLater(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false;
    send(response, this.#starting?.later(request) ?? { status: 503, headers: {}, body: "" });
  }

  async #closeAll(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    for (const letGo of this.#held) letGo();
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    const cutOff = this.#clock.after(this.#limits.stopMs, () => {
      for (const server of this.#servers) server.closeAllConnections();
    });
    await Promise.all(closed);
    cutOff.cancel();
  }
}

function send(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server does not listen on a TCP port");
  return address;
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or choose another address with SERVICE_ADDR",
  EACCES: "this user may not open that port. Choose one above 1023 with SERVICE_ADDR",
  EADDRNOTAVAIL: "this machine has no such address. Correct SERVICE_ADDR",
  ENOTFOUND: "the host name is not known. Correct SERVICE_ADDR",
};

function listenFault(error: unknown, host: string, port: number): string {
  return `Cannot listen on ${host.includes(":") ? `[${host}]` : host}:${port}: ${LISTEN_FAULTS[codeOf(error)] ?? messageOf(error)}.`;
}
