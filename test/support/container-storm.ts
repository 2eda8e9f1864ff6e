import assert from "node:assert/strict";
import type { TransitionList, TransitionRecord } from "../../src/monitoring/containers/answers.ts";
import { createEngineOrders } from "./engine-orders.ts";
import type { TestEngine } from "./engine.ts";

/** All of a container's transitions, oldest first. */
export async function wholeHistory(get: (path: string) => Promise<TransitionList>, id: number): Promise<TransitionRecord[]> {
  const { transitions, has_more } = await get(`/api/v1/containers/${id}/transitions?limit=1000`);
  assert.equal(has_more, false);
  return transitions.toReversed();
}

/** Kills and starts each container over and over; all run when it has ended, which may be asked for twice. */
export function startStorm(engine: TestEngine, externalIds: readonly string[]): { end(): Promise<void> } {
  const orders = createEngineOrders(engine);
  let over = false;
  const loops = externalIds.map(async (id) => {
    while (!over) {
      await orders.post(`/containers/${id}/kill`);
      await orders.post(`/containers/${id}/start`);
    }
  });
  const ended = Promise.all(loops).finally(() => orders.close());
  return {
    async end() {
      over = true;
      await ended;
    },
  };
}
