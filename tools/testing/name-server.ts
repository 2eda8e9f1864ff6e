import { createSocket } from "node:dgram";
import { isIsolated } from "./isolation.ts";

/** QR, opcode and RD as asked, RA, and RCODE 3: no such name. Source: RFC 1035, section 4.1.1. */
const NO_SUCH_NAME = [0x81, 0x83] as const;
const HEADER_BYTES = 12;

/** In separate namespaces, programs ask 127.0.0.1 for names: this answers that none exists, as the real ones do for the names that tests make up. */
export function startNameServer(): void {
  if (!isIsolated()) return;
  const server = createSocket("udp4");
  server.on("message", (question, { port, address }) => {
    if (question.length < HEADER_BYTES) return;
    const answer = Buffer.from(question);
    answer.set(NO_SUCH_NAME, 2);
    // No answer, authority or additional records follow the question.
    answer.fill(0, 6, HEADER_BYTES);
    server.send(answer.subarray(0, endOfQuestion(answer)), port, address);
  });
  // A run within a lane, as in the tests of the lanes, is served by that lane.
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
  });
  server.bind(53, "127.0.0.1");
}

/** Labels, each after its length, up to one of length 0; then type and class. */
function endOfQuestion(message: Buffer): number {
  let at = HEADER_BYTES;
  while ((message[at] ?? 0) !== 0) at += 1 + (message[at] ?? 0);
  return Math.min(at + 5, message.length);
}
