import type { Alerting } from "../alerting/index.ts";
import type { Observer } from "../monitoring/intake.ts";

/** Alerts wait until it is known what runs on this host: what was wrong before the program started may long be over. */
export function settleAfterInventory({ settle }: Pick<Alerting, "settle">): Observer {
  return {
    async observe(agentId, batch) {
      if (agentId === null && batch.some(({ kind }) => kind === "container.inventory")) settle();
    },
  };
}
