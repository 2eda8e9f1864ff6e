import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Answer } from "../../http/route.ts";
import type { RouteRequest } from "../../http/route.ts";

const OPENING = Buffer.from(": open\n\n");

/** What the SDK reads of a request; the token stays with us. */
const READ_HEADERS = new Set(["accept", "content-type", "last-event-id"]);

/** A request as the web has it, without its body: that is parsed. */
export function webRequest({ method, headers, signal }: Pick<RouteRequest<never, never, never>, "method" | "headers" | "signal">): Request {
  const told = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && (READ_HEADERS.has(name) || name.startsWith("mcp-")) ? [[name, value]] : [],
  );
  return new Request("http://binnacle/mcp", { method, headers: told, signal });
}

/** Of the web's answer the same for our server; `onStream` is given one that stays open. */
export async function answerOf(response: Response, onStream: (stream: Readable) => void): Promise<Answer> {
  const headers = Object.fromEntries(response.headers);
  // What belongs to the connection is the server's to say.
  delete headers["connection"];
  headers["cache-control"] ??= "no-store";
  if (response.body === null) return new Answer(response.status, undefined, headers);
  if (headers["content-type"]?.startsWith("text/event-stream") !== true)
    return new Answer(response.status, Buffer.from(await response.arrayBuffer()), headers);
  const stream = Readable.fromWeb(response.body as ReadableStream);
  // Without a first word the headers would wait for it, and the client for them.
  stream.unshift(OPENING);
  onStream(stream);
  return new Answer(response.status, stream, headers);
}

/** An error of JSON-RPC that is about no one request. */
export function rpcAnswer(status: number, code: number, message: string): Answer {
  return new Answer(
    status,
    { jsonrpc: "2.0", id: null, error: { code, message } },
    { "content-type": "application/json", "cache-control": "no-store" },
  );
}
