import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "./tls-authority.ts";
import { until } from "./until.ts";

/** A request as a receiver saw it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  /** The body, when it is JSON. */
  json: unknown;
  at: Date;
}

/** How a receiver answers. */
export type Manner =
  | { kind: "accept"; status?: number; body?: string }
  | { kind: "refuse"; status?: number; body?: string }
  | { kind: "too_many"; retryAfter: string }
  | { kind: "redirect"; to: string; status?: number }
  /** Takes the request and never answers. */
  | { kind: "hang" }
  /** Answers with a body that never ends, a byte at a time. */
  | { kind: "drip" }
  /** Answers with so many bytes. */
  | { kind: "flood"; bytes: number }
  /** Closes the connection in place of an answer. */
  | { kind: "close" };

/** A real HTTP receiver on loopback that records what it gets. */
export interface Receiver {
  /** `http://127.0.0.1:PORT`, or https. */
  url: string;
  received: Received[];
  /** Changed at any time; holds from the next request on. A function decides for each, from 0. */
  manner: Manner | ((request: Received, index: number) => Manner);
  /** Connections that were ever made to it. */
  connections(): number;
  /** Waits until it got so many requests; answers them. */
  got(count: number): Promise<Received[]>;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  manner?: Receiver["manner"];
  /** Makes it an https receiver. */
  tls?: { cert: string; key: string };
  host?: string;
}

export async function startReceiver({ manner = { kind: "accept" }, tls, host = "127.0.0.1" }: ReceiverOptions = {}): Promise<Receiver> {
  let connections = 0;
  const handle = (request: IncomingMessage, response: ServerResponse): void => void take(request, response);
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.on(tls === undefined ? "connection" : "secureConnection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;

  const receiver: Receiver = {
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    received: [],
    manner,
    connections: () => connections,
    async got(count) {
      await until(() => receiver.received.length >= count, { what: `${count} requests (it got ${receiver.received.length})` });
      return receiver.received;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    const received = { method, path, headers, body, json: jsonOf(body), at: new Date() };
    const index = receiver.received.push(received) - 1;
    answer(response, typeof receiver.manner === "function" ? receiver.manner(received, index) : receiver.manner);
  }
  return receiver;
}

function answer(response: ServerResponse, manner: Manner): void {
  switch (manner.kind) {
    case "accept":
      response.writeHead(manner.status ?? 200).end(manner.body ?? "ok");
      return;
    case "refuse":
      response.writeHead(manner.status ?? 500).end(manner.body ?? "no");
      return;
    case "too_many":
      response.writeHead(429, { "retry-after": manner.retryAfter }).end();
      return;
    case "redirect":
      response.writeHead(manner.status ?? 307, { location: manner.to }).end("elsewhere");
      return;
    case "hang":
      return;
    case "drip": {
      response.writeHead(200);
      const drops = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drops));
      return;
    }
    case "flood":
      response.writeHead(200).end("x".repeat(manner.bytes));
      return;
    case "close":
      response.destroy();
      return;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A self-made certificate for the names, and the authority that vouches for it. */
export async function makeIdentity(names: readonly string[]): Promise<{ cert: string; key: string; rootPem: string }> {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-receiver-"));
  try {
    const authority = createAuthority(folder);
    const valid = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 86_400_000) };
    const root = await authority.issue({ name: "root", ...valid, extensions: ["basicConstraints=critical,CA:TRUE"] });
    const alternatives = names.map((name) => (isIP(name) === 0 ? `DNS:${name}` : `IP:${name}`)).join(",");
    const leaf = await authority.issue({ name: "receiver", issuer: root, ...valid, extensions: [`subjectAltName=${alternatives}`] });
    return { cert: leaf.cert, key: leaf.key, rootPem: root.cert };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
