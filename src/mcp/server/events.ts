import type { EventStore } from "@modelcontextprotocol/server";

/** The last so many messages of a session, for a client that comes back to its stream. */
export function createEvents(most = 100): EventStore {
  const kept: { at: number; streamId: string; message: Parameters<EventStore["storeEvent"]>[1] }[] = [];
  let count = 0;

  return {
    async storeEvent(streamId, message) {
      count += 1;
      kept.push({ at: count, streamId, message });
      if (kept.length > most) kept.shift();
      return `${count}_${streamId}`;
    },
    getStreamIdForEventId: async (eventId) => parse(eventId)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = parse(lastEventId);
      if (last === undefined) throw new Error("This event id was not given by this server.");
      for (const { at, streamId, message } of kept.slice()) {
        const isPriming = Object.keys(message).length === 0;
        if (streamId === last.streamId && at > last.at && !isPriming) await send(`${at}_${streamId}`, message);
      }
      return last.streamId;
    },
  };
}

function parse(eventId: string): { at: number; streamId: string } | undefined {
  const [, at, streamId] = /^(\d{1,12})_([\w-]{1,64})$/.exec(eventId) ?? [];
  return at === undefined || streamId === undefined ? undefined : { at: Number(at), streamId };
}
