import { z } from "zod";
import { Answer, route } from "../../http/route.ts";
import type { Route, RouteRequest } from "../../http/route.ts";
import { SCOPES } from "../tool.ts";
import { McpRefusal } from "../access.ts";
import type { Grant, McpAccess } from "../access.ts";
import type { Exchange } from "./exchange.ts";
import { calledTool, clientNameIn, messagesOf } from "./messages.ts";

export interface McpRoutesDependencies {
  access: McpAccess;
  /** Loads what answers, at the first request that may. */
  exchange: () => Promise<Exchange>;
  onClientNamed: (grantId: number, name: string) => void;
}

type Given = RouteRequest<undefined, undefined, unknown>;

const TAG = "MCP routes";

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
      body: z.unknown(),
      responses: { 200: z.unknown(), 202: "application/json" },
      handle: (request) =>
        answerCaller(request, async (grant) => {
          const served = await exchange();
          const tools = messagesOf(request.body).map(calledTool);
          if (tools.some((tool) => tool !== undefined && served.refuses(grant, tool))) throw access.insufficient(SCOPES);
          noteName(grant, request.body);
          return served.post(request, grant);
        }),
    }),
    route({
      ...shared,
      method: "GET",
      summary: "Opens or resumes the stream of a session",
      responses: { 200: "text/event-stream" },
      handle: (request) => answerCaller(request, async (grant) => (await exchange()).inSession(request, grant)),
    }),
    route({
      ...shared,
      method: "DELETE",
      summary: "Ends a session",
      responses: { 200: "application/json" },
      handle: (request) => answerCaller(request, async (grant) => (await exchange()).inSession(request, grant)),
    }),
  ];
}
