import { chmod, lstat, mkdir, rm } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { READ_ONLY } from "../access.ts";
import type { Exchange } from "./exchange.ts";
import type { Protocol } from "./protocol.ts";

/** Where clients on this machine connect: a socket of the file system, which only the program's own user may open. */
export interface McpSocket {
  /** Listens at this path; when that is not possible, the log and `state` say so. */
  start(path: string): Promise<void>;
  stop(): Promise<void>;
  /** Whether a client on this machine can connect, and why not. */
  state(): { available: boolean; reason: string | null };
}

/** What the kernel takes as the path of a socket, without its last zero. */
const MOST_PATH_BYTES = 107;
const MOST_CONNECTIONS = 20;
const MOST_LINE_BYTES = 1_048_576;
/** What may wait for a client that asks and does not read: more, and nothing further is read from it; as much again, and it is let go. */
const MOST_UNREAD_BYTES = 4_194_304;
const MOST_LISTENING = 10;

export function createSocket({ served, log }: { served: () => Promise<{ protocol: Protocol; exchange: Exchange }>; log: Log }): McpSocket {
  const connections = new Set<Socket>();
  let count = 0;
  let server: Server | undefined;
  let reason: string | null = "It has not been started.";

  async function serve(connection: Socket): Promise<void> {
    const { protocol, exchange } = await served();
    const { StdioServerTransport, serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const transport = new StdioServerTransport(connection, connection, { maxBufferSize: MOST_LINE_BYTES });
    const closeTransport = transport.close.bind(transport);
    transport.close = async () => {
      await closeTransport();
      connection.end();
      // The SDK stops reading, and the client's end would never be seen.
      connection.resume();
    };
    // The SDK listens once for each message that waits.
    connection.setMaxListeners(0);
    const send = transport.send.bind(transport);
    transport.send = (message) => {
      const sent = send(message);
      if (connection.writableLength > MOST_UNREAD_BYTES) connection.pause();
      if (connection.writableLength > MOST_UNREAD_BYTES * 2 && !connection.destroyed) {
        log.debug({ unread_bytes: connection.writableLength }, "MCP client does not read its answers");
        connection.destroy();
      }
      return sent;
    };
    connection.on("drain", () => connection.resume());
    count += 1;
    const key = `socket ${count}`;
    serveStdio(
      () => {
        const each = protocol.serve({ key, scopes: READ_ONLY.scopes, name: null });
        exchange.subscriptions.accept(each, READ_ONLY);
        return each;
      },
      {
        transport,
        maxSubscriptions: MOST_LISTENING,
        onerror: ({ name }) => log.debug({ reason: name }, "MCP message not served"),
      },
    );
  }

  function accept(connection: Socket): void {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
    connection.on("error", (error) => log.debug({ reason: error.message }, "MCP connection failed"));
    serve(connection).catch((error: unknown) => {
      log.error({ err: error }, "MCP connection not served");
      connection.destroy();
    });
  }

  function unavailable(path: string, why: string): void {
    reason = why;
    log.warn({ path, reason: why }, "assistants on this host cannot connect");
  }

  return {
    async start(path) {
      if (Buffer.byteLength(path) > MOST_PATH_BYTES) {
        return unavailable(path, `The path of the data folder is too long for a socket (${MOST_PATH_BYTES} bytes with its name).`);
      }
      const listening = createServer({ allowHalfOpen: true }, accept);
      listening.maxConnections = MOST_CONNECTIONS;
      try {
        await mkdir(dirname(path), { recursive: true });
        await listen(listening, path);
        await chmod(path, 0o600);
        server = listening;
        reason = null;
        listening.on("error", (error) => unavailable(path, messageOf(error)));
      } catch (error) {
        listening.close();
        unavailable(path, messageOf(error));
      }
    },
    async stop() {
      reason = "It was stopped.";
      for (const connection of connections) connection.destroy();
      const closing = server;
      server = undefined;
      if (closing !== undefined) await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
    state: () => ({ available: reason === null, reason }),
  };
}

/** Listens, also where a program that was killed left its socket behind; never takes one that somebody listens at. */
async function listen(server: Server, path: string): Promise<void> {
  try {
    await listenAt(server, path);
  } catch (error) {
    if (!hasCode(error, "EADDRINUSE")) throw error;
    if (!(await lstat(path)).isSocket()) throw new Error("Something that is not a socket has its name.", { cause: error });
    if (await answers(path)) throw new Error("Another instance listens there.", { cause: error });
    await rm(path, { force: true });
    await listenAt(server, path);
  }
}

function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Between its making and chmod nobody else may open it.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", (error) => resolve(!hasCode(error, "ECONNREFUSED") && !hasCode(error, "ENOENT")));
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
