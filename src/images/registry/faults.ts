import type { z } from "zod";
import { OutboundError } from "../../platform/outbound-error.ts";
import { RegistryError } from "../image.ts";

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

/** A body as JSON of a shape; `what` begins the sentence that says that it is not. */
export function readJson<Schema extends z.ZodType>(body: Buffer, schema: Schema, what: string): z.infer<Schema> {
  return readShape(parseJson(body, what), schema, what);
}

export function parseJson(body: Buffer, what: string): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    const looks = /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString("latin1")) ? "a web page" : "not JSON";
    throw new RegistryError("malformed", `${what} is ${looks}.`);
  }
}

export function readShape<Schema extends z.ZodType>(value: unknown, schema: Schema, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.slice(0, 4).map(String).join(".").slice(0, 60);
  throw new RegistryError("malformed", `${what} does not look as it must${path ? ` at ${JSON.stringify(path)}` : ""}.`);
}
