import type { IncomingHttpHeaders } from "node:http";
import { parseRetryAfter } from "../../platform/outbound-retry-after.ts";
import { LONGEST_REST_MS } from "./lanes.ts";

/** When a registry says that it was asked too often, and not for how long. */
const UNSAID_MS = 60_000;

/** For how long a registry wants to be left alone, in milliseconds; null when it does not. Sources: RFC 9110, 10.2.3; the IETF's RateLimit headers; Docker Hub, GitLab. */
export function restAsked(status: number, headers: IncomingHttpHeaders, now: Date): number | null {
  const asked = parseRetryAfter(headers["retry-after"], now) ?? resetIn(headers, now);
  if (status === 429) return Math.min(asked ?? UNSAID_MS, LONGEST_REST_MS);
  if (!/^0+(?:\s*;.*)?$/.test(first(headers, "ratelimit-remaining") ?? "")) return null;
  return Math.min(asked ?? UNSAID_MS, LONGEST_REST_MS);
}

/** `ratelimit-reset`: seconds from now, or a time in seconds since 1970. */
function resetIn(headers: IncomingHttpHeaders, now: Date): number | null {
  const text = first(headers, "ratelimit-reset")?.trim() ?? "";
  if (!/^\d{1,12}$/.test(text)) return null;
  const seconds = Number(text);
  return Math.max(0, seconds > 1_000_000_000 ? seconds * 1000 - now.getTime() : seconds * 1000);
}

function first(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name] ?? headers[`x-${name}`];
  return Array.isArray(value) ? value[0] : value;
}
