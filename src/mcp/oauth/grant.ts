import type { Scope } from "../tool.ts";
import { verifies } from "./authorization.ts";
import { isWithin } from "./scopes.ts";

/** An authorization code, as it is kept. */
export interface Code {
  clientId: string;
  redirectUri: string;
  /** By S256. */
  challenge: string;
  scopes: readonly Scope[];
  resource: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A code after it was given out. */
export interface GivenCode extends Code {
  consumedAt: Date | null;
}

/** What a code is presented with. */
export interface CodeUse {
  clientId: string;
  redirectUri: string;
  verifier: string;
  resource: string;
}

/** `replayed`: it was used before, so that one of its users is not the client, and everything issued for it must end. */
export type Verdict = "good" | "refused" | "replayed";

/** Source: RFC 6749, sections 4.1.3 and 10.5; RFC 7636, section 4.6. */
export function judgeCode(code: GivenCode, use: CodeUse, now: Date): Verdict {
  if (code.clientId !== use.clientId) return "refused";
  if (code.consumedAt !== null) return "replayed";
  const isBound = code.redirectUri === use.redirectUri && code.resource === use.resource && verifies(code.challenge, use.verifier);
  return isBound && code.expiresAt.getTime() > now.getTime() ? "good" : "refused";
}

/** A refresh token and what it belongs to, as they are kept. */
export interface GivenRefresh {
  clientId: string;
  resource: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  consumedAt: Date | null;
}

/** What a refresh token is presented with. */
export interface RefreshUse {
  clientId: string;
  resource: string;
  /** Fewer than it was given with; undefined for the same. */
  scopes: readonly Scope[] | undefined;
}

/** Source: RFC 6749, section 6; specification, MCP authentication. */
export function judgeRefresh(token: GivenRefresh, use: RefreshUse, now: Date): Verdict | "too_wide" {
  if (token.clientId !== use.clientId) return "refused";
  if (token.consumedAt !== null) return "replayed";
  if (token.resource !== use.resource || token.expiresAt.getTime() <= now.getTime()) return "refused";
  return isWithin(use.scopes ?? [], token.scopes) ? "good" : "too_wide";
}
