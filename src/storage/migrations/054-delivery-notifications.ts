import type { Migration } from "./migration.ts";

/** Finds the deliveries of a notification: one that no delivery refers to any more is deleted. */
export const deliveryNotifications: Migration = {
  name: "054-delivery-notifications",
  statements: () => ["CREATE INDEX deliveries_notification ON deliveries (notification_id)"],
};
