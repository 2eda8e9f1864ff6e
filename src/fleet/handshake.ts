/**
 * How an agent proves its identity: it signs a nonce that the server made for this stream. Source: specification, Authentication, Agents; test
 * vectors are in handshake-vectors.json.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** The version of the protocol that agents and servers of this program speak. */
export const PROTOCOL = 1;
export const NONCE_BYTES = 32;
export const PUBLIC_KEY_BYTES = 32;
/** How far the clocks may be apart, either way. */
export const MAX_SKEW_SECONDS = 300;

/** What is signed. */
export interface Challenge {
  /** 32 random bytes of the server. */
  nonce: Uint8Array;
  /** A UUID in its text form. */
  agentId: string;
  /** The agent's clock, in Unix seconds. */
  timestampSeconds: bigint;
}

/** Why a handshake is refused. */
export type Refusal = "agent_unknown" | "bad_signature" | "agent_revoked" | "clock_skew";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The 16 bytes of a UUID; undefined when it is none. */
export function agentIdBytes(agentId: string): Buffer | undefined {
  return UUID.test(agentId) ? Buffer.from(agentId.replaceAll("-", ""), "hex") : undefined;
}

/** nonce (32) ‖ agent UUID (16) ‖ timestamp (8, big-endian, signed). Throws a RangeError when a part does not fit. */
export function challengeBytes({ nonce, agentId, timestampSeconds }: Challenge): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes, not ${nonce.length}`);
  const id = agentIdBytes(agentId);
  if (id === undefined) throw new RangeError("an agent id is a UUID");
  const timestamp = Buffer.alloc(8);
  timestamp.writeBigInt64BE(timestampSeconds);
  return Buffer.concat([nonce, id, timestamp]);
}

/** The Ed25519 signature of a challenge, 64 bytes. */
export function signChallenge(challenge: Challenge, privateKey: KeyObject): Buffer {
  return sign(null, challengeBytes(challenge), privateKey);
}

export function verifyChallenge(challenge: Challenge, signature: Uint8Array, publicKey: KeyObject): boolean {
  return verify(null, challengeBytes(challenge), publicKey, signature);
}

/** The DER of SubjectPublicKeyInfo before the key itself. Source: RFC 8410, section 4. */
const ED25519_SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** The public key of 32 raw bytes, as it is registered. Throws a RangeError for another length. */
export function publicKeyOf(bytes: Uint8Array): KeyObject {
  if (bytes.length !== PUBLIC_KEY_BYTES) throw new RangeError(`an Ed25519 public key has ${PUBLIC_KEY_BYTES} bytes, not ${bytes.length}`);
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI, bytes]), format: "der", type: "spki" });
}

/** The 32 raw bytes of an Ed25519 key, public or private. */
export function publicKeyBytes(key: KeyObject): Buffer {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return publicKey.export({ format: "der", type: "spki" }).subarray(ED25519_SPKI.length);
}

/** Verified against in place of an unknown agent's key. From RFC 8032, section 7.1, test 2. Its private half is public, so it proves nothing. */
const STAND_IN_KEY = Buffer.from("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "hex");

/**
 * Why an answer to a challenge is refused; undefined when it is accepted. The signature is checked first, and takes as long for an agent that does
 * not exist. So only the owner of the key learns that an agent is revoked, or how far the clocks differ, and an id must be guessed as a whole (122
 * random bits) to distinguish `bad_signature` from `agent_unknown`.
 */
export function refusalOf(
  challenge: Challenge,
  signature: Uint8Array,
  agent: { status: "active" | "revoked"; publicKey: Uint8Array } | undefined,
  now: Date,
): Refusal | undefined {
  const isSigned = verifyChallenge(challenge, signature, publicKeyOf(agent?.publicKey ?? STAND_IN_KEY));
  if (agent === undefined) return "agent_unknown";
  if (!isSigned) return "bad_signature";
  if (agent.status !== "active") return "agent_revoked";
  return isWithinSkew(challenge.timestampSeconds, now) ? undefined : "clock_skew";
}

function isWithinSkew(timestampSeconds: bigint, now: Date): boolean {
  const difference = timestampSeconds - BigInt(Math.floor(now.getTime() / 1000));
  return difference <= MAX_SKEW_SECONDS && -difference <= MAX_SKEW_SECONDS;
}
