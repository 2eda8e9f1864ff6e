/** Why a registry did not tell what it was asked. The message is a sentence that may be shown: without credentials, bounded, of one line. */
export class RegistryError extends Error {
  readonly reason:
    | "unauthorized"
    | "not_found"
    | "rate_limited"
    | "unreachable"
    | "timeout"
    | "refused"
    | "malformed"
    | "too_large"
    | "unavailable";

  constructor(reason: RegistryError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
