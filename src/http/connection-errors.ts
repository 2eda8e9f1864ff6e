import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errorBody, ServiceError } from "../platform/errors.ts";

const CAUSES: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers of the request are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
};
const MALFORMED = { status: 400, message: "The request is not valid HTTP." };

/**
 * Answers what could not be read as a request, with the headers of every response, and closes the connection. Once a
 * connection has carried an answer it is only closed, since bytes sent now could end up inside that answer.
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
