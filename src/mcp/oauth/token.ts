import { createHash } from "node:crypto";

/** Bytes of chance in a code or token. Source: specification, MCP authentication. */
export const TOKEN_BYTES = 32;

const TOKEN = /^[\w-]{43}$/;

export function tokenOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What is kept of a code, a token or a secret: its SHA-256, in hex. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
