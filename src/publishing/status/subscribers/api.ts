import { z } from "zod";
import { SUBSCRIBER_BOUNDS, SUBSCRIBER_STATUSES } from "../../../contract/status-page.ts";
import { paging, pathId } from "../../../http/schemas.ts";
import { searchedText, text, UNRESERVED_KEY } from "../../../http/texts.ts";

export const subscriberQuery = z.strictObject({
  status: z.enum(SUBSCRIBER_STATUSES).optional(),
  q: searchedText(254).optional().meta({ description: "part of the address" }),
  ...paging({ limit: 50, maxLimit: 500 }),
});

/** Fields that are named like `component-7` are what the form of the page sends for each component that is chosen. */
export const subscribeBody = z
  .object({
    email: z.string().meta({ description: "at most 254 characters", examples: ["reader@example.com"] }),
    components: z
      .array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER))
      .max(SUBSCRIBER_BOUNDS.components)
      .optional()
      .meta({ description: "of the status page, about which to get mail; empty: all" }),
  })
  .catchall(text(100))
  .meta({ propertyNames: UNRESERVED_KEY });
export type SubscribeBody = z.infer<typeof subscribeBody>;

/** Mail programs may append to links; a page explains what is wrong with a token. */
export const tokenQuery = z.object({ token: z.string().default("").catch("") });

export const params = z.strictObject({ id: pathId });
