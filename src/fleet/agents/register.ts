import type { Clock } from "../../platform/clock.ts";
import type { AgentRegister } from "../seams.ts";
import { cleanHello, isSameHello } from "./agent.ts";
import type { Entry, Roster } from "./roster.ts";

/** What the listener notes of agents. It changes memory alone; {@link createWatch} saves it and tells of it. */
export function createRegister({ roster, clock }: { roster: Roster; clock: Clock }): AgentRegister {
  /** The entry of an agent that may speak. */
  function entryOf(agentId: string): Entry | undefined {
    const entry = roster.get(agentId);
    return entry === undefined || entry.isLeaving || entry.agent.status !== "active" ? undefined : entry;
  }

  function touch(entry: Entry): void {
    entry.contact.seenMs = clock.monotonicMs();
    entry.agent = { ...entry.agent, lastSeenAt: clock.now(), lostSince: null, awaited: false };
  }

  return {
    async find(agentId) {
      const entry = roster.get(agentId);
      if (entry === undefined || entry.isLeaving) return undefined;
      return { status: entry.agent.status, publicKey: entry.agent.publicKey };
    },

    connected(agentId, hello, offsetMs) {
      const entry = entryOf(agentId);
      if (entry === undefined) return;
      entry.contact.streaming = true;
      entry.streams += 1;
      touch(entry);
      const cleaned = cleanHello(hello);
      if (!isSameHello(entry.agent, cleaned)) entry.agent = { ...entry.agent, ...cleaned };
      entry.agent = { ...entry.agent, clockOffsetMs: offsetMs };
    },

    seen(agentId, events) {
      const entry = entryOf(agentId);
      if (entry === undefined) return;
      touch(entry);
      entry.messages += 1;
      entry.events += events;
      entry.uncounted += events;
    },

    taking(agentId) {
      const entry = entryOf(agentId);
      if (entry === undefined) return () => undefined;
      entry.contact.taking = true;
      return () => {
        entry.contact.taking = false;
        if (entryOf(agentId) === entry) touch(entry);
      };
    },

    disconnected(agentId) {
      const entry = roster.get(agentId);
      if (entry !== undefined) entry.contact.streaming = false;
    },

    spool(agentId, { queued, draining, dropped, bytes, oversize }) {
      const entry = entryOf(agentId);
      if (entry === undefined) return;
      touch(entry);
      const before = entry.spool;
      if (before?.queued !== queued || before.draining !== draining || before.dropped !== dropped) entry.isSpoolTold = false;
      entry.spool = { queued, draining, dropped, bytes, oversize };
      entry.agent = { ...entry.agent, spoolDropped: dropped };
    },

    listingDropped(agentId) {
      const entry = roster.get(agentId);
      if (entry !== undefined) entry.listingsDropped += 1;
    },
  };
}
