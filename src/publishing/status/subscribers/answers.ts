import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../../contract/status-page.ts";
import { timestamp } from "../../../http/schemas.ts";

export const subscriber = z.object({
  id: z.number().int(),
  email: z.string(),
  status: z.enum(SUBSCRIBER_STATUSES),
  components: z.array(z.number().int()).meta({ description: "about which it gets mail; empty: all" }),
  created_at: timestamp,
  confirmed_at: timestamp.nullable(),
  last_mail_at: timestamp.nullable(),
  last_error: z.string().nullable().meta({ description: "of the last mail, when it failed" }),
});
export type SubscriberRecord = z.infer<typeof subscriber>;

export const subscriberList = z.object({
  subscribers: z.array(subscriber),
  total: z.number().int(),
  has_more: z.boolean(),
  counts: z.object({ pending: z.number().int(), confirmed: z.number().int() }),
  mail: z.boolean().meta({ description: "whether there is a mail server, without which nobody can subscribe" }),
  mails_waiting: z.number().int(),
});
export type SubscriberList = z.infer<typeof subscriberList>;

/** The same for everybody. */
export const subscribed = z.object({ status: z.literal("confirmation_sent") });
