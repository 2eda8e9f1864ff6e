import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from "node:net";
import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS } from "../../src/contract/check-settings.ts";
import type { HttpCheck } from "../../src/observations.ts";
import { type AddressGuard, createAddressGuard } from "../../src/collector/peers/address-guard.ts";
import { createResolver } from "../../src/collector/peers/resolver.ts";
import { probeHttp } from "../../src/collector/probes/http-probe.ts";
import type { Outcome } from "../../src/collector/probes/probe.ts";
import { createTrust, type Trust } from "../../src/collector/tls/trust.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";

/** Servers that misbehave, on loopback, and checks of them. */
export interface BadServers {
  /** A server of HTTP; its URL. */
  serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string>;
  /** A server that does with a connection what it likes, once a request has come. */
  serveRaw(answer: (socket: Socket) => void): Promise<string>;
  /** The port where a server listens, once it does. */
  listen(server: Server | RawServer): Promise<number>;
  close(): void;
}

export function createBadServers(): BadServers {
  const running: { close(): void }[] = [];

  async function listen(server: Server | RawServer): Promise<number> {
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => void sockets.add(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    running.push({
      close() {
        server.close();
        for (const socket of sockets) socket.destroy();
      },
    });
    return (server.address() as AddressInfo).port;
  }

  return {
    listen,
    serve: async (answer) => `http://127.0.0.1:${await listen(createServer(answer))}`,
    serveRaw: async (answer) =>
      `http://127.0.0.1:${await listen(createRawServer((socket) => void socket.once("data", () => answer(socket))))}`,
    close() {
      for (const server of running.splice(0)) server.close();
    },
  };
}

const noRoots = createTrust({ systemRoots: () => [] });

/** One HTTP check as the engine makes it, with the usual settings but for those given. */
export function probe(
  target: string,
  {
    trust = noRoots,
    timeoutMs = 10_000,
    clock = systemClock,
    guard = createAddressGuard(),
    ...http
  }: Partial<HttpCheck> & { trust?: Trust; timeoutMs?: number; clock?: Clock; guard?: AddressGuard } = {},
  signal = new AbortController().signal,
): Promise<Outcome> {
  const settings: HttpCheck = {
    method: "GET",
    expectedStatus: ["2xx"],
    headers: {},
    ...defaultsOf(HTTP_SETTINGS),
    ...http,
  };
  const check = { type: "http", target, intervalMs: 30_000, timeoutMs, ...defaultsOf(CHECK_SETTINGS), http: settings } as const;
  return probeHttp(check, settings, { clock, resolver: createResolver({ clock }), guard, trust }, signal);
}

/** The class and the sentence of a check that must fail. */
export async function failure(outcome: Promise<Outcome>): Promise<string> {
  const { result } = await outcome;
  assert.equal(result.success, false);
  assert.equal(result.observed, true);
  return `${result.failureClass}: ${result.error?.replaceAll(/127\.0\.0\.1:\d+/g, "HOST")}`;
}

/** A byte at a time, for ever. */
export function drip(socket: Socket, head: string, drop = "x"): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on("close", () => clearInterval(timer));
}
