import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { DELIVERY_STATUSES } from "./api.ts";

export const DELIVERY_EVENTS = ["alert.fired", "alert.resolved", "alert.acknowledged", "test"] as const;

export const delivery = z.object({
  id: z.number().int().meta({ description: "the `Idempotency-Key` of every attempt" }),
  alert_id: z.number().int(),
  channel_id: z.number().int(),
  event: z.enum(DELIVERY_EVENTS),
  escalation: z
    .object({ run_id: z.number().int(), level: z.number().int().meta({ description: "from 0" }) })
    .nullable()
    .meta({ description: "the step of an escalation that asked for it" }),
  because: z.string().meta({ description: "why it goes to this channel" }),
  replay_of: z.number().int().nullable().meta({ description: "the delivery that this one repeats" }),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int().meta({ description: "of at most 5" }),
  next_attempt_at: timestamp.nullable().meta({ description: "null when it is settled" }),
  last_attempt_at: timestamp.nullable(),
  last_status_code: z.number().int().nullable().meta({ description: "of the receiver's last answer; null when there was none" }),
  last_error: z
    .string()
    .nullable()
    .meta({ description: "why the last attempt failed, or who was refused though others have it, in 500 characters at most" }),
  sent_at: timestamp.nullable(),
  created_at: timestamp,
});
export type DeliveryRecord = z.infer<typeof delivery>;

export const deliveryList = z.object({ deliveries: z.array(delivery), total: z.number().int(), has_more: z.boolean() });
export type DeliveryList = z.infer<typeof deliveryList>;
