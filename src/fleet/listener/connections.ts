import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TrustedProxies } from "../../http/client-address.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { createQuota } from "../../http/quota.ts";

/** Limits of the listener. Tests lower them. */
export interface ListenerLimits {
  /** Of one message, in either direction. */
  messageBytes: number;
  /** Streams of one connection: a proxy may carry many agents on one. */
  streamsPerConnection: number;
  connections: number;
  /** Connections of one address that have no authenticated stream. */
  strangersPerAddress: number;
  /** How many bytes such a connection may send before it is cut; an enrollment or an answer to the challenge is far smaller. */
  strangerBytes: number;
  /** How long such a connection may last. */
  strangerMs: number;
  /** Streams and enrollments that are not authenticated yet, in all and from one address. */
  waiting: number;
  waitingPerAddress: number;
  /** How long the answer to the challenge may take. Source: contract, section 12. */
  handshakeMs: number;
  /** The interval of keep-alive pings, and how long their answer may take. */
  keepaliveMs: number;
  keepaliveTimeoutMs: number;
  /** How long the client has to notice the end of a stream before its connection is cut. */
  farewellMs: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  messageBytes: 4 * 1024 * 1024,
  streamsPerConnection: 1000,
  connections: 5000,
  strangersPerAddress: 100,
  strangerBytes: 262_144,
  strangerMs: 30_000,
  waiting: 1000,
  waitingPerAddress: 50,
  handshakeMs: 10_000,
  keepaliveMs: 20_000,
  keepaliveTimeoutMs: 10_000,
  farewellMs: 5000,
};

export interface ConnectionsOptions {
  listen: { host: string; port: number };
  limits: ListenerLimits;
  proxies: TrustedProxies;
  /** Serves HTTP/2 on a connection. */
  serve: (socket: Socket) => void;
  clock: Clock;
  log: Log;
}

/**
 * The connections below the streams. A connection without an authenticated stream may neither last long nor send much, so that clients without a key
 * take little memory.
 */
export interface Connections {
  /** Throws a StartError when the port cannot be opened. */
  start(): Promise<void>;
  /** Accepts no more connections; cuts the remaining ones. */
  stop(): Promise<void>;
  address(): AddressInfo | undefined;
  /** Marks the connection of this peer as having an authenticated stream, until the answer is called. */
  hold(peer: string): () => void;
  /** Cuts a connection that has no authenticated stream. */
  cut(peer: string): void;
}

interface Connection {
  socket: Socket;
  /** The number of its authenticated streams. */
  holds: number;
  /** Since when it has had no authenticated stream, and how many bytes it had sent by then. */
  strangerSinceMs: number;
  bytesThen: number;
  /** Frees its place among the unauthenticated connections. */
  leave: () => void;
}

/** The address of a peer, without its port. */
export function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, "");
}

const SWEEP_EVERY_MS = 500;

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

  function sweep(): void {
    const nowMs = clock.monotonicMs();
    for (const [peer, { socket, holds, strangerSinceMs, bytesThen }] of connections) {
      if (holds > 0) continue;
      const sent = socket.bytesRead - bytesThen;
      if (sent <= limits.strangerBytes && nowMs - strangerSinceMs <= limits.strangerMs) continue;
      log.debug({ peer, bytes: sent }, "connection cut: it carries no authenticated stream");
      socket.destroy();
    }
    rounds = clock.after(SWEEP_EVERY_MS, sweep);
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
      rounds = clock.after(SWEEP_EVERY_MS, sweep);
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
      connection.leave();
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
