import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";

const eventTypes = z.array(z.string()).meta({
  description:
    "names of events, `prefix.*`, or `*`; `resource.snapshot` and `endpoint.check_result`, which come all the time, are sent only where they are named",
});

export const webhook = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string().meta({ description: "what follows the host is masked; sent back as it is shown, it stays as it was" }),
  event_types: eventTypes,
  active: z.boolean(),
  disabled_reason: z.string().nullable().meta({ description: "why the service switched it off; null when it did not" }),
  last_delivery_at: timestamp.nullable().meta({ description: "of the last attempt" }),
  last_status: z.enum(["sent", "failed"]).nullable().meta({ description: "what came of the last attempt" }),
  last_status_code: z.number().int().nullable(),
  last_error: z.string().nullable(),
  failure_count: z.number().int().meta({ description: "deliveries in a row that failed after all attempts; at 20 it is switched off" }),
  pending: z.number().int().meta({ description: "deliveries that wait" }),
  dropped: z.number().int().meta({ description: "deliveries given up since 10,000 newer ones waited" }),
  created_at: timestamp,
  updated_at: timestamp.meta({ description: "of its settings" }),
});
export type WebhookRecord = z.infer<typeof webhook>;

export const createdWebhook = webhook.extend({
  secret: z.string().meta({ description: "signs every delivery; shown only once" }),
});
export type CreatedWebhook = z.infer<typeof createdWebhook>;

export const webhookList = z.object({ webhooks: z.array(webhook), total: z.number().int() });
export type WebhookList = z.infer<typeof webhookList>;

export const webhookDelivery = z.object({
  id: z.number().int().meta({ description: "X-Service-Delivery and Idempotency-Key of every attempt" }),
  webhook_id: z.number().int(),
  event_id: z.uuid().meta({ description: "`id` of the body" }),
  type: z.string(),
  status: z.enum(["pending", "sent", "failed"]),
  attempts: z.number().int().meta({ description: "of at most 5" }),
  next_attempt_at: timestamp.nullable(),
  last_attempt_at: timestamp.nullable(),
  last_status_code: z.number().int().nullable(),
  last_error: z.string().nullable().meta({ description: "why the last attempt failed, in 500 characters at most" }),
  sent_at: timestamp.nullable(),
  created_at: timestamp,
});
export type WebhookDeliveryRecord = z.infer<typeof webhookDelivery>;

export const webhookDeliveryList = z.object({
  deliveries: z.array(webhookDelivery),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryList>;

export const webhookTest = z.object({
  status: z.enum(["delivered", "failed"]),
  status_code: z.number().int().nullable(),
  duration_ms: z.number().int(),
  error: z.string().nullable(),
});
export type WebhookTest = z.infer<typeof webhookTest>;
