import { createHash, randomBytes } from "node:crypto";

/** A code or token: 32 bytes of chance. Source: specification, MCP authentication. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** What is kept of a code, a token or a secret: its SHA-256, in hex. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
