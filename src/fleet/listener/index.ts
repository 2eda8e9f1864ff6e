import type { AddressInfo } from "node:net";
import { type sendUnaryData, Server, type ServerDuplexStream, type ServerUnaryCall } from "@grpc/grpc-js";
import type { TrustedProxies } from "../../http/client-address.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { AgentRegister, Ingest, Register, RemoteLogs } from "../seams.ts";
import { INGEST_SERVICE, type RegisterAgentResponse, type ServerMessage } from "../wire/index.ts";
import { refusal, createEnroll } from "./authenticate.ts";
import { offline, createSessions } from "./commands.ts";
import { createConnections, LISTENER_LIMITS, type ListenerLimits } from "./connections.ts";
import { type ListenerTls, openCredentials, type Credentials } from "./credentials.ts";
import { createExchange, createReadings, type Exchange } from "./exchange.ts";
import { MAX_HANDSHAKE_BYTES, statusOf } from "./messages.ts";
import { createPush } from "./push.ts";
import { createQuota } from "../../http/quota.ts";

export type { ListenerTls } from "./credentials.ts";
export type { ListenerLimits } from "./connections.ts";

export interface ListenerOptions {
  listen: { host: string; port: number };
  tls: ListenerTls;
  /** Proxies, whose connections carry many agents. */
  proxies: TrustedProxies;
  agents: AgentRegister;
  register: Register;
  ingest: Ingest;
  /** Throws EDITION_REQUIRED when the present edition does not allow remote hosts. */
  requireEdition: () => void;
  eventsPerSecond: number;
  /** The version of this program. */
  version: string;
  limits?: Partial<ListenerLimits>;
  clock: Clock;
  log: Log;
}

export interface Listener extends RemoteLogs {
  /** Throws a StartError when the port cannot be opened or the certificate is unusable. */
  start(): Promise<void>;
  /**
   * Ends all streams with `listener_unavailable`, waits a little for what is being saved, then cuts the remaining connections. May be called twice.
   */
  stop(): Promise<void>;
  /**
   * Ends the stream of an agent that is revoked, or about to be deleted, at once, also during its handshake. Resolves when nothing of it is being saved any more, so that
   * nothing comes back after its data is deleted.
   */
  disconnect(agentId: string, code: "agent_revoked" | "listener_unavailable"): Promise<void>;
  /** Ends all streams when the edition no longer allows remote hosts. */
  checkEdition(): void;
  /** How many agents have a stream. */
  connected(): number;
  /** undefined while it does not listen. */
  address(): AddressInfo | undefined;
}

const STOP_WITHIN_MS = 3000;

/** The port where agents enroll and send their observations. Source: specification, Agent gRPC interface; contract, section 12. */
export function createListener(options: ListenerOptions): Listener {
  const { listen, tls, proxies, requireEdition, clock, log } = options;
  const limits = { ...LISTENER_LIMITS, ...options.limits };
  const sessions = createSessions();
  const waiting = createQuota({ total: limits.waiting, perAddress: limits.waitingPerAddress }, proxies);
  const open = new Set<Exchange>();
  const readings = createReadings({ waiting, strangerMessageBytes: MAX_HANDSHAKE_BYTES, receiveMs: limits.handshakeMs, clock });
  const server = new Server({
    "grpc.max_receive_message_length": limits.messageBytes,
    "grpc.max_send_message_length": limits.messageBytes,
    "grpc.max_concurrent_streams": limits.streamsPerConnection,
    "grpc.keepalive_time_ms": limits.keepaliveMs,
    "grpc.keepalive_timeout_ms": limits.keepaliveTimeoutMs,
    "grpc.enable_channelz": 0,
    interceptors: [readings.interceptor],
  });
  let serveSocket: ((socket: Parameters<ReturnType<Server["createConnectionInjector"]>["injectConnection"]>[0]) => void) | undefined;
  const connections = createConnections({ listen, limits, proxies, serve: (socket) => serveSocket?.(socket), clock, log });
  let credentials: Credentials | undefined;
  let withdrawals = 0;
  let stopped: Promise<void> | undefined;

  const push = createPush({ ...options, limits, sessions, waiting, connections, withdrawals: () => withdrawals });
  const enroll = createEnroll(options);
  server.addService(RAW_SERVICE, {
    registerAgent(call: ServerUnaryCall<Uint8Array, RegisterAgentResponse>, answer: sendUnaryData<RegisterAgentResponse>) {
      const enrolled = stopped === undefined ? enroll(call.request, call.getPeer()) : Promise.reject(stopping());
      enrolled.then(
        (response) => answer(null, response),
        (error: unknown) => answer(statusOf(error)),
      );
    },
    push(call: ServerDuplexStream<Uint8Array, ServerMessage>) {
      const exchange = createExchange(call, readings.of(call));
      if (stopped !== undefined) return exchange.end(stopping());
      open.add(exchange);
      exchange.closed.addEventListener("abort", () => open.delete(exchange));
      void push(exchange);
    },
  });

  async function shutDown(): Promise<void> {
    const saving = sessions.all().map(({ finished }) => finished);
    for (const exchange of open) exchange.end(stopping());
    const all = Promise.all([...saving, ...[...open].map(({ closed }) => aborted(closed))]);
    const enough = new AbortController();
    await Promise.race([all, pause(clock, STOP_WITHIN_MS, enough.signal)]);
    enough.abort();
    server.forceShutdown();
    await connections.stop();
    credentials?.stop();
  }

  return {
    async start() {
      credentials = await openCredentials(tls, { clock, log });
      serveSocket = server.createConnectionInjector(credentials.credentials).injectConnection;
      await connections.start();
    },
    stop() {
      stopped ??= shutDown();
      return stopped;
    },
    async disconnect(agentId, code) {
      withdrawals += 1;
      const session = sessions.of(agentId);
      session?.exchange.end(
        code === "agent_revoked" ? refusal(code) : new ServiceError(code, "This agent is being deleted. Try again later."),
      );
      await session?.finished;
    },
    checkEdition() {
      try {
        requireEdition();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (open.size > 0)
          log.warn({ agents: sessions.all().length }, "streams of agents ended: the edition in force does not grant remote hosts");
        for (const exchange of open) exchange.end(error);
      }
    },
    connected: () => sessions.all().length,
    address: connections.address,
    async *logs(agentId, request) {
      const session = sessions.of(agentId);
      if (session === undefined) throw offline();
      if (!session.hello.capabilities.includes("logs")) {
        throw new ServiceError("runtime_unavailable", "The agent of this host does not offer logs. Update it.");
      }
      yield* session.commands.logs(request);
    },
  };
}

/** Messages arrive as bytes: one that cannot be parsed is answered with an error code of the service, not of grpc-js. */
const RAW_SERVICE = {
  registerAgent: { ...INGEST_SERVICE.registerAgent, requestDeserialize: (bytes: Buffer): Uint8Array => bytes },
  push: { ...INGEST_SERVICE.push, requestDeserialize: (bytes: Buffer): Uint8Array => bytes },
} as const;

function stopping(): ServiceError {
  return new ServiceError("listener_unavailable", "The server is stopping. Try again later.");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve());
  });
}
