import { createHash, randomBytes } from "node:crypto";

/** What a link of a mail may do. */
export type TokenPurpose = "confirm" | "unsubscribe";

/** A new token; only its hash is ever stored. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashOf(token) };
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
