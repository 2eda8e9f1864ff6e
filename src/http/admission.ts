import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { PROBE_MARK } from "../platform/probe-mark.ts";
import type { AdminAccess, AdminCaller } from "./admin-access.ts";
import { clientAddress } from "./client-address.ts";
import type { HttpConfig, HttpLimits } from "./http-config.ts";
import { REQUEST_RATES } from "./http-config.ts";
import { createOriginGuard, type PublicDomain, type SecurityHeaders } from "./origin-guard.ts";
import { createTokenBuckets } from "./rate-limit.ts";
import type { Limiter } from "./rate-limit.ts";
import type { Route } from "./route.ts";

/** Throws unless the present edition grants the capability. */
export type Gate = (capability: string) => void;

/** Methods that pages of other sites may send, since they change nothing here and those pages cannot read the answer. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Paths that machines request with any Host, so that no ping or probe is lost. */
const ANY_HOST = /^\/(ping|status|metrics|api\/v1\/(health|ready))(\/|$)/;

/** The parts of a request that admission reads; it sets `clientAddress`, `caller` and `isStranger`. */
export type AdmittedRequest = Pick<FastifyRequest, "method" | "url" | "headers" | "clientAddress"> & {
  caller?: AdminCaller | undefined;
  /** It was admitted without the admin token, and learns only the status. */
  isStranger?: boolean;
  raw: Pick<FastifyRequest["raw"], "socket" | "httpVersion" | "headers" | "url">;
};

/** Checks that every request passes before more than its headers is read. */
export interface Admission {
  /** Sets the headers of every response. */
  addHeaders(request: FastifyRequest, reply: FastifyReply): void;
  /** Finds the client's address; throws the first reason to refuse the request. */
  admit(request: AdmittedRequest, definition: Route | undefined, limiter: Limiter | undefined): void;
}

export function createAdmission({
  config,
  limits,
  clock,
  cors,
  securityHeaders,
  adminAccess,
  gate,
  publicDomain,
}: {
  config: HttpConfig;
  limits: HttpLimits;
  clock: Clock;
  cors: Cors;
  securityHeaders: SecurityHeaders;
  adminAccess: AdminAccess | undefined;
  gate: Gate;
  publicDomain: PublicDomain;
}): Admission {
  const origin = createOriginGuard(config);
  const buckets = {
    admin: createTokenBuckets({ ...REQUEST_RATES.admin, clock }),
    public: createTokenBuckets({ ...REQUEST_RATES.public, clock }),
  };

  return {
    addHeaders(request, reply) {
      reply
        .headers(securityHeaders(pathOf(request)))
        .headers(cors.headers(request.headers.origin))
        .header("x-request-id", request.id);
      if (request.routeOptions.config.definition?.anyOrigin === true) reply.header("access-control-allow-origin", "*");
    },
    admit(request, definition, limiter) {
      const { headers, method, raw } = request;
      const address = clientAddress(raw.socket.remoteAddress ?? "", headers, config.trustedProxies);
      request.clientAddress = address;
      const isHidden = publicDomain.hides(raw);
      const access = isHidden ? "public" : (definition?.access ?? accessOfPath(pathOf(request)));
      if (access !== "open" && !buckets[access].admits(address)) throw tooMany();
      if (request.url.length > limits.urlLength) throw new ServiceError("invalid_request", "The address is too long.");
      if (isHidden) throw new ServiceError("not_found", "There is nothing at this address.");
      if (!publicDomain.isAsked(raw)) origin.checkHost(headers.host, raw.httpVersion, ANY_HOST.test(pathOf(request)));
      if (access === "admin" && headers[PROBE_MARK] !== undefined && definition?.answersProbes !== true) {
        throw new ServiceError(
          "probe_refused",
          "Checks of endpoints are not answered here. They may ask /api/v1/health and /api/v1/ready.",
        );
      }
      if (definition?.onlyKnownSites === true || !SAFE_METHODS.has(method)) origin.checkOrigin(headers);
      // A route's own quota is small: requests that another site makes a browser send must not use it up.
      if (limiter?.admits(address) === false) throw tooMany();
      // Checked for every caller, with or without credentials. Source: specification, Edition gating.
      if (definition?.capability !== undefined) gate(definition.capability);
      const isPreflight = method === "OPTIONS";
      if (adminAccess === undefined || access !== "admin" || isPreflight) return;
      request.caller = adminAccess.callerOf(request);
      request.isStranger = request.caller === undefined && definition?.statusForStrangers === true && headers.authorization === undefined;
      if (request.caller === undefined && !request.isStranger) {
        throw new ServiceError("unauthorized", "This needs the admin token: send it as a bearer token, or log in at /login.");
      }
    },
  };
}

function tooMany(): ServiceError {
  return new ServiceError("rate_limited", "Too many requests");
}

/** The path as it was sent, without the query. */
export function pathOf({ url }: Pick<FastifyRequest, "url">): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

/** The access of a path without a route: that of the routes next to it. */
function accessOfPath(path: string): Route["access"] {
  if (path.startsWith("/api/")) return "admin";
  return /^\/(ping|status|mcp|oauth)(\/|$)/.test(path) ? "public" : "open";
}

export interface Cors {
  /** The headers of every response. */
  headers(origin: string | undefined): Readonly<Record<string, string>>;
  /** The additional headers of a preflight's answer; empty when the origin may not send the request. */
  preflight(headers: IncomingHttpHeaders, methods: readonly string[]): Readonly<Record<string, string>>;
}

const NONE = Object.freeze({});
const VARY = Object.freeze({ vary: "Origin" });

/** Source: specification, Limits, SERVICE_CORS_ORIGINS. */
export function createCors(origins: HttpConfig["corsOrigins"]): Cors {
  const headersOf = corsHeaders(origins);
  return {
    headers: headersOf,
    preflight(headers, methods) {
      if (headers["access-control-request-method"] === undefined || !("access-control-allow-origin" in headersOf(headers.origin)))
        return NONE;
      return {
        // Under `*` other sites may only read, see origin-guard.ts.
        "access-control-allow-methods": (origins === "*"
          ? methods.filter((method) => method === "GET" || method === "HEAD")
          : methods
        ).join(", "),
        "access-control-allow-headers": ASKED,
        "access-control-max-age": "600",
      };
    },
  };
}

function corsHeaders(origins: HttpConfig["corsOrigins"]): Cors["headers"] {
  if (origins === undefined) return () => NONE;
  if (origins === "*") {
    const any = Object.freeze({ "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED });
    return () => any;
  }
  const listed = new Map(
    origins.map((origin) => [
      origin,
      Object.freeze({ ...VARY, "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED }),
    ]),
  );
  return (origin) => listed.get(origin ?? "") ?? VARY;
}

// The last ones are those of MCP, whose clients may be pages of a listed site.
const ASKED = "Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name";
const EXPOSED = "X-Request-Id, X-Last-Event-Id, Retry-After, Mcp-Session-Id, WWW-Authenticate";
