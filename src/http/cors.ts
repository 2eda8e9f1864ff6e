import type { IncomingHttpHeaders } from "node:http";
import type { HttpConfig } from "./http-config.ts";

export interface Cors {
  /** Headers of every response. */
  headers(origin: string | undefined): Readonly<Record<string, string>>;
  /** Further headers of the answer to a preflight; empty when the origin may not ask. */
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
const EXPOSED = "X-Request-Id, Retry-After, Mcp-Session-Id, WWW-Authenticate";
