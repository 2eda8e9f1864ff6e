import { createHash } from "node:crypto";

/** Random bytes in a token. */
export const TOKEN_BYTES = 32;

const BEGINNING = "svc_enr_";
const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
const TOKEN = /^svc_enr_[a-z2-7]{52}$/;
const SHOWN_LENGTH = 14;

/** The token of these random bytes: `svc_enr_` and 52 digits of base32. Source: contract, section 12. */
export function tokenOf(bytes: Uint8Array): string {
  return BEGINNING + base32(bytes);
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The stored form of a token: its SHA-256, in hex. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The id of a token: the beginning of its hash. */
export function idOf(hash: string): string {
  return hash.slice(0, 16);
}

/** The part of a token that is shown later. */
export function prefixOf(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

/** RFC 4648 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS.charAt((value >>> (bits - 5)) & 31);
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + DIGITS.charAt((value << (5 - bits)) & 31);
}

/** A token as it is stored, without its text. */
export interface EnrollmentToken {
  /** The first 16 hex digits of its hash. */
  id: string;
  prefix: string;
  /** The name of the agent, unless the agent chooses one itself. */
  label: string | null;
  createdAt: Date;
  expiresAt: Date;
  consumedAt: Date | null;
  /** The agent that enrolled with it. */
  agentId: string | null;
}

/** Why a token is refused. */
export type TokenRefusal = "token_invalid" | "token_expired" | "token_consumed";

export const TOKEN_STATUSES = ["open", "consumed", "expired"] as const;
type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function statusOf({ consumedAt, expiresAt }: Pick<EnrollmentToken, "consumedAt" | "expiresAt">, now: Date): TokenStatus {
  if (consumedAt !== null) return "consumed";
  return expiresAt.getTime() > now.getTime() ? "open" : "expired";
}

/** undefined when the token is valid. */
export function refusalOf(token: EnrollmentToken | undefined, now: Date): TokenRefusal | undefined {
  if (token === undefined) return "token_invalid";
  const status = statusOf(token, now);
  return status === "open" ? undefined : `token_${status}`;
}
