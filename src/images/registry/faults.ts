import { OutboundError } from "../../platform/outbound-error.ts";
import { RegistryError } from "../registry-error.ts";

const REASONS: Readonly<Record<OutboundError["reason"], RegistryError["reason"]>> = {
  private_address_refused: "refused",
  https_required: "refused",
  redirect: "refused",
  name: "unreachable",
  connection: "unreachable",
  tls: "unreachable",
  timeout: "timeout",
  too_large: "too_large",
  aborted: "timeout",
};

/** What to throw in place of an error of a connection: the signal's reason when that is aborted, else a RegistryError. */
export function registryFault(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof OutboundError)) return error;
  const hint =
    error.reason === "private_address_refused" ? " Hosts on private networks are asked only when --update-private-hosts names them." : "";
  return new RegistryError(REASONS[error.reason], `${error.message}${hint}`);
}

/** What an answer that was not hoped for means. `what` is what was asked for: `library/nginx:1.25`. */
export function statusFault(registry: string, status: number, what: string): RegistryError {
  if (status === 404) return new RegistryError("not_found", `${registry} has no ${what}.`);
  if (status === 401 || status === 403) return new RegistryError("unauthorized", `${registry} does not let ${what} be read (${status}).`);
  if (status >= 500) return new RegistryError("unavailable", `${registry} is not in order: it answered ${status} when asked for ${what}.`);
  return new RegistryError("refused", `${registry} answered ${status} when asked for ${what}.`);
}
