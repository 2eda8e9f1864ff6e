import type { IncomingMessage } from "node:http";
import type { Clock } from "../platform/clock.ts";

/** How long a client whose body was not read may go on sending: most look for an answer only then. */
const LINGER_MS = 2_000;

/**
 * For a request that is answered before its end. Node closes a connection right after its last answer; while data is on the way to us, that resets
 * it, and the answer may be lost. So the end is said first, and the connection closed a little later. Source: RFC 9112, section 9.6.
 */
export function closeGently(request: IncomingMessage, clock: Clock): void {
  const { socket } = request;
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (request.complete) return socket.destroySoon();
    // What still comes is thrown away.
    request.resume();
    socket.end();
    const timer = clock.after(LINGER_MS, () => socket.destroy());
    socket.once("close", () => timer.cancel());
  };
}
