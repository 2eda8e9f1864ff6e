import { CHANNEL_BOUNDS } from "../../contract/notifications.ts";
import type { Fault } from "../../platform/errors.ts";
import { MASKED } from "./kinds/kind.ts";

export type Headers = Readonly<Record<string, string>>;

/** Headers that belong to the connection or are set by the program. */
const NOT_TO_BE_SET =
  /^(?:host|content-length|content-type|content-encoding|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|idempotency-key|proxy-.*|http2-settings|:.*)$/i;

const LONGEST = { name: 100, value: 4096 } as const;

/** Parses a JSON object of header names and values; undefined, null and "" are none. Answers all faults at once. */
export function readHeaders(text: string | null | undefined): { headers: Headers } | { faults: Fault[] } {
  if (text === null || text === undefined || text.trim() === "") return { headers: {} };
  const parsed = jsonOf(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return { faults: [{ path: "headers", message: 'Must be a JSON object of names and values, such as {"Authorization": "Bearer ..."}' }] };
  }
  const entries = Object.entries(parsed);
  if (entries.length > CHANNEL_BOUNDS.headers)
    return { faults: [{ path: "headers", message: `Must not have more than ${CHANNEL_BOUNDS.headers} headers` }] };
  const names = new Set<string>();
  const faults = entries.flatMap(([name, value]: [string, unknown]) => {
    const message = faultOf(name, value, names);
    names.add(name.toLowerCase());
    return message === undefined ? [] : [{ path: `headers.${name.slice(0, LONGEST.name)}`, message }];
  });
  return faults.length > 0 ? { faults } : { headers: Object.fromEntries(entries) };
}

function faultOf(name: string, value: unknown, before: ReadonlySet<string>): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > LONGEST.name) return "Must be named as an HTTP header";
  if (NOT_TO_BE_SET.test(name)) return "Must not be set: it is up to the connection";
  if (before.has(name.toLowerCase())) return "Must not be there twice";
  if (typeof value !== "string") return "Must be text";
  if (value.length > LONGEST.value) return `Must not be longer than ${LONGEST.value} characters`;
  if (!/^[\x20-\x7e\t]*$/.test(value)) return "Must not contain line breaks, control characters or characters other than ASCII";
  return undefined;
}

/** The headers as they may be shown: names without values. */
export function maskHeaders(headers: Headers): string {
  return JSON.stringify(Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED])));
}

/** Replaces masked values by those before. A masked value that did not exist before is a fault. */
export function unmaskHeaders(given: Headers, before: Headers): { headers: Headers } | { faults: Fault[] } {
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  const faults: Fault[] = [];
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== MASKED) return [name, value];
      const kept = known.get(name.toLowerCase());
      if (kept === undefined) faults.push({ path: `headers.${name}`, message: "Is masked: give its value" });
      return [name, kept ?? ""];
    }),
  );
  return faults.length > 0 ? { faults } : { headers };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
