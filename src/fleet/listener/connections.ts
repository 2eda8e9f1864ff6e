import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TrustedProxies } from "../../http/client-address.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ListenerLimits } from "./limits.ts";
import { createQuota } from "../../http/quota.ts";

export interface ConnectionsOptions {
  listen: { host: string; port: number };
  limits: ListenerLimits;
  proxies: TrustedProxies;
  /** Speaks HTTP/2 on a connection from now on. */
  serve: (socket: Socket) => void;
  clock: Clock;
  log: Log;
}

/**
 * The connections below the streams. One without an authenticated stream is a stranger's: it may neither stay long nor send much, so that who has
 * no key holds no memory of ours.
 */
export interface Connections {
  /** Throws a StartError when the port cannot be had. */
  start(): Promise<void>;
  /** Takes no more; cuts what is left. */
  stop(): Promise<void>;
  address(): AddressInfo | undefined;
  /** The connection of this peer carries an authenticated stream, until the answer is called. */
  hold(peer: string): () => void;
  /** Cuts a connection that carries no authenticated stream. */
  cut(peer: string): void;
}

interface Connection {
  socket: Socket;
  /** Authenticated streams on it. */
  holds: number;
  /** Since when it has had none, and what it had sent by then. */
  strangerSinceMs: number;
  bytesThen: number;
  /** Gives its place among the strangers back. */
  leave: (() => void) | undefined;
}

const LOOK_EVERY_MS = 500;

export function createConnections({ listen, limits, proxies, serve, clock, log }: ConnectionsOptions): Connections {
  const connections = new Map<string, Connection>();
  const strangers = createQuota({ total: limits.connections, perAddress: limits.strangersPerAddress }, proxies);
  let rounds: Timer | undefined;

  const server = createServer({ noDelay: true }, (socket) => {
    const address = socket.remoteAddress;
    const leave = address === undefined || connections.size >= limits.connections ? undefined : strangers.enter(address);
    if (leave === undefined) return void socket.destroy();
    const peer = `${address}:${socket.remotePort}`;
    const connection = { socket, holds: 0, strangerSinceMs: clock.monotonicMs(), bytesThen: 0, leave };
    connections.set(peer, connection);
    socket.on("error", (error) => log.debug({ peer, reason: messageOf(error) }, "connection of an agent failed"));
    socket.on("close", () => {
      connections.delete(peer);
      connection.leave();
    });
    serve(socket);
  });

  function look(): void {
    const nowMs = clock.monotonicMs();
    for (const [peer, { socket, holds, strangerSinceMs, bytesThen }] of connections) {
      if (holds > 0) continue;
      const sent = socket.bytesRead - bytesThen;
      if (sent <= limits.strangerBytes && nowMs - strangerSinceMs <= limits.strangerMs) continue;
      log.debug({ peer, bytes: sent }, "connection cut: it carries no authenticated stream");
      socket.destroy();
    }
    rounds = clock.after(LOOK_EVERY_MS, look);
  }

  return {
    async start() {
      try {
        server.listen({ ...listen, backlog: 1024 });
        await once(server, "listening");
      } catch (error) {
        const where = `${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${listen.port}`;
        const sentence = `Cannot listen for agents on ${where}: ${messageOf(error)}. Choose another address with SERVICE_GRPC_LISTEN.`;
        throw new StartError(sentence, { cause: error });
      }
      server.on("error", (error) => log.warn({ reason: messageOf(error) }, "a connection of an agent could not be taken"));
      rounds = clock.after(LOOK_EVERY_MS, look);
    },
    async stop() {
      rounds?.cancel();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { socket } of connections.values()) socket.destroy();
      await closed;
    },
    address() {
      const address = server.address();
      return typeof address === "object" && address !== null ? address : undefined;
    },
    hold(peer) {
      const connection = connections.get(peer);
      if (connection === undefined) return () => undefined;
      connection.holds += 1;
      connection.leave?.();
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        connection.holds -= 1;
        connection.strangerSinceMs = clock.monotonicMs();
        connection.bytesThen = connection.socket.bytesRead;
      };
    },
    cut(peer) {
      const connection = connections.get(peer);
      if (connection?.holds === 0) connection.socket.destroy();
    },
  };
}
