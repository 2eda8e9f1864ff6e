import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { ListQuery } from "./api.ts";
import type { DeliveryList, DeliveryRecord } from "./answers.ts";
import type { DeliveryStore } from "./store.ts";

/** What users can ask of deliveries. */
export interface DeliveryService {
  /** Newest first. */
  list(query: ListQuery): Promise<DeliveryList>;
  /** Sends a settled delivery again. Throws `not_found`, and `conflict` when it still waits or its channel cannot take it. */
  replay(id: number): Promise<DeliveryRecord>;
}

export function createDeliveryService({
  store,
  channelOf,
  poke,
  clock,
}: {
  store: DeliveryStore;
  channelOf: (channelId: number) => { enabled: boolean } | undefined;
  poke: (channelId: number) => void;
  clock: Clock;
}): DeliveryService {
  return {
    async list(query) {
      const { deliveries, total } = await store.list(query);
      return { deliveries, total, has_more: query.offset + deliveries.length < total };
    },
    async replay(id) {
      const old = await store.find(id);
      if (old === undefined) throw new ServiceError("not_found", "There is no such delivery.");
      if (old.status === "pending") throw new ServiceError("conflict", "This delivery still waits for its next attempt.");
      const channel = channelOf(old.channel_id);
      if (channel === undefined) throw new ServiceError("conflict", "The channel of this delivery was deleted.");
      if (!channel.enabled) throw new ServiceError("conflict", "The channel of this delivery is disabled.");
      const made = await store.replay({ id, because: `repeats delivery ${id}`, at: clock.now() });
      if (made === undefined) throw new ServiceError("not_found", "There is no such delivery.");
      poke(made.channel_id);
      return made;
    },
  };
}
