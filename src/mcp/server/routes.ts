import { z } from "zod";
import { Answer, route, type Route, type RouteRequest } from "../../http/route.ts";
import { errorEnvelope } from "../../http/schemas.ts";
import { SCOPES } from "../tool.ts";
import { McpRefusal, type Grant, type McpAccess } from "../access.ts";
import type { Exchange } from "./exchange.ts";
import { clientNameIn } from "./messages.ts";

export interface McpRoutesDependencies {
  access: McpAccess;
  /** Loads what answers, at the first request that may. */
  exchange: () => Promise<Exchange>;
  onClientNamed: (grantId: number, name: string) => void;
}

type Given = RouteRequest<undefined, undefined, unknown>;

/** The beginning of a session. */
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "example", version: "1.0.0" } },
};
const TAG = "MCP routes";
/** An error of JSON-RPC. Source: JSON-RPC 2.0, section 5.1. */
const rpcError = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  error: z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() }),
});
const refusal = z.union([rpcError, errorEnvelope]);
/** A caller without access learns how to get it; a caller with access gets errors in JSON-RPC. */
const REFUSALS = {
  400: refusal,
  401: errorEnvelope,
  403: refusal,
  404: refusal,
  405: refusal,
  406: refusal,
  409: refusal,
  415: refusal,
  503: refusal,
};

/** Streamable HTTP. Source: MCP, transports; specification, MCP routes. */
export function mcpRoutes({ access, exchange, onClientNamed }: McpRoutesDependencies): Route[] {
  /** Answers a caller who may ask; another learns how to become one. */
  async function answerCaller<Answered>(
    { headers }: Pick<Given, "headers">,
    serve: (grant: Grant) => Promise<Answered>,
  ): Promise<Answered | Answer> {
    try {
      return await serve(await access.admit(headers.authorization));
    } catch (error) {
      if (!(error instanceof McpRefusal)) throw error;
      const code = error.status === 401 ? "unauthorized" : "insufficient_scope";
      return new Answer(
        error.status,
        { error: { code, message: error.message } },
        { "www-authenticate": error.challenge, "cache-control": "no-store" },
      );
    }
  }

  function noteName(grant: Grant, body: unknown): void {
    const name = clientNameIn(body);
    if (name !== undefined && grant.id !== null && name !== grant.clientName) onClientNamed(grant.id, name);
  }

  const shared = {
    path: "/mcp",
    tag: TAG,
    access: "public",
    unaudited: "what its messages change is recorded as the tools that they call",
    stream: true,
    // Another site's page could keep streams open by GET, so it is refused like what changes something.
    onlyKnownSites: true,
    // Strangers are answered whatever they send. Who is not one is looked at again by `handle`: a token may end while a slow body comes.
    before: (request: Pick<Given, "headers">) => answerCaller(request, () => Promise.resolve(undefined)),
  } as const;

  return [
    route<undefined, undefined, unknown>({
      ...shared,
      method: "POST",
      summary: "Takes a message of an assistant's client and answers it",
      body: z.unknown().meta({ examples: [INITIALIZE] }),
      responses: { 200: [z.unknown(), "text/event-stream"], 202: "", ...REFUSALS },
      handle: (request) =>
        answerCaller(request, async (grant) => {
          const served = await exchange();
          if (await served.refuses(grant, request.body)) throw access.insufficient(SCOPES);
          noteName(grant, request.body);
          return served.post(request, grant);
        }),
    }),
    route({
      ...shared,
      method: "GET",
      summary: "Opens or resumes the stream of a session",
      responses: { 200: "text/event-stream", ...REFUSALS },
      handle: (request) => answerCaller(request, async (grant) => (await exchange()).inSession(request, grant)),
    }),
    route({
      ...shared,
      method: "DELETE",
      summary: "Ends a session",
      responses: { 200: "", ...REFUSALS },
      handle: (request) => answerCaller(request, async (grant) => (await exchange()).inSession(request, grant)),
    }),
  ];
}
