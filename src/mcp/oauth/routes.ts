import { wireTime } from "../../contract/time.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, type AuditOutcome, route, type Route } from "../../http/route.ts";
import { bodyHead } from "../../http/schemas.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError, isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ConnectionRecord } from "./answers.ts";
import { type Connection, statusOf } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import type { BrowserAnswer, ConsentService } from "./consent.ts";
import { pageHeaders } from "./consent-page.ts";
import { type Addresses, PATHS, resourceMetadata, serverMetadata } from "./metadata.ts";
import { type Parameters, readForm, readQuery, OAuthFault } from "./parameters.ts";
import type { TokenService } from "./tokens.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const TAG = "MCP authentication";
/** More than any request needs. */
const BODY_BYTES = 16_384;
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/** Source: specification, MCP routes; RFC 6749, 7009, 8414, 9728. */
export function oauthRoutes({
  consent,
  tokens,
  addresses,
}: {
  consent: ConsentService;
  tokens: TokenService;
  addresses: Addresses;
}): Route[] {
  return [...metadataRoutes(addresses), ...consentRoutes(consent), ...tokenRoutes(tokens)];
}

function metadataRoutes(addresses: Addresses): Route[] {
  // Any program may read them, and those in a browser are of any origin.
  const document = { method: "GET", tag: TAG, access: "open", anyOrigin: true } as const;
  const headers = { "cache-control": "public, max-age=300" };
  return [
    route({
      ...document,
      path: PATHS.serverMetadata,
      summary: "How a client is authorized (RFC 8414)",
      responses: { 200: answer("serverMetadataDocument") },
      handle: () => new Answer(200, serverMetadata(addresses), headers),
    }),
    ...[PATHS.resourceMetadata, PATHS.resourceMetadata + PATHS.mcp].map((path) =>
      route({
        ...document,
        path,
        summary: "What /mcp asks of a client (RFC 9728)",
        responses: { 200: answer("resourceMetadataDocument") },
        handle: () => new Answer(200, resourceMetadata(addresses), headers),
      }),
    ),
  ];
}

function consentRoutes(consent: ConsentService): Route[] {
  const page = { path: PATHS.authorize, tag: TAG, access: "public" } as const;
  return [
    route({
      ...page,
      method: "GET",
      summary: "Ask a person to let a client in: a page. PKCE with S256 is needed",
      query: taken("authorizeQuery"),
      responses: { 200: "text/html", 303: "", 400: "text/html" },
      handle: ({ query, headers, clientAddress }) => answerBrowser(() => consent.ask(readQuery(query), { headers, clientAddress })),
    }),
    route({
      ...page,
      method: "POST",
      summary: "What the person answers; leads back to the client",
      body: bodyHead,
      bodyHeadBytes: BODY_BYTES,
      responses: { 303: "", 400: "text/html", 401: "text/html", 429: "text/html" },
      auditOutcome: ({ headers }) => deniedBy(String(headers["location"] ?? "")),
      handle: ({ body, headers, clientAddress }) => answerBrowser(() => consent.decide(readForm(textOf(body)), { headers, clientAddress })),
    }),
  ];
}

/** A denial leads back to the client as well. */
function deniedBy(location: string): AuditOutcome {
  const error = URL.parse(location)?.searchParams.get("error") ?? undefined;
  return error === undefined ? "done" : { refused: error };
}

function tokenRoutes(tokens: TokenService): Route[] {
  const program = {
    method: "POST",
    tag: TAG,
    access: "public",
    query: taken("anyQuery"),
    body: bodyHead,
    bodyHeadBytes: BODY_BYTES,
  } as const;
  return [
    route({
      ...program,
      path: PATHS.token,
      unaudited: "it follows from a consent, which is recorded",
      summary: "Tokens for a code or a refresh token, to the client that proves to be it",
      responses: { 200: answer("tokenAnswer"), 400: answer("oauthError"), 401: answer("oauthError"), 503: answer("oauthError") },
      handle: ({ query, body, headers: { authorization } }) =>
        answerProgram(async () => new Answer(200, await tokens.give(authorization, readBody(query, body)), NO_STORE)),
    }),
    route({
      ...program,
      path: PATHS.revoke,
      summary: "End the connection of a token (RFC 7009); the answer is the same whether or not there is such a token",
      responses: { 200: "", 400: answer("oauthError"), 401: answer("oauthError"), 503: answer("oauthError") },
      handle: ({ query, body, headers: { authorization } }) =>
        answerProgram(async () => {
          await tokens.revoke(authorization, readBody(query, body));
          return new Answer(200, undefined, NO_STORE);
        }),
    }),
  ];
}

async function answerBrowser(work: () => BrowserAnswer | Promise<BrowserAnswer>): Promise<Answer> {
  const outcome = await understood(work);
  if (outcome.kind === "redirect")
    return new Answer(303, undefined, { ...NO_STORE, "referrer-policy": "no-referrer", location: outcome.location });
  const again = outcome.again === undefined ? {} : { refresh: `0; url=${outcome.again}` };
  return new Answer(outcome.status, outcome.page, { ...pageHeaders(outcome.kind), ...again });
}

/** What cannot be read is no request that a page could be about. */
async function understood<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OAuthFault ? new ServiceError("invalid_request", error.message) : error;
  }
}

/** In the words of OAuth, which clients know, and not in those of this service. */
async function answerProgram(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const fault = isServiceError(error, "storage_unavailable") ? new OAuthFault("temporarily_unavailable", error.message) : error;
    if (!(fault instanceof OAuthFault)) throw error;
    const challenge = fault.status === 401 ? { "www-authenticate": 'Basic realm="binnacle", charset="UTF-8"' } : {};
    return new Answer(fault.status, { error: fault.code, error_description: fault.message }, { ...JSON_TYPE, ...NO_STORE, ...challenge });
  }
}

/** Addresses are written into logs on their path: what stands there is known to others and is not taken. */
function readBody(query: Readonly<Record<string, unknown>>, body: Buffer | undefined): Parameters {
  if (Object.keys(query).length > 0) throw new OAuthFault("invalid_request", "Parameters belong into the body, none into the address.");
  if ((body?.length ?? 0) >= BODY_BYTES) throw new OAuthFault("invalid_request", "The body is too long.");
  return readForm(textOf(body));
}

function textOf(body: Buffer | undefined): string {
  return body?.toString() ?? "";
}

export interface ConnectionRoutesParts {
  store: Pick<ConnectionStore, "list" | "end">;
  /** A connection has ended. */
  onEnd(connectionId: number): void;
  clock: Clock;
  log: Log;
}

/** Who is connected, for the operator. */
export function connectionRoutes({ store, onEnd, clock, log }: ConnectionRoutesParts): Route[] {
  const all = { path: "/api/v1/mcp/connections", tag: "MCP", access: "admin" } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List the connections of MCP clients, the newest first",
      responses: { 200: answer("connectionList") },
      async handle() {
        const now = clock.now();
        return { connections: (await store.list()).map((each) => connectionRecord(each, now)) };
      },
    }),
    route({
      ...all,
      path: `${all.path}/{id}`,
      method: "DELETE",
      summary: "End a connection: its tokens are worth nothing from now on",
      params: taken("connectionParams"),
      responses: { 204: "" },
      async handle({ params: { id } }) {
        if (!(await store.end(id, clock.now()))) throw new ServiceError("not_found", `There is no MCP connection ${id}.`);
        onEnd(id);
        log.info({ connection_id: id }, "an MCP connection was revoked");
      },
    }),
  ];
}

function connectionRecord(connection: Connection, now: Date): ConnectionRecord {
  return {
    id: connection.id,
    client_name: connection.clientName,
    redirect_uri: connection.redirectUri,
    scopes: [...connection.scopes],
    created_at: connection.createdAt.toISOString(),
    last_used_at: wireTime(connection.lastUsedAt),
    expires_at: connection.expiresAt.toISOString(),
    status: statusOf(connection, now),
  };
}
