/** What the listener takes on at most. Tests shorten them. */
export interface ListenerLimits {
  /** Of one message, either way. */
  messageBytes: number;
  /** Streams of one connection: a proxy may carry many agents on one. */
  streamsPerConnection: number;
  connections: number;
  /** Connections of one address that carry no authenticated stream. */
  strangersPerAddress: number;
  /** What such a connection may send before it is cut: an enrollment or an answer to the challenge is far below. */
  strangerBytes: number;
  /** How long it may stay. */
  strangerMs: number;
  /** Streams and enrollments that are not authenticated yet, in all and of one address. */
  waiting: number;
  waitingPerAddress: number;
  /** To answer the challenge. Source: contract, section 12. */
  handshakeMs: number;
  /** Between two signs of life that are asked of a connection, and to answer one. */
  keepaliveMs: number;
  keepaliveTimeoutMs: number;
  /** For an ended stream to be taken note of, before its connection is cut. */
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
