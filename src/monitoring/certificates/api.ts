import { z } from "zod";
import { parseDomain } from "../../contract/targets.ts";
import { CERTIFICATE_BOUNDS, CERTIFICATE_SOURCES, CERTIFICATE_STATUSES } from "../../contract/certificate.ts";
import { bulkBody, callerKey } from "../../http/bulk.ts";
import { type CursorPage, cursorPaging } from "../../http/cursor.ts";
import { sorting, type Sorting } from "../../http/sorting.ts";
import { agentFilter, paging, pathId, timestamp } from "../../http/schemas.ts";
import { text } from "../../http/texts.ts";

export const status = z.enum(CERTIFICATE_STATUSES);
export const source = z.enum(CERTIFICATE_SOURCES);

const domain = text(1024)
  .regex(/^\s*[^\s/?#@%\\]+\s*$/, "Must be a host name such as example.com, or an IP address")
  .trim()
  .transform((given, context) => {
    const parsed = parseDomain(given);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: "custom", message: "Must be a host name such as example.com, or an IP address" });
    return z.NEVER;
  });

const peer = domain.meta({ examples: ["example.com"] });
const port = z.number().int().min(1).max(65_535);

const thresholds = z
  .array(z.number().int().min(1).max(CERTIFICATE_BOUNDS.mostDays))
  .min(1)
  .max(CERTIFICATE_BOUNDS.mostThresholds)
  .transform((days) => [...new Set(days)].toSorted((a, b) => b - a));
const interval = z.number().int().min(CERTIFICATE_BOUNDS.interval.min).max(CERTIFICATE_BOUNDS.interval.max);

export const certificateBody = z.strictObject({
  domain: peer,
  port: port.default(443),
  server_name: domain.optional().meta({ description: "default: the domain" }),
  alert_thresholds_days: thresholds.default([...CERTIFICATE_BOUNDS.thresholds]),
  check_interval_seconds: interval.default(CERTIFICATE_BOUNDS.interval.default),
});
export type CertificateBody = z.infer<typeof certificateBody>;

/** What is left out stays. */
export const certificateChange = z.strictObject({
  domain: peer.optional(),
  port: port.optional(),
  server_name: domain.optional(),
  alert_thresholds_days: thresholds.optional(),
  check_interval_seconds: interval.optional(),
});
export type CertificateChange = z.infer<typeof certificateChange>;

export const certificateParams = z.strictObject({ id: pathId });

const listFilter = z.strictObject({
  status: status.optional(),
  source: source.optional(),
  endpoint_id: pathId.optional(),
  container_id: pathId.optional(),
  search: text(255).optional().meta({ description: "part of the domain, the server name or the issuer, in any case" }),
  agent_id: agentFilter,
});
export type ListFilter = z.infer<typeof listFilter>;

export const SORT_KEYS = ["domain", "status", "days_left", "issuer", "checked"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const listQuery = listFilter.extend({ ...sorting(SORT_KEYS), ...cursorPaging() });
export type ListQuery = ListFilter & CursorPage & Sorting<SortKey>;

export const checkQuery = z.strictObject({
  since: timestamp.optional().meta({ description: "default: 30 days ago" }),
  until: timestamp.optional(),
  ...paging({ limit: 50 }),
});

/** A certificate as one of many. */
const item = certificateBody.extend({ key: callerKey });
export type CertificateItem = z.infer<typeof item>;

const itemPeer = {
  field: "domain",
  of(given: Readonly<Record<string, unknown>>) {
    const { domain: host, port: number, server_name: serverName = host } = given;
    return typeof host === "string" && typeof number === "number" ? `${host} ${number} ${String(serverName)}` : undefined;
  },
};

export const certificateBulkBody = bulkBody("certificates", item, [itemPeer]);
