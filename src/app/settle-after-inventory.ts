import type { Alerting } from "../alerting/index.ts";
import type { Observer } from "../monitoring/intake.ts";

/**
 * Alerts wait until it is known what runs on this host: what was wrong before the program started may long be over. Its runtime counts as connected once
 * a complete listing was saved.
 */
export function settleAfterInventory({ settle }: Pick<Alerting, "settle">): Observer {
  return {
    async observe(agentId, batch) {
      if (agentId === null && batch.some((each) => each.kind === "runtime.changed" && each.status.connected)) settle();
    },
  };
}
