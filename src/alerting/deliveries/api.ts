import { z } from "zod";
import { pathId, paging } from "../../http/schemas.ts";

/** Source: contract, section 6. */
export const DELIVERY_STATUSES = ["pending", "sent", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const listQuery = z.strictObject({
  alert_id: pathId.optional(),
  channel_id: pathId.optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  ...paging(),
});
export type ListQuery = z.infer<typeof listQuery>;

export const deliveryParams = z.strictObject({ id: pathId });
