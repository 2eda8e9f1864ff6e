import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line between a client and a server, which the test can damage. */
export interface TcpProxy {
  port: number;
  /** Nothing passes any longer, and nobody is notified: half-open connections. */
  freeze(): void;
  /** The same, once a client says this. */
  freezeAt(word: string): void;
  /** Says these bytes to the server in the middle of what the clients say. */
  inject(bytes: Uint8Array): void;
  /** Closes all connections, as a balancer that is restarted; new ones pass. */
  breakOff(): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(to: { port: number }, at = 0): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let last: string | undefined;
  const proxy = createServer((client) => {
    const server = connect({ host: "127.0.0.1", port: to.port });
    const pair = { client, server };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on("data", (bytes) => {
        if (last !== undefined && bytes.includes(last)) freeze();
        else other.write(bytes);
      });
      socket.on("error", end);
      socket.on("close", end);
    }
  });
  proxy.listen(at, "127.0.0.1");
  await once(proxy, "listening");

  function breakOff(): void {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  }

  function freeze(): void {
    for (const { client, server } of pairs)
      for (const socket of [client, server]) socket.removeAllListeners("data").removeAllListeners("close").pause();
  }

  return {
    // It listens on a port, not on a path.
    port: (proxy.address() as AddressInfo).port,
    freeze,
    freezeAt(word) {
      last = word;
    },
    inject(bytes) {
      for (const { server } of pairs) server.write(bytes);
    },
    breakOff,
    async stop() {
      breakOff();
      const closed = once(proxy, "close");
      proxy.close();
      await closed;
    },
  };
}
