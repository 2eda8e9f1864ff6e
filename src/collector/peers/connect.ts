import { connect, type Socket } from "node:net";
import type { Clock, Timer } from "../../platform/clock.ts";
import { cleanName } from "../../platform/text.ts";
import type { AddressGuard } from "./address-guard.ts";
import { connectError, errorToReport, type Peer, PeerError, peerName } from "./failure.ts";

/** The head start of each address before the next one is tried beside it. Source: RFC 8305, section 5. */
const HEAD_START_MS = 250;

export interface ConnectOptions {
  clock: Clock;
  guard: AddressGuard;
  signal: AbortSignal;
}

/**
 * Connects to whichever address answers first, but to none that the guard refuses; each is tried soon after those before it, or at once when they failed.
 * Throws a PeerError about the first address, or the first that could be asked, or the signal's reason. The socket is the caller's to close; its errors are ignored
 * unless somebody listens.
 */
export function connectFirst(found: readonly string[], peer: Peer, { clock, guard, signal }: ConnectOptions): Promise<Socket> {
  const addresses = found.filter((address) => guard(address, peer.port) === undefined);
  if (addresses.length === 0) return Promise.reject(refused(found, peer, guard));
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const trying = new Set<Socket>();
  let tried = 0;
  const errors = new Map<string, PeerError>();
  let headStart: Timer | undefined;

  function settle(): void {
    headStart?.cancel();
    signal.removeEventListener("abort", abort);
    for (const socket of trying) socket.destroy();
  }

  function abort(): void {
    settle();
    reject(signal.reason);
  }

  function tryNext(): void {
    headStart?.cancel();
    const host = addresses[tried];
    if (host === undefined) return;
    tried += 1;
    const socket = connect({ host, port: peer.port });
    trying.add(socket);
    socket.on("error", (error) => {
      if (!trying.delete(socket)) return;
      errors.set(host, connectError(peer, error));
      if (tried < addresses.length) tryNext();
      else if (trying.size === 0) {
        settle();
        reject(errorToReport(addresses.flatMap((address) => errors.get(address) ?? [])));
      }
    });
    socket.once("connect", () => {
      trying.delete(socket);
      settle();
      resolve(socket);
    });
    if (tried < addresses.length) headStart = clock.after(HEAD_START_MS, tryNext);
  }

  if (signal.aborted) return Promise.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  tryNext();
  return promise;
}

/** Such a check cannot be made: it says nothing of the peer. */
function refused([address = ""]: readonly string[], peer: Peer, guard: AddressGuard): PeerError {
  const message = `${peerName(peer)} is not asked: ${cleanName(address)} ${guard(address, peer.port)}.`;
  return new PeerError("connect", message, { isOurs: true });
}
