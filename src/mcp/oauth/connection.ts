import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Scope } from "../tool.ts";

/** Everything issued for one consent: the codes and tokens that replace each other. They end together. */
export interface Connection {
  id: number;
  /** What its client calls itself, once it is known. */
  clientName: string | null;
  redirectUri: string;
  scopes: readonly Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The end of its latest refresh token. */
  expiresAt: Date;
  revokedAt: Date | null;
}

export const CONNECTION_STATUSES = ["active", "expired", "revoked"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export function statusOf({ revokedAt, expiresAt }: Pick<Connection, "revokedAt" | "expiresAt">, now: Date): ConnectionStatus {
  if (revokedAt !== null) return "revoked";
  return expiresAt.getTime() > now.getTime() ? "active" : "expired";
}

/** Source: specification, Limits. */
export const LIFETIMES = {
  accessMs: 60 * MINUTE_MS,
  refreshMs: 30 * DAY_MS,
  codeMs: 10 * MINUTE_MS,
  purgedEveryMs: 15 * MINUTE_MS,
} as const;

/** How long a connection is shown after its end. */
export const SHOWN_MS = 30 * DAY_MS;

/** How many are kept; older ones are removed. Anybody may ask for a code without a secret, so such requests must not keep others out. */
export const BOUNDS = {
  codes: 1000,
  /** Connections in use; more than these, and the one that was not used for the longest time ends. */
  active: 200,
  /** Connections that are shown, with those that have ended. */
  connections: 500,
  /** Of one connection: tokens that are in use at once, and those used up that are remembered: three days of one every minute, or 30 of one an hour. */
  accessTokens: 10,
  refreshTokens: 5000,
} as const;
