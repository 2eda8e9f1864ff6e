import { MINUTE_MS } from "../contract/time.ts";
import type { TrustedProxies } from "./client-address.ts";

/** The settings of HTTP that the operator chooses. */
export interface HttpConfig {
  readonly listen: { readonly host: string; readonly port: number };
  readonly maxBodyBytes: number;
  /** undefined: no CORS headers. `*`: any origin may read. A list: these origins may read and write. */
  readonly corsOrigins: "*" | readonly string[] | undefined;
  readonly trustedProxies: TrustedProxies;
  /** Additional names that a Host header may have. */
  readonly allowedHosts: readonly string[];
  /** The public origin, such as `https://status.example.org`. */
  readonly baseUrl: string | undefined;
}

/** Limits of the HTTP server that the operator cannot change; a test may lower them. */
export interface HttpLimits {
  /** From a complete request to its answer, unless the route streams. */
  answerMs: number;
  /** From the first byte of a request to its last. */
  receiveMs: number;
  /** Without a byte in either direction during a request or its answer. */
  idleMs: number;
  /** Between two requests of one connection. */
  keepAliveMs: number;
  headerBytes: number;
  urlLength: number;
  jsonDepth: number;
  connections: number;
  /** How many of these one client may have. An office behind one address has many readers. */
  connectionsPerClient: number;
  /** Open event streams in all, and how many of them may be on public routes, so that the public cannot crowd out the operator. */
  streams: number;
  publicStreams: number;
  /** How many of these one client may have: an office behind one address has many readers. */
  publicStreamsPerClient: number;
  /** Open streams of logs, each of which holds a connection to an engine, and how many of them one client may have. */
  logStreams: number;
  logStreamsPerClient: number;
  /** How many bytes may wait for one slow reader of an event stream. */
  streamBufferBytes: number;
  /** How long stopping waits for pending answers. */
  stopMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  answerMs: 10_000,
  receiveMs: 10_000,
  idleMs: MINUTE_MS,
  keepAliveMs: 72_000,
  headerBytes: 16_384,
  urlLength: 8_192,
  jsonDepth: 64,
  connections: 8_192,
  connectionsPerClient: 256,
  streams: 4_000,
  publicStreams: 3_000,
  publicStreamsPerClient: 200,
  logStreams: 100,
  logStreamsPerClient: 50,
  streamBufferBytes: 1_048_576,
  stopMs: 5_000,
};

/** Token buckets per client address. Source: specification, Limits. */
export const REQUEST_RATES = {
  public: { perSecond: 10, burst: 20 },
  admin: { perSecond: 50, burst: 200 },
} as const;
