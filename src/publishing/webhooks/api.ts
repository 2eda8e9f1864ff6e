import { z } from "zod";
import { WEBHOOK_BOUNDS } from "../../contract/notifications.ts";
import { pathId, paging } from "../../http/schemas.ts";
import { line, text } from "../../http/texts.ts";

const settings = {
  name: line(WEBHOOK_BOUNDS.nameLength),
  url: text(WEBHOOK_BOUNDS.urlLength)
    .min(1, "Must not be empty")
    .meta({ examples: ["https://example.com/hook"] }),
  secret: z
    .string()
    .min(WEBHOOK_BOUNDS.secretLength.min)
    .max(WEBHOOK_BOUNDS.secretLength.max)
    .regex(/^[\x21-\x7e]+$/, "Must be printable ASCII without spaces"),
  event_types: z
    .array(text(WEBHOOK_BOUNDS.eventTypeLength))
    .min(1, "Must name at least one event")
    .max(WEBHOOK_BOUNDS.eventTypes)
    .meta({ examples: [["alert.*"]] }),
  active: z.boolean(),
};

/** A secret that is left out is made. */
export const createBody = z.strictObject(settings).partial().required({ name: true, url: true });
export type CreateBody = z.infer<typeof createBody>;

/** What is left out stays as it is. */
export const updateBody = z.strictObject(settings).partial();
export type UpdateBody = z.infer<typeof updateBody>;

export const webhookParams = z.strictObject({ id: pathId });

export const deliveriesQuery = z.strictObject(paging());
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>;
