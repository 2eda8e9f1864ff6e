import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { AdminAccess, AdminCaller } from "./admin-access.ts";
import { createAudit, isAudited } from "./audit.ts";
import type { AuditSink } from "./audit.ts";
import { createAdmission, type Gate, createCors } from "./admission.ts";
import { addBodyParsers, addBodyHeadParser } from "./body-parsers.ts";
import { createSessionStreams } from "./ended-sessions.ts";
import { createFallback, type Fallback } from "./fallback.ts";
import { closeGently, answerConnectionError } from "./gentle-close.ts";
import { HTTP_LIMITS } from "./http-config.ts";
import type { HttpConfig, HttpLimits } from "./http-config.ts";
import { loginRoutes, sessionRoute } from "./login.ts";
import { HttpListener } from "./listener.ts";
import { createMetrics } from "./metrics.ts";
import { createMethodTable } from "./methods.ts";
import { openApiRoute } from "./openapi.ts";
import type { Limiter } from "./rate-limit.ts";
import { registerRefusal, registerRoute } from "./register-routes.ts";
import { createReadyLane } from "./ready.ts";
import { createReplies, knownError } from "./replies.ts";
import type { Route } from "./route.ts";
import { createPublicDomain, createSecurityHeaders } from "./origin-guard.ts";
import type { Session } from "./session.ts";
import { openSite } from "./site.ts";
import { createEventStreams } from "./sse.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** After the forwarded headers of trusted proxies were applied. */
    clientAddress: string;
    /** The caller, if there is an admin token and the route requires it. */
    caller: AdminCaller | undefined;
    /** It was admitted without the admin token, and gets only the status of the answer. */
    isStranger: boolean;
    /** More was sent than is read. */
    bodyIsCutOff: boolean;
    /** It was answered before its handler ended; the audit log gets that end. */
    isOverdue: boolean;
  }
  interface FastifyContextConfig {
    definition?: Route;
    limiter?: Limiter;
    /** Its path does not take this method; see methods.ts. */
    isRefused?: true;
  }
}

export interface HttpServerOptions {
  routes: readonly Route[];
  config: HttpConfig;
  /** Controls access to /api/v1 and the web app; without it everybody has access. */
  adminAccess?: AdminAccess | undefined;
  clock: Clock;
  log: Log;
  version: string;
  /** Stores operations for the audit log. */
  audit?: AuditSink | undefined;
  /** Checks the capability of a route; without it every capability is granted. */
  gate?: Gate;
  /** The host name of the public status page, under which nothing else is answered; null: it has none. */
  publicDomain?: () => string | null;
  /** The id of the newest event of the stream of events. */
  newestEventId?: () => string;
  /** The folder of the built web app. */
  webRoot?: string;
  /** Answers requests that have no route, in place of the web app. */
  fallback?: Fallback;
  /** Leaves out the server's own routes: metrics, the session, the login form and the OpenAPI document. */
  isBare?: boolean;
  limits?: Partial<HttpLimits>;
  /** The port, if another part owns it and will close it; by default the server has its own. */
  listener?: HttpListener | undefined;
}

export interface HttpServer {
  /** For requests without a port, in tests. */
  readonly fastify: FastifyInstance;
  readonly listener: HttpListener;
  /** All routes: the given ones and the server's own. */
  readonly routes: readonly Route[];
  /** Opens the port, if it is not open, and answers there. Throws a StartError when it cannot. */
  start(): Promise<{ address: string; port: number; url: string }>;
  /** The addresses it listens at: `localhost` may be two. */
  addresses(): readonly AddressInfo[];
  /** Closes its own port, ends the event streams, and waits a bounded time for pending answers. */
  stop(): Promise<void>;
}

/** The HTTP server: every route as data, with shared headers, limits and checks. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, adminAccess, clock, log, version, gate = () => undefined } = options;
  const publicDomain = createPublicDomain(options.publicDomain ?? (() => null), config.trustedProxies);
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const site = openSite(options.webRoot);
  const securityHeaders = createSecurityHeaders(site.indexHtml);
  const cors = createCors(config.corsOrigins);
  const streams = createEventStreams({ limits, clock, log });
  const replies = createReplies();
  const metrics = createMetrics({ countStreams: streams.count, adminAccess });
  const sessionStreams = adminAccess && createSessionStreams({ ended: adminAccess.endedSessions, clock });
  const ownRoutes = [metrics.route, sessionRoute(adminAccess), ...(adminAccess === undefined ? [] : loginRoutes(adminAccess))];
  const described = [...options.routes, ...ownRoutes];
  const openApi = openApiRoute({ routes: described, version, hasToken: adminAccess !== undefined });
  const routes = options.isBare === true ? options.routes : [...described, openApi];
  const audit = options.audit && createAudit({ routes, sink: options.audit, adminAccess, clock, log });
  const methods = createMethodTable(routes);
  const fallback = options.fallback ?? createFallback({ methods, site, cors, adminAccess });
  const admission = createAdmission({ config, limits, clock, cors, securityHeaders, adminAccess, gate, publicDomain });

  const listener = options.listener ?? new HttpListener({ config, clock, limits });
  let usualWay: RequestListener = () => undefined;

  const fastify = Fastify({
    ...FASTIFY_OPTIONS,
    // Schemas limit parameters by characters, each of which may take twelve in an address.
    routerOptions: { maxParamLength: limits.urlLength },
    bodyLimit: config.maxBodyBytes,
    genReqId: () => randomUUID(),
    // The listener owns the port; this server is never opened.
    serverFactory(handler) {
      usualWay = handler;
      return createServer();
    },
    frameworkErrors(error, request, reply) {
      admission.addHeaders(request, reply);
      answerError(error, request, reply);
    },
  });

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!request.raw.complete) closeGently(request.raw, clock);
    const { config: facts, bodyLimit = config.maxBodyBytes } = request.routeOptions;
    const { definition } = facts;
    const known = knownError(error, { definition, bodyLimit });
    // Under the domain of the status page there is no such route, and the public could fill the audit log.
    if (definition !== undefined && isAudited(definition) && !request.isOverdue && !publicDomain.hides(request.raw))
      audit?.refused(definition, request, known ?? { code: "internal" });
    if (known !== undefined) return replies.sendError(reply, known);
    log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, "request failed");
    replies.sendError(
      reply,
      new ServiceError("internal", "Something went wrong here. The log has the details under this request's X-Request-Id."),
    );
  }

  async function answerFallback(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await replies.sendResult(reply, await fallback(request, reply), "");
    } catch (error) {
      answerError(error, request, reply);
    }
  }

  /** Before the answer is made, so that no event falls between the two; strangers are not shown how much happens. */
  function nameNewestEvent({ method, isStranger, routeOptions }: FastifyRequest, reply: FastifyReply): void {
    if (options.newestEventId === undefined || isStranger || routeOptions.config.definition?.access !== "admin") return;
    if (method === "GET" || method === "HEAD") reply.header("x-last-event-id", options.newestEventId());
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
  fastify.decorateRequest("isOverdue", false);
  fastify.addHook("onRequest", (request, reply, done) => {
    admission.addHeaders(request, reply);
    const { definition, limiter, isRefused } = request.routeOptions.config;
    admission.admit(request, definition, limiter);
    nameNewestEvent(request, reply);
    if (request.caller?.kind === "session") keepSession(request.caller.session, request, reply);
    if (!request.is404 && isRefused !== true) return done();
    // Answered before its body is read: nothing reads the body of a request without a route.
    void answerFallback(request, reply);
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    metrics.observe(reply, request.routeOptions.config.definition);
    done();
  });
  fastify.setErrorHandler(answerError);
  addBodyParsers(fastify, limits.jsonDepth);
  const tools = { clock, log, limits, replies, streams, audit, maxBodyBytes: config.maxBodyBytes };
  for (const each of routes) if (each.bodyHeadBytes === undefined) registerRoute(fastify, each, tools);
  for (const { method, path } of methods.refused) registerRefusal(fastify, method, path);
  void fastify.register((scope, _options, done) => {
    addBodyHeadParser(scope, { mostBytes: config.maxBodyBytes, clock });
    for (const each of routes) if (each.bodyHeadBytes !== undefined) registerRoute(scope, each, tools);
    done();
  });

  const lane = createReadyLane({ routes, admission, securityHeaders, cors, count: metrics.countReady });
  return {
    fastify,
    listener,
    routes,
    async start() {
      await listener.open();
      await fastify.ready();
      listener.answerBy({
        request(request, response) {
          request.url = publicDomain.urlOf(request);
          if (!lane.answers(request, response)) usualWay(request, response);
        },
        clientError(error, socket) {
          answerConnectionError(error, socket, { ...securityHeaders("/"), "x-request-id": randomUUID() });
        },
      });
      return { ...firstOf(listener.addresses), url: listener.url };
    },
    addresses: () => listener.addresses,
    async stop() {
      lane.close();
      const closed = fastify.close();
      const isOwn = options.listener === undefined;
      const portClosed = isOwn ? listener.close() : listener.answerBy(undefined);
      streams.stop();
      await Promise.all([closed, portClosed]);
    },
  };
}

const FASTIFY_OPTIONS = {
  return503OnClosing: false,
  exposeHeadRoutes: false,
  requestIdHeader: false,
  // Each route would set two timers for its plugin; no plugin here waits for anything.
  pluginTimeout: 0,
  // No route has schemas of Fastify's kind, so the compiler of those is not loaded.
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
} as const;

function noCompiler(): never {
  throw new TypeError("schemas are checked by route.ts, not by Fastify");
}

function firstOf([first]: readonly AddressInfo[]): { address: string; port: number } {
  if (first === undefined) throw new TypeError("the port is not open");
  return { address: first.address, port: first.port };
}
