import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { errorBody, ServiceError } from "../platform/errors.ts";

/** How long a client whose body was not read may keep sending: most clients read the answer only when they have sent everything. */
const LINGER_MS = 2_000;

/**
 * For a request that is answered before its end. Node closes the connection right after its last answer; if the client is still sending, the
 * connection is reset and the answer may be lost. So the end is sent first, and the connection is closed a little later. Source: RFC 9112, section
 * 9.6.
 */
export function closeGently(request: IncomingMessage, clock: Clock): void {
  const { socket } = request;
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (request.complete) return socket.destroySoon();
    // The rest of the request is dropped.
    request.resume();
    socket.end();
    const timer = clock.after(LINGER_MS, () => socket.destroy());
    socket.once("close", () => timer.cancel());
  };
}

const CAUSES: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers of the request are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const MALFORMED = { status: 400, message: "The request is not valid HTTP." };

/**
 * Answers a request that could not be parsed, with the headers of every response, and closes the connection. A connection that has carried an answer
 * is only closed, since bytes sent now could end up inside that answer.
 */
export function answerConnectionError(error: NodeJS.ErrnoException, socket: Socket, headers: Readonly<Record<string, string>>): void {
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, message } = CAUSES[error.code ?? ""] ?? MALFORMED;
  const body = errorBody(new ServiceError("invalid_request", message));
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
