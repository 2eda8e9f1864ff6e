import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/**
 * A TCP port from the kernel, for a program whose address must be known before it starts, or stay the same when it starts again. A connection of this
 * process is bound to it as long as the process lives: the kernel gives the port to nobody else, and a server that asks for it by number can listen.
 */
export async function takePort(): Promise<number> {
  const other = createServer((socket) => void socket.unref()).listen(0, "127.0.0.1");
  await once(other, "listening");
  // It listens on a port, not on a path.
  const { port } = other.address() as AddressInfo;
  // With a local address the socket is bound with SO_REUSEADDR, as that of a server is, so both can have the port.
  const own = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" });
  await Promise.all([once(own, "connect"), once(other, "connection")]);
  own.unref();
  other.close();
  if (own.localPort === undefined) throw new Error("a connection without a port");
  return own.localPort;
}
