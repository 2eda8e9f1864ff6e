import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError, StartError, messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { AdminAccess, AdminCaller } from "./admin-access.ts";
import { createAudit, isAudited } from "./audit.ts";
import type { AuditSink } from "./audit.ts";
import { createAdmission } from "./admission.ts";
import type { Gate } from "./admission.ts";
import { addBodyHeadParser } from "./body-head.ts";
import { addBodyParsers } from "./body-parsers.ts";
import { createCompression } from "./compression.ts";
import { answerConnectionError } from "./connection-errors.ts";
import { createCors } from "./cors.ts";
import { createFallback, type Fallback } from "./fallback.ts";
import { closeGently } from "./gentle-close.ts";
import { HTTP_LIMITS } from "./http-config.ts";
import type { HttpConfig, HttpLimits } from "./http-config.ts";
import { loginRoutes, sessionRoute } from "./login.ts";
import { createMetrics } from "./metrics.ts";
import { createMethodTable } from "./methods.ts";
import { openApiRoute } from "./openapi.ts";
import { createQuota } from "./quota.ts";
import type { Limiter } from "./rate-limit.ts";
import { registerRefusal, registerRoute } from "./register-routes.ts";
import { createReadyLane } from "./ready.ts";
import { knownError, sendError } from "./replies.ts";
import type { Route } from "./route.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import type { Session } from "./session.ts";
import { createSessionStreams } from "./session-streams.ts";
import { openSite } from "./site.ts";
import { createEventStreams } from "./sse.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** After the trusted-proxy walk. */
    clientAddress: string;
    /** Who sent it, where there is an admin token and its route asks for it. */
    caller: AdminCaller | undefined;
    /** It was let in without the admin token, for the status of the answer alone. */
    isStranger: boolean;
    /** More was sent than is read. */
    bodyIsCutOff: boolean;
  }
  interface FastifyContextConfig {
    definition?: Route;
    limiter?: Limiter;
    /** Its path is not asked by this method; see methods.ts. */
    isRefused?: true;
  }
}

/** What is received too slowly is ended up to so much late. Node looks whether there are connections or not. */
const CONNECTIONS_CHECKED_EVERY_MS = 2500;

export interface HttpServerOptions {
  routes: readonly Route[];
  config: HttpConfig;
  /** Who may use /api/v1 and the web app; without it everybody may. */
  adminAccess?: AdminAccess | undefined;
  clock: Clock;
  log: Log;
  version: string;
  /** Where what changes something is kept. */
  audit?: AuditSink | undefined;
  /** Asked before a route with a capability is answered; without it every capability is granted. */
  gate?: Gate;
  /** The folder of the built web app. */
  webRoot?: string;
  /** Answers what no route does, in place of the web app. */
  fallback?: Fallback;
  /** Leaves out what the server answers by itself: metrics, the session, the login form and the OpenAPI document. */
  isBare?: boolean;
  limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  /** For requests without a port, in tests. */
  readonly fastify: FastifyInstance;
  /** All that is answered: the given routes and the server's own. */
  readonly routes: readonly Route[];
  /** Opens the port. Throws a StartError when it cannot. */
  start(): Promise<{ address: string; port: number; url: string }>;
  /** Where it listens: `localhost` may be two. */
  addresses(): readonly AddressInfo[];
  /** Closes the port, ends the event streams, and waits a bounded time for the answers under way. */
  stop(): Promise<void>;
}

/** The HTTP server: every route as data, behind one door with the headers, limits and checks that all of them share. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, adminAccess, clock, log, version, gate = () => undefined } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const site = openSite(options.webRoot);
  const securityHeaders = createSecurityHeaders(site.indexHtml);
  const cors = createCors(config.corsOrigins);
  const streams = createEventStreams({ limits, clock, log });
  const metrics = createMetrics({ countStreams: streams.count, adminAccess });
  const sessionStreams = adminAccess && createSessionStreams({ ended: adminAccess.endedSessions, clock });
  const ownRoutes = [metrics.route, sessionRoute(adminAccess), ...(adminAccess === undefined ? [] : loginRoutes(adminAccess))];
  const described = [...options.routes, ...ownRoutes];
  const openApi = openApiRoute({ routes: described, version, hasToken: adminAccess !== undefined });
  const routes = options.isBare === true ? options.routes : [...described, openApi];
  const audit = options.audit && createAudit({ routes, sink: options.audit, adminAccess, clock, log });
  const methods = createMethodTable(routes);
  const fallback = options.fallback ?? createFallback({ methods, site, cors, adminAccess });
  const admission = createAdmission({ config, limits, clock, cors, securityHeaders, adminAccess, gate });

  const fastify = Fastify({
    ...boundsOf(limits),
    bodyLimit: config.maxBodyBytes,
    genReqId: () => randomUUID(),
    frameworkErrors(error, request, reply) {
      admission.addHeaders(request, reply);
      answerError(error, request, reply);
    },
    clientErrorHandler(error, socket) {
      answerConnectionError(error, socket, { ...securityHeaders("/"), "x-request-id": randomUUID() });
    },
  });

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!request.raw.complete) closeGently(request.raw, clock);
    const { config: facts, bodyLimit = config.maxBodyBytes } = request.routeOptions;
    const { definition } = facts;
    const known = knownError(error, { definition, bodyLimit });
    if (definition !== undefined && isAudited(definition)) audit?.refused(definition, request, known ?? { code: "internal" });
    if (known !== undefined) return sendError(reply, known);
    log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, "request failed");
    sendError(reply, new ServiceError("internal", "Something went wrong here. The log has the details under this request's X-Request-Id."));
  }

  async function answerFallback(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await fallback(request, reply);
    } catch (error) {
      answerError(error, request, reply);
    }
  }

  function keepSession(session: Session, { routeOptions }: FastifyRequest, reply: FastifyReply): void {
    const renewed = adminAccess?.renewSession(session);
    if (renewed !== undefined) reply.header("set-cookie", renewed);
    if (routeOptions.config.definition?.stream === true) sessionStreams?.hold(session, reply.raw);
  }

  fastify.decorateRequest("clientAddress", "");
  fastify.decorateRequest("caller", undefined);
  fastify.decorateRequest("isStranger", false);
  fastify.decorateRequest("bodyIsCutOff", false);
  fastify.addHook("onRequest", (request, reply, done) => {
    admission.addHeaders(request, reply);
    const { definition, limiter, isRefused } = request.routeOptions.config;
    admission.admit(request, definition, limiter);
    if (request.caller?.kind === "session") keepSession(request.caller.session, request, reply);
    if (!request.is404 && isRefused !== true) return done();
    // Answered before its body: what no route takes is not read.
    void answerFallback(request, reply);
  });
  fastify.addHook("onSend", createCompression());
  fastify.addHook("onResponse", (request, reply, done) => {
    metrics.observe(reply, request.routeOptions.config.definition);
    done();
  });
  fastify.setErrorHandler(answerError);
  addBodyParsers(fastify, limits.jsonDepth);
  const tools = { clock, log, limits, streams, audit, maxBodyBytes: config.maxBodyBytes };
  for (const each of routes) if (each.bodyHeadBytes === undefined) registerRoute(fastify, each, tools);
  for (const { method, path } of methods.refused) registerRefusal(fastify, method, path);
  void fastify.register((scope, _options, done) => {
    addBodyHeadParser(scope, { mostBytes: config.maxBodyBytes, clock });
    for (const each of routes) if (each.bodyHeadBytes !== undefined) registerRoute(scope, each, tools);
    done();
  });

  const lane = createReadyLane({ routes, admission, securityHeaders, cors, count: metrics.countReady });
  const usualWay = fastify.server.listeners("request");
  fastify.server.removeAllListeners("request").on("request", (request, response) => {
    if (!lane.answers(request, response)) for (const handle of usualWay) handle.call(fastify.server, request, response);
  });
  fastify.server.maxConnections = limits.connections;
  const connections = createQuota({ total: limits.connections, perAddress: limits.connectionsPerClient }, config.trustedProxies);
  // Before Node reads a byte of it.
  fastify.server.prependListener("connection", (socket) => {
    const leave = connections.enter(socket.remoteAddress ?? "");
    if (leave === undefined) socket.destroy();
    else socket.once("close", leave);
  });
  fastify.server.on("drop", () => fastify.server.closeIdleConnections());
  // An unknown expectation is none of our business; without this Node answers it, and without our headers.
  fastify.server.on("checkExpectation", (request, response) => fastify.server.emit("request", request, response));

  return {
    fastify,
    routes,
    async start() {
      const { host, port } = config.listen;
      try {
        const url = await fastify.listen({ host, port });
        const { address, port: bound } = addressOf(fastify);
        return { address, port: bound, url };
      } catch (error) {
        throw new StartError(listenFault(error, host, port), { cause: error });
      }
    },
    addresses: () => fastify.addresses().filter((each) => typeof each === "object"),
    async stop() {
      lane.close();
      const closed = fastify.close();
      streams.stop();
      const cutOff = clock.after(limits.stopMs, () => fastify.server.closeAllConnections());
      await closed;
      cutOff.cancel();
    },
  };
}

/** How long and how large a request may be, for Fastify and for Node below it. */
function boundsOf(limits: HttpLimits) {
  return {
    requestTimeout: limits.receiveMs,
    connectionTimeout: limits.idleMs,
    keepAliveTimeout: limits.keepAliveMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestIdHeader: false,
    // Each route would set two timers for its plugin; here no plugin waits for anything.
    pluginTimeout: 0,
    // Schemas bound parameters by characters, of which one may take twelve in an address.
    routerOptions: { maxParamLength: limits.urlLength },
    // Routes bring no schemas of Fastify's kind, so what compiles those is not even loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    http: {
      maxHeaderSize: limits.headerBytes,
      // Node takes the shorter of its two timeouts for the headers, so both must be set.
      headersTimeout: limits.receiveMs,
      connectionsCheckingInterval: Math.min(CONNECTIONS_CHECKED_EVERY_MS, limits.receiveMs),
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: limits.idleMs,
    },
  } as const;
}

function noCompiler(): never {
  throw new TypeError("schemas are checked by route.ts, not by Fastify");
}

function addressOf(fastify: FastifyInstance): AddressInfo {
  const address = fastify.server.address();
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
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return `Cannot listen on ${host.includes(":") ? `[${host}]` : host}:${port}: ${LISTEN_FAULTS[code] ?? messageOf(error)}.`;
}
