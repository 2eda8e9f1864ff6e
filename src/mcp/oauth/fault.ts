/** What the token and revocation endpoints refuse with, and its status. Source: RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8707, section 2. */
const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  temporarily_unavailable: 503,
} as const;

export type FaultCode = keyof typeof STATUSES;

/** A refusal in OAuth's own words. It says the same of a token that was never given out and of one that has ended. */
export class OAuthFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.name = "OAuthFault";
    this.code = code;
  }

  get status(): number {
    return STATUSES[this.code];
  }
}
