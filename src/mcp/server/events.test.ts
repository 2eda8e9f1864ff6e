import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvents } from "./events.ts";

const message = (at: number): { jsonrpc: "2.0"; method: string; params: { at: number } } => ({
  jsonrpc: "2.0",
  method: "told",
  params: { at },
});

async function replayed(events: ReturnType<typeof createEvents>, lastEventId: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await events.replayEventsAfter(lastEventId, {
    send: async (_, told) => void sent.push("params" in told ? told.params?.["at"] : undefined),
  });
  return sent;
}

test("the last so many events of a stream are told again, and those of no other", async () => {
  const events = createEvents(4);
  const first = await events.storeEvent("_GET_stream", message(1));
  const other = await events.storeEvent("another", message(2));
  await events.storeEvent("_GET_stream", message(3));
  assert.deepEqual(await replayed(events, first), [3]);
  assert.deepEqual(await replayed(events, other), []);
  assert.equal(await events.getStreamIdForEventId?.(first), "_GET_stream");
  for (const at of [4, 5, 6, 7]) await events.storeEvent("_GET_stream", message(at));
  assert.deepEqual(await replayed(events, first), [4, 5, 6, 7], "what is older is gone");
});

test("an id that was not given is of no stream", async () => {
  const events = createEvents();
  for (const id of ["", "1", "x_y", "1_", "1_a b", "9".repeat(20)]) {
    assert.equal(await events.getStreamIdForEventId?.(id), undefined, id);
    await assert.rejects(events.replayEventsAfter(id, { send: async () => undefined }));
  }
});
