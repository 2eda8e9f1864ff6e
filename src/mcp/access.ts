import type { Scope } from "./tool.ts";

/** Who calls, and what they were allowed. */
export interface Grant {
  /** The connection that the token belongs to; null where none is asked for. */
  id: number | null;
  scopes: readonly Scope[];
  /** What its client calls itself, once it is known. */
  clientName: string | null;
}

/** Decides who may use MCP over HTTP. */
export interface McpAccess {
  /** `authorization` is the header as it was sent. Throws {@link McpRefusal}. */
  admit(authorization: string | undefined): Promise<Grant>;
  /** The refusal for a client whose token is valid but does not permit `scopes`. */
  insufficient(scopes: readonly Scope[]): McpRefusal;
}

/** A caller who may not: what HTTP says of it. Source: RFC 6750, section 3; RFC 9728, section 5.1. */
export class McpRefusal extends Error {
  readonly status: 401 | 403;
  /** The value of WWW-Authenticate. */
  readonly challenge: string;

  constructor(status: 401 | 403, { challenge, message }: { challenge: string; message: string }) {
    super(message);
    this.name = "McpRefusal";
    this.status = status;
    this.challenge = challenge;
  }
}

/** A grant that nobody gave: to look, and no more. */
export const READ_ONLY: Grant = { id: null, scopes: ["monitor:read"], clientName: null };

/** Without credentials anyone who reaches the address may look. */
export const openAccess: McpAccess = {
  admit: () => Promise.resolve(READ_ONLY),
  insufficient: (scopes: readonly Scope[]) =>
    new McpRefusal(403, {
      challenge: `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"`,
      message: "Without authentication MCP may only look.",
    }),
};
