import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import type { Status } from "../../../format/status.ts";

/** How a channel is, with its shape and word; one that is switched off is that first of all. */
export function healthOf({ enabled, health }: Pick<ChannelRecord, "enabled" | "health">): { status: Status; word: string } {
  if (!enabled) return { status: "idle", word: "Disabled" };
  if (health === "healthy") return { status: "ok", word: "Healthy" };
  if (health === "failing") return { status: "degraded", word: "Failing" };
  return { status: "idle", word: "Untested" };
}
