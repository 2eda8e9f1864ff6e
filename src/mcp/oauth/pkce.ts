import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Whether a client may be asked later for what this came of. Source: RFC 7636, section 4.2. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether the challenge, made by S256, came of this verifier. Source: RFC 7636, section 4.6. */
export function verifies(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const expected = Buffer.from(challenge);
  const given = Buffer.from(createHash("sha256").update(verifier).digest("base64url"));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
