import { isIP, type Socket } from "node:net";
import type { NetworkAddress } from "./runtime.ts";

/** Of a name that leads elsewhere again and again. */
const MOST_REMEMBERED = 64;

/** The addresses that a runtime's host is reached at: at once by its address, by its name as it is looked up for connections. */
export interface NetworkAddresses {
  /** Call before the socket connects, so that an address is known before anything is sent there. */
  follow(socket: Socket): void;
  all(): NetworkAddress[];
}

export function createNetworkAddresses({ host, port }: { host: string; port: number }): NetworkAddresses {
  const addresses = new Set(isIP(host) === 0 ? [] : [host]);

  function noteLookup(_error: unknown, found: string | undefined): void {
    if (found === undefined) return;
    addresses.delete(found);
    addresses.add(found);
    for (const oldest of addresses) {
      if (addresses.size <= MOST_REMEMBERED) break;
      addresses.delete(oldest);
    }
  }

  return {
    follow(socket) {
      if (socket.connecting) socket.on("lookup", noteLookup);
    },
    all: () => [...addresses].map((address) => ({ address, port })),
  };
}
