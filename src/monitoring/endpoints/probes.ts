import type { CheckResult, EndpointCheck } from "../../observations.ts";

/** What checks the endpoints of this host. Their results arrive as observations. */
export interface Probes {
  /** Replaces what is checked, by key; what is new is first checked within 5 seconds. */
  set(checks: ReadonlyMap<string, EndpointCheck>): void;
  /** Checks one now, out of turn; its result is an observation too. Throws `not_found` for an unknown key. */
  checkNow(key: string, signal: AbortSignal): Promise<{ at: Date; result: CheckResult }>;
}
