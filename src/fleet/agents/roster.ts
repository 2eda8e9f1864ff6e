import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { SpoolStatus, AgentRegister } from "../seams.ts";
import { type Agent, connectionOf, type Contact } from "./agent.ts";
import { measuredOffset } from "./clock-offset.ts";

/** An agent, with the state of it that is not saved. */
export interface Entry {
  /** As it is now; replaced as a whole, never changed in place. */
  agent: Agent;
  /** As it was last published. */
  published: Agent;
  /** As it was last saved. */
  saved: Agent;
  contact: Contact;
  /** null until it reports its spool after the start of this program. */
  spool: SpoolStatus | null;
  isSpoolPublished: boolean;
  /** Since this program started. */
  events: number;
  messages: number;
  streams: number;
  /** Inventories in parts that were dropped. */
  listingsDropped: number;
  /** What its last messages said of its clock; see clock-offset.ts. */
  offsets: number[];
  /** Events since the rate was last computed. */
  uncounted: number;
  /** Events a second. */
  rate: number;
  /** Whether it is being deleted; then it is not let in. */
  isLeaving: boolean;
}

/** All agents in memory, by id. */
export interface Roster {
  get(id: string): Entry | undefined;
  all(): Iterable<Entry>;
  count(): number;
  /** Adds an agent as it is saved; `seenMs` is when it counts as last seen. */
  put(agent: Agent, seenMs: number): Entry;
  remove(id: string): void;
}

export function createRoster(): Roster {
  const entries = new Map<string, Entry>();
  return {
    get: (id) => entries.get(id),
    all: () => entries.values(),
    count: () => entries.size,
    put(agent, seenMs) {
      const entry: Entry = {
        agent,
        published: agent,
        saved: agent,
        contact: { streaming: false, taking: false, seenMs },
        spool: null,
        isSpoolPublished: true,
        events: 0,
        messages: 0,
        streams: 0,
        listingsDropped: 0,
        offsets: [],
        uncounted: 0,
        rate: 0,
        isLeaving: false,
      };
      entries.set(agent.id, entry);
      return entry;
    },
    remove: (id) => void entries.delete(id),
  };
}

/** How much the spool of an agent holds, as far as that is known. */
export function spoolOf({ agent, spool }: Pick<Entry, "agent" | "spool">): SpoolStatus {
  const known = spool ?? { queued: 0, draining: false, dropped: agent.spoolDropped, bytes: 0, oversize: 0 };
  return connectionOf(agent) === "connected" ? known : { ...known, draining: false };
}

/** Notes what the listener reports about agents, in memory only. {@link createWatch} saves and publishes it. */
export function createRegister({ roster, clock }: { roster: Roster; clock: Clock }): AgentRegister {
  /** The entry of an agent that is let in. */
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
      if (entry === undefined) return undefined;
      // The deletion may still fail, and who is not known asks again seldom.
      if (entry.isLeaving) throw new ServiceError("listener_unavailable", "This agent is being deleted. Try again later.");
      return { status: entry.agent.status, publicKey: entry.agent.publicKey };
    },

    connected(agentId, hello, offsetMs) {
      const entry = entryOf(agentId);
      if (entry === undefined) return;
      entry.contact.streaming = true;
      entry.streams += 1;
      touch(entry);
      entry.agent = { ...entry.agent, ...hello, clockOffsetMs: offsetMs };
      entry.offsets = [];
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
      if (before?.queued !== queued || before.draining !== draining || before.dropped !== dropped) entry.isSpoolPublished = false;
      entry.spool = { queued, draining, dropped, bytes, oversize };
      entry.agent = { ...entry.agent, spoolDropped: dropped };
    },

    clock(agentId, offsetMs) {
      const entry = entryOf(agentId);
      if (entry === undefined) return;
      const measured = measuredOffset(entry.offsets, offsetMs, entry.agent.clockOffsetMs ?? 0);
      if (measured !== undefined) entry.agent = { ...entry.agent, clockOffsetMs: measured };
    },

    listingDropped(agentId) {
      const entry = roster.get(agentId);
      if (entry !== undefined) entry.listingsDropped += 1;
    },
  };
}
