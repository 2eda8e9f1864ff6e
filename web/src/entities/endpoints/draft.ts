/** An endpoint as it is being typed, and what is wrong with it by the server's rules. */
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/api.ts";
import type { EndpointInput } from "../../api/endpoint-queries.ts";

export const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

export interface HeaderDraft {
  key: number;
  name: string;
  value: string;
}

export interface EndpointDraft {
  type: "http" | "tcp";
  target: string;
  name: string;
  interval: string;
  timeout: string;
  failures: string;
  recoveries: string;
  method: Method;
  statuses: string;
  verifiesTls: boolean;
  redirects: string;
  contains: string;
  headers: readonly HeaderDraft[];
}

/** By the name that a field has on the wire, so that the server's faults find it too. */
export type EndpointFaults = Readonly<Record<string, string>>;

export const NEW_ENDPOINT: EndpointDraft = {
  type: "http",
  target: "",
  name: "",
  interval: "30",
  timeout: "10",
  failures: "3",
  recoveries: "2",
  method: "GET",
  statuses: "2xx",
  verifiesTls: true,
  redirects: "5",
  contains: "",
  headers: [],
};

/** A new one, of this target where it is already known: a URL, or a host with its port. */
export function newEndpoint(target = ""): EndpointDraft {
  return { ...NEW_ENDPOINT, type: target === "" || isHttpUrl(target) ? "http" : "tcp", target };
}

/** What is set, ready to be edited; what is masked stays so, and keeps what it stands for. */
export function draftOf({ type, target, name, config }: Pick<EndpointRecord, "type" | "target" | "name" | "config">): EndpointDraft {
  return {
    type,
    target,
    name: name === target ? "" : name,
    interval: String(config.interval_seconds),
    timeout: String(config.timeout_seconds),
    failures: String(config.failure_threshold),
    recoveries: String(config.recovery_threshold),
    method: METHODS.find((method) => method === config.method) ?? "GET",
    statuses: (config.expected_status ?? ["2xx"]).join(", "),
    verifiesTls: config.tls_verify ?? true,
    redirects: String(config.max_redirects ?? 5),
    contains: config.body_contains ?? "",
    headers: Object.entries(config.headers ?? {}).map(([header, value], key) => ({ key, name: header, value })),
  };
}

/** What the draft asks for, or what is wrong with it, field by field. `alerts` are kept as they are. */
export function readDraft(
  draft: EndpointDraft,
  alerts: Pick<EndpointRecord, "alert_severity" | "alert_channels" | "alert_tags"> | undefined,
): { body: EndpointInput } | { faults: EndpointFaults } {
  const faults: Record<string, string> = {};
  const target = draft.target.trim();
  const name = draft.name.trim();
  const whole = (field: string, text: string, { min, max }: { min: number; max: number }): number => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) faults[field] = `A whole number, ${min} to ${max}.`;
    return value;
  };
  if (draft.type === "http" && !isHttpUrl(target)) faults["target"] = "A URL that begins with http:// or https://.";
  if (draft.type === "tcp" && !isHostPort(target)) faults["target"] = "host:port, with a port from 1 to 65535.";
  if (name.length > 255) faults["name"] = "At most 255 characters.";
  const interval = whole("interval_seconds", draft.interval, { min: 5, max: 86_400 });
  const timeout = whole("timeout_seconds", draft.timeout, { min: 1, max: 60 });
  if (timeout > interval) faults["timeout_seconds"] ??= "Not longer than the interval.";
  const common = {
    target,
    ...(name !== "" && { name }),
    interval_seconds: interval,
    timeout_seconds: timeout,
    failure_threshold: whole("failure_threshold", draft.failures, { min: 1, max: 100 }),
    recovery_threshold: whole("recovery_threshold", draft.recoveries, { min: 1, max: 100 }),
    ...(alerts !== undefined && {
      alert_severity: alerts.alert_severity,
      alert_channels: alerts.alert_channels,
      alert_tags: alerts.alert_tags,
    }),
  };
  const body: EndpointInput =
    draft.type === "tcp" ? { type: "tcp", ...common } : { type: "http", ...common, ...readHttp(draft, faults, whole) };
  return Object.keys(faults).length > 0 ? { faults } : { body };
}

type Whole = (field: string, text: string, limits: { min: number; max: number }) => number;

function readHttp(draft: EndpointDraft, faults: Record<string, string>, whole: Whole) {
  const statuses = [
    ...new Set(
      draft.statuses
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((text) => text !== ""),
    ),
  ];
  if (statuses.length === 0 || statuses.length > 20 || !statuses.every((status) => /^[1-5](?:\d\d|xx)$/.test(status)))
    faults["expected_status"] = "Statuses such as 204, or classes such as 2xx, with commas between.";
  if (draft.contains.length > 255) faults["body_contains"] = "At most 255 characters.";
  return {
    method: draft.method,
    expected_status: statuses,
    tls_verify: draft.verifiesTls,
    headers: readHeaders(draft.headers, faults),
    max_redirects: whole("max_redirects", draft.redirects, { min: 0, max: 20 }),
    body_contains: draft.contains.trim() === "" ? null : draft.contains,
  };
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const OWN_HEADERS = /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

function readHeaders(headers: readonly HeaderDraft[], faults: Record<string, string>): Record<string, string> {
  const filled = headers.filter(({ name, value }) => name.trim() !== "" || value !== "");
  const names = filled.map(({ name }) => name.trim());
  const wrong = names.find((name) => !HEADER_NAME.test(name));
  const own = names.find((name) => OWN_HEADERS.test(name));
  const double = names.find((name, index) => names.slice(0, index).some((other) => other.toLowerCase() === name.toLowerCase()));
  if (wrong !== undefined) faults["headers"] = wrong === "" ? "Each header needs a name." : `“${wrong}” is not a header name.`;
  else if (own !== undefined) faults["headers"] = `${own} frames a message, and cannot be set.`;
  else if (double !== undefined) faults["headers"] = `${double} is there twice.`;
  else if (names.length > 50) faults["headers"] = "At most 50 headers.";
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}

function isHttpUrl(text: string): boolean {
  const url = text.length <= 2048 ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" && url.port !== "0";
}

function isHostPort(text: string): boolean {
  const [, host = "", digits = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port < 1 || port > 65_535 || /[\s/?#@%\\]/.test(host)) return false;
  return URL.parse(`http://${host}/`) !== null && (host.startsWith("[") || !host.includes(":"));
}

/** The server's faults by the first part of their path: `headers.X-Token` is told at the headers. */
export function byField(faults: Record<string, string>): EndpointFaults {
  return Object.fromEntries(Object.entries(faults).map(([path, message]) => [/^(?:body\.)?([a-z_]+)/.exec(path)?.[1] ?? path, message]));
}
