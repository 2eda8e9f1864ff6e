/** A token as it is kept; its text is not. */
export interface EnrollmentToken {
  /** The first 16 hex digits of its hash. */
  id: string;
  prefix: string;
  /** What the agent will be called unless it says so itself. */
  label: string | null;
  createdAt: Date;
  expiresAt: Date;
  consumedAt: Date | null;
  /** Who enrolled by it. */
  agentId: string | null;
}

/** Why a token does not let an agent in. */
export type TokenRefusal = "token_invalid" | "token_expired" | "token_consumed";

export const TOKEN_STATUSES = ["open", "consumed", "expired"] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function statusOf({ consumedAt, expiresAt }: Pick<EnrollmentToken, "consumedAt" | "expiresAt">, now: Date): TokenStatus {
  if (consumedAt !== null) return "consumed";
  return expiresAt.getTime() > now.getTime() ? "open" : "expired";
}

/** undefined when it would have let the agent in. */
export function refusalOf(token: EnrollmentToken | undefined, now: Date): TokenRefusal | undefined {
  if (token === undefined) return "token_invalid";
  const status = statusOf(token, now);
  return status === "open" ? undefined : `token_${status}`;
}
