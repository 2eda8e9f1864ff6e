import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Document, Schema } from "./document.ts";

const ERROR: Schema = {
  type: "object",
  required: ["error"],
  properties: {
    error: { type: "object", required: ["code", "message"], properties: { code: { type: "string" }, message: { type: "string" } } },
  },
};
const THING: Schema = {
  type: "object",
  required: ["id", "name"],
  additionalProperties: false,
  properties: { id: { type: "integer" }, name: { type: "string" } },
};
const BODY: Schema = {
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: { name: { type: "string", minLength: 1, maxLength: 5 } },
};

const json = (schema: Schema): { content: Record<string, { schema: Schema }> } => ({ content: { "application/json": { schema } } });
const errors = Object.fromEntries(["400", "404", "415"].map((status) => [status, { $ref: "#/components/responses/Error" }]));
const id = { name: "id", in: "path" as const, required: true, schema: { type: "integer", minimum: 1, maximum: 1_000_000 } };
const parameters = { id: "$response.body#/id" };
const links = { get: { operationId: "get", parameters }, remove: { operationId: "remove", parameters } };

/** Things that can be listed, created, read and deleted. */
export const DOCUMENT: Document = {
  paths: {
    "/things": {
      get: {
        operationId: "list",
        parameters: [{ name: "limit", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 9 } }],
        responses: {
          200: json({ type: "object", required: ["things"], properties: { things: { type: "array", items: THING } } }),
          ...errors,
        },
      },
      post: {
        operationId: "create",
        requestBody: { required: true, ...json(BODY) },
        responses: { 201: { ...json(THING), links }, ...errors },
      },
    },
    "/things/{id}": {
      get: { operationId: "get", parameters: [id], responses: { 200: json(THING), ...errors } },
      delete: { operationId: "remove", parameters: [id], responses: { 204: {}, ...errors } },
    },
  },
  components: { responses: { Error: json(ERROR) } },
};

/** Answers in the place of the server; `false`: as it would. */
export type Break = (asked: { method: string; path: string; body: string }, response: ServerResponse) => boolean;

/** A server that keeps the document, but for what `breaks` does. */
export async function startSmallServer(breaks: Break): Promise<{ url: string; stop(): void }> {
  const things = new Map<number, { id: number; name: string }>();
  let last = 0;

  function answer(
    { method, path, body }: { method: string; path: string; body: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const [place = "", query] = path.split("?");
    const number = /^\/things\/([^/]+)$/.exec(place)?.[1];
    const allowed = number === undefined ? ["GET", "POST"] : ["GET", "DELETE"];
    if (!allowed.includes(method === "HEAD" ? "GET" : method)) {
      response.setHeader("allow", allowed.join(", "));
      return refuse(response, 405, "method_not_allowed");
    }
    if (number !== undefined) {
      if (!/^[1-9]\d{0,6}$/.test(number) || Number(number) > 1_000_000) return refuse(response, 400, "invalid_request");
      const thing = things.get(Number(number));
      if (thing === undefined) return refuse(response, 404, "not_found");
      if (method === "DELETE") return void (things.delete(thing.id) && response.writeHead(204).end());
      return send(response, 200, thing);
    }
    if (method !== "POST") {
      const limit = new URLSearchParams(query).get("limit");
      if (limit !== null && !/^[1-9]$/.test(limit)) return refuse(response, 400, "invalid_request");
      return send(response, 200, { things: [...things.values()] });
    }
    if (request.headers["content-type"] !== "application/json") return refuse(response, 415, "unsupported_media_type");
    const name = nameIn(body);
    if (name === undefined) return refuse(response, 400, "validation_failed");
    last += 1;
    things.set(last, { id: last, name });
    send(response, 201, { id: last, name });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const asked = { method: request.method ?? "", path: request.url ?? "", body: Buffer.concat(chunks).toString() };
      response.setHeader("x-request-id", randomUUID());
      if (!breaks(asked, response)) answer(asked, request, response);
    });
  });
  // A connection that is closed just when it is used again would look like a request without an answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function nameIn(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null || Object.keys(value).join() !== "name" || !("name" in value)) return undefined;
    const { name } = value;
    return typeof name === "string" && name !== "" && [...name].length <= 5 ? name : undefined;
  } catch {
    return undefined;
  }
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  send(response, status, { error: { code, message: "no" } });
}
