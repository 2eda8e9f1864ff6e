import { connect } from "node:net";
import { type Clock, pause } from "../../platform/clock.ts";
import type { ServerAddress } from "./transport.ts";

/** Varied by half, so that many agents do not connect at once. */
const LOOK_EVERY_MS = 2_000;
/** While the port was never closed: each connection costs the server, and a proxy in front of it. */
const LOOK_RARELY_MS = 15_000;
const ANSWER_WITHIN_MS = 2_000;

/**
 * Resolves when the server's port opens after it was closed, or when aborted, so that an agent need not wait for the end of a long delay. A port that
 * is always open, such as a proxy's, says nothing about the server behind it.
 */
export async function untilPortReopens(
  server: ServerAddress,
  { clock, random, signal }: { clock: Clock; random: () => number; signal: AbortSignal },
): Promise<void> {
  let wasClosed = false;
  while (!signal.aborted) {
    const open = await isOpen(server, clock, signal);
    if (open && wasClosed) return;
    wasClosed ||= !open;
    await pause(clock, (wasClosed ? LOOK_EVERY_MS : LOOK_RARELY_MS) * (0.5 + random()), signal);
  }
}

function isOpen({ host, port }: ServerAddress, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const late = clock.after(ANSWER_WITHIN_MS, () => end(false));
    const giveUp = (): void => end(false);
    signal.addEventListener("abort", giveUp, { once: true });
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
    function end(open: boolean): void {
      late.cancel();
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(open);
    }
  });
}
