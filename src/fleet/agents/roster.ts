import type { SpoolStatus } from "../seams.ts";
import type { Agent } from "./agent.ts";
import { connectionOf } from "./changes.ts";
import type { Contact } from "./presence.ts";

/** An agent with what is known of it besides what is saved. */
export interface Entry {
  /** As it is now; replaced as a whole, never changed. */
  agent: Agent;
  /** As others were last told of it. */
  told: Agent;
  /** As it was last saved. */
  saved: Agent;
  contact: Contact;
  /** null until it said something of it since this program started. */
  spool: SpoolStatus | null;
  isSpoolTold: boolean;
  /** Since this program started. */
  events: number;
  messages: number;
  streams: number;
  /** Inventories in parts that were not taken. */
  listingsDropped: number;
  /** Events since the rate was last reckoned. */
  uncounted: number;
  /** Events a second. */
  rate: number;
  /** It is being deleted: it is not let in any more. */
  isLeaving: boolean;
}

/** All agents in memory, by id. */
export interface Roster {
  get(id: string): Entry | undefined;
  all(): Iterable<Entry>;
  count(): number;
  /** Takes an agent as it is saved; `seenMs` is when it counts as last seen. */
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
        told: agent,
        saved: agent,
        contact: { streaming: false, taking: false, seenMs },
        spool: null,
        isSpoolTold: true,
        events: 0,
        messages: 0,
        streams: 0,
        listingsDropped: 0,
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

/** What waits on an agent, as far as it is known. */
export function spoolOf({ agent, spool }: Pick<Entry, "agent" | "spool">): SpoolStatus {
  const known = spool ?? { queued: 0, draining: false, dropped: agent.spoolDropped, bytes: 0, oversize: 0 };
  return connectionOf(agent) === "connected" ? known : { ...known, draining: false };
}
