import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { CERTIFICATE_STATUSES } from "../../contract/certificate.ts";
import { shownKey, bulkAnswer } from "../../http/bulk.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { status, source } from "./api.ts";

const severity = z.enum(SEVERITIES);

export const certificate = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  domain: z.string().meta({ description: "in ASCII: an internationalised name is in its xn-- form" }),
  port: z.number().int(),
  server_name: z.string().meta({ description: "what is sent as SNI, and what the certificate must be for" }),
  key: shownKey,
  source,
  endpoint_id: z.number().int().nullable(),
  container_id: z.number().int().nullable(),
  status,
  status_since: timestamp,
  message: z.string().nullable().meta({ description: "what is wrong, in sentences; null when nothing is" }),
  alerting: z
    .array(z.enum(["expiring", "expired", "chain_invalid", "unreachable"]))
    .meta({ description: "the alerts that are raised now" }),
  days_until_expiry: z.number().int().nullable().meta({ description: "whole days left, below 0 once expired; null while none was seen" }),
  expires_at: timestamp.nullable(),
  issuer: z.string().nullable(),
  issuer_org: z.string().nullable(),
  subject: z.string().nullable(),
  fingerprint_sha256: z.string().nullable(),
  alert_thresholds_days: z.array(z.number().int()),
  check_interval_seconds: z.number().int(),
  last_check_at: timestamp.nullable(),
  next_check_at: timestamp,
  last_error: z.string().nullable().meta({ description: "why the last check saw no certificate" }),
  alert_severity: severity,
  alert_channels: z.array(z.string()),
  alert_tags: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type CertificateRecord = z.infer<typeof certificate>;

export const certificateList = z.object({
  certificates: z.array(certificate),
  total: z.number().int(),
  counts: z
    .object({
      valid: z.number().int(),
      expiring: z.number().int(),
      expired: z.number().int(),
      chain_invalid: z.number().int(),
      unreachable: z.number().int(),
      unknown: z.number().int(),
    })
    .meta({ description: "of all that fit, not of this page alone" }),
  next_cursor: nextCursor,
});
export type CertificateList = z.infer<typeof certificateList>;

export const chainLink = z.object({
  position: z.number().int().meta({ description: "0 is the leaf" }),
  subject: z.string(),
  issuer: z.string(),
  not_before: timestamp,
  expires_at: timestamp,
  error: z.string().nullable().meta({ description: "what is wrong with this one" }),
});

export const certificateCheck = z.object({
  id: z.number().int(),
  status: z.enum(CERTIFICATE_STATUSES),
  error: z.string().nullable().meta({ description: "why no certificate was seen" }),
  subject: z.string().nullable(),
  issuer: z.string().nullable(),
  issuer_org: z.string().nullable(),
  sans: z.array(z.string()),
  serial_number: z.string().nullable(),
  fingerprint_sha256: z.string().nullable(),
  key_type: z.string().nullable(),
  signature_algorithm: z.string().nullable(),
  not_before: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  days_until_expiry: z.number().int().nullable(),
  chain_valid: z.boolean().nullable(),
  chain_error: z.string().nullable().meta({ description: "everything that is wrong with the chain" }),
  hostname_match: z.boolean().nullable(),
  chain: z.array(chainLink),
  ocsp: z.enum(["good", "revoked", "unknown"]).nullable(),
  checked_at: timestamp,
});
export type CertificateCheckRecord = z.infer<typeof certificateCheck>;

/** What creating, changing and reading one answers. */
export const certificateDetail = z.object({ certificate, latest_check: certificateCheck.nullable() });
export type CertificateDetail = z.infer<typeof certificateDetail>;

export const certificateCheckList = z.object({
  certificate_id: z.number().int(),
  checks: z.array(certificateCheck),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type CertificateCheckList = z.infer<typeof certificateCheckList>;

export const certificateBulkAnswer = bulkAnswer("certificates", {});
export type CertificateBulkAnswer = z.infer<typeof certificateBulkAnswer>;
