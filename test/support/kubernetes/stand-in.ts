import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../../../src/contract/time.ts";
import type { ClusterAccess } from "../../../src/runtimes/kubernetes/client/access.ts";
import { createAuthority, type Identity } from "../tls-authority.ts";

/** An HTTPS server on loopback in the place of an API server, for what a real one cannot be made to do. */
export interface StandIn {
  access: ClusterAccess;
  port: number;
  folder: string;
  /** The authority that signed its certificate. */
  ca: Identity;
  /** What it answers with from now on. */
  answer(listener: RequestListener): void;
  /** Breaks off all connections. */
  breakOff(): void;
  stop(): Promise<void>;
}

export async function startStandIn(listener: RequestListener = (_, response) => void response.end("{}")): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-stand-in-"));
  const authority = createAuthority(folder);
  const life = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
  const ca = await authority.issue({ ...life, name: "ca", extensions: ["basicConstraints = critical,CA:true"] });
  const own = await authority.issue({ ...life, name: "server", issuer: ca, extensions: ["subjectAltName = IP:127.0.0.1,DNS:api.test"] });
  const sockets = new Set<Socket>();
  let current = listener;
  const server = createServer({ cert: own.cert, key: own.key }, (request, response) => current(request, response));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  const breakOff = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    access: {
      ...{ address: `https://127.0.0.1:${port}`, origin: "context test of a test", host: "127.0.0.1", port, isTls: true, basePath: "" },
      ...{ namespace: null, authority: { kind: "text", text: ca.cert }, isVerified: true, serverName: null },
      identity: { token: { kind: "text", text: "secret-token" }, certificate: null, plugin: null },
    },
    port,
    folder,
    ca,
    answer(next) {
      current = next;
    },
    breakOff,
    async stop() {
      breakOff();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
