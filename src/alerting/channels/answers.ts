import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import { CHANNEL_TYPES, CHANNEL_HEALTHS } from "./api.ts";

export const rule = z.object({
  id: z.number().int(),
  source: z.enum(ALERT_SOURCES).nullable().meta({ description: "null: any" }),
  severity: z.enum(SEVERITIES).nullable().meta({ description: "null: any" }),
  entity_type: z.string().nullable().meta({ description: "null: any" }),
  entity_id: z.string().nullable().meta({ description: "null: any" }),
});
export type RuleRecord = z.infer<typeof rule>;

export const channel = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.enum(CHANNEL_TYPES),
  url: z.string().meta({ description: "secret parts are masked; sent back like this it stays as it is" }),
  headers: z.string().meta({ description: "a JSON object whose values are masked; a value sent back like this stays as it is" }),
  enabled: z.boolean(),
  health: z.enum(CHANNEL_HEALTHS),
  last_delivery_at: timestamp.nullable().meta({ description: "when its receiver last took a message" }),
  last_error: z
    .string()
    .nullable()
    .meta({ description: "why the last attempt failed, or who was refused though others have it; null when neither" }),
  rules: z.array(rule),
  created_at: timestamp,
  updated_at: timestamp.meta({ description: "of its settings" }),
});
export type ChannelRecord = z.infer<typeof channel>;

export const channelList = z.object({ channels: z.array(channel), total: z.number().int() });
export type ChannelList = z.infer<typeof channelList>;

/** The outcome of a test, as the receiver answered; never its body. */
export const testResult = z.object({
  status: z.enum(["delivered", "failed"]),
  status_code: z
    .number()
    .int()
    .nullable()
    .meta({ description: "HTTP status, or the reply code of the mail server; null without an answer" }),
  duration_ms: z.number().int(),
  error: z.string().nullable(),
});
export type TestResult = z.infer<typeof testResult>;

/** What a browser subscribes with. */
export const pushKey = z.object({
  public_key: z.string().meta({ description: "a point on P-256, uncompressed, base64url: the applicationServerKey" }),
});
