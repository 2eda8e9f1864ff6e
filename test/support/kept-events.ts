import assert from "node:assert/strict";
import { type Event, SUPERSEDED_EVENTS } from "../../src/events.ts";
import type { Bus } from "../../src/platform/bus.ts";

/** Of things that are watched: kept in the transaction of their change, but for these. */
const KEPT = /^(?:container|endpoint|heartbeat|certificate|resource)\./;

/** Follows from the time that passed, and is published again after a start. */
const isOfTime = ({ type }: Event): boolean => type === "container.down";

/** The end of what a deleted host had is published after it. */
const isOfDeletedHost = ({ type, data }: Event): boolean =>
  data.agent_id !== null && (/\.(?:archived|removed|deleted)$/.test(type) || ("reason" in data && data.reason === "removed"));

/** Watches a bus for events that a crash could lose; the answer fails the test when there were any. */
export function watchKept(bus: Bus<Event>): () => void {
  const kept = new Set<Event>();
  const lost: Event[] = [];
  bus.keepBy(async (_, events) => events.forEach((event) => kept.add(event)));
  bus.subscribe("kept", (event) => {
    if (!KEPT.test(event.type) || SUPERSEDED_EVENTS.has(event.type) || isOfTime(event) || isOfDeletedHost(event)) return;
    if (!kept.delete(event)) lost.push(event);
  });
  return () => assert.deepEqual(lost, [], "these events are not saved with what they report");
}
