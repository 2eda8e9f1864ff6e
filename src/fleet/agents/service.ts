import { compareNames } from "../../contract/words.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { createSerial } from "../../platform/queues.ts";
import type { AgentBody } from "./api.ts";
import type { AgentList, AgentMetrics, AgentRecord } from "./answers.ts";
import { agentData, connectionOf } from "./agent.ts";
import { type Entry, type Roster, spoolOf } from "./roster.ts";
import type { AgentStore, HostRemoval, Purger } from "./store.ts";
import type { Watch } from "./watch.ts";

/** Why an agent is no longer let in. */
export type Farewell = "revoked" | "deleted";

/** Closes everything that is open of an agent; resolves when nothing of it is in progress any more. */
export type FarewellListener = (agentId: string, why: Farewell) => void | Promise<void>;

/** What users can do with agents. All functions but `list` and `metrics` throw `not_found`. */
export interface AgentService {
  /** By label. */
  list(): AgentList;
  get(id: string): AgentRecord;
  rename(id: string, body: AgentBody): Promise<AgentRecord>;
  /** Closes its stream at once; revoking it again changes nothing. */
  revoke(id: string): Promise<AgentRecord>;
  /** Closes its stream, then deletes the agent and everything that its host has shown. */
  remove(id: string): Promise<void>;
  metrics(): AgentMetrics;
  /** Called at once when an agent is no longer let in; returns how to remove the listener. */
  onRevoked(listener: FarewellListener): () => void;
}

export interface AgentServiceParts {
  roster: Roster;
  store: AgentStore;
  watch: Pick<Watch, "publish">;
  hosts: HostRemoval;
  purgers: readonly Purger[];
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
}

/** How long a deletion waits for work in progress of the agent's stream. */
const FAREWELL_WITHIN_MS = 5_000;

export function createAgentService({ roster, store, watch, hosts, purgers, bus, clock, log }: AgentServiceParts): AgentService {
  const listeners = new Set<FarewellListener>();
  const serial = createSerial();

  function find(id: string): Entry {
    const entry = roster.get(id);
    if (entry === undefined) throw new ServiceError("not_found", `There is no agent ${id}.`);
    return entry;
  }

  function sorted(): Entry[] {
    return [...roster.all()].toSorted((a, b) => compareNames(a.agent.label, b.agent.label) || compareNames(a.agent.id, b.agent.id));
  }

  /** Calls every listener before it returns, even if one fails. */
  function bidFarewell(id: string, why: Farewell): Promise<unknown> {
    const failed = (error: unknown): void =>
      log.error({ agent_id: id, err: error, reason: messageOf(error) }, "an agent's stream could not be closed");
    const closing = [...listeners].map((listener) => {
      try {
        return Promise.resolve(listener(id, why)).catch(failed);
      } catch (error) {
        return failed(error);
      }
    });
    return Promise.race([Promise.all(closing), pause(clock, FAREWELL_WITHIN_MS)]);
  }

  return {
    list() {
      const agents = sorted().map(agentRecord);
      return { agents, total: agents.length };
    },

    get: (id) => agentRecord(find(id)),

    rename: (id, { label }) =>
      serial(id, async () => {
        const entry = find(id);
        if (entry.agent.label !== label) {
          await store.rename(id, label);
          entry.agent = { ...entry.agent, label };
          watch.publish(entry, { label });
        }
        return agentRecord(entry);
      }),

    revoke: (id) =>
      serial(id, async () => {
        const entry = find(id);
        if (entry.agent.status !== "revoked") {
          const now = clock.now();
          await store.revoke(id, now);
          const change = { status: "revoked", revokedAt: now, lostSince: null } as const;
          entry.agent = { ...entry.agent, ...change };
          watch.publish(entry, change);
        }
        void bidFarewell(id, "revoked");
        return agentRecord(entry);
      }),

    remove: (id) =>
      serial(id, async () => {
        const entry = find(id);
        entry.isLeaving = true;
        let isGone = false;
        try {
          await bidFarewell(id, "deleted");
          await hosts.remove(id, async (purge) => {
            await store.remove(id, [purge, ...purgers]);
            isGone = true;
          });
        } catch (error) {
          if (!isGone) {
            entry.isLeaving = false;
            throw error;
          }
          log.error({ agent_id: id, err: error }, "a deleted agent's host could not be forgotten");
        }
        roster.remove(id);
        log.info({ agent_id: id }, "agent deleted with all of its rows");
        bus.publish({ type: "agent.deleted", data: agentData(entry.published, clock.now()) });
      }),

    metrics: () => metricsRecord(sorted()),

    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function agentRecord(entry: Entry): AgentRecord {
  const { agent } = entry;
  return {
    id: agent.id,
    label: agent.label,
    hostname: agent.hostname,
    os: agent.os,
    arch: agent.arch,
    version: agent.version,
    runtime: agent.runtime,
    status: agent.status,
    connection_state: connectionOf(agent),
    last_seen_at: agent.lastSeenAt.toISOString(),
    enrolled_at: agent.enrolledAt.toISOString(),
    revoked_at: agent.revokedAt?.toISOString() ?? null,
    spool: spoolRecord(entry),
    events_per_second: tenths(entry.rate),
    capabilities: [...agent.capabilities],
    clock_offset_ms: agent.clockOffsetMs,
  };
}

function metricsRecord(entries: readonly Entry[]): AgentMetrics {
  const active = entries.filter(({ agent }) => agent.status === "active");
  const connected = active.filter(({ agent }) => connectionOf(agent) === "connected").length;
  const sum = (of: (entry: Entry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  return {
    agents: entries.map((entry) => ({
      id: entry.agent.id,
      label: entry.agent.label,
      connection_state: connectionOf(entry.agent),
      events_per_second: tenths(entry.rate),
      events: entry.events,
      messages: entry.messages,
      streams: entry.streams,
      oversize: spoolOf(entry).oversize,
      listings_dropped: entry.listingsDropped,
      spool: spoolRecord(entry),
    })),
    total: entries.length,
    connected,
    disconnected: active.length - connected,
    revoked: entries.length - active.length,
    events_per_second: tenths(sum(({ rate }) => rate)),
    events: sum(({ events }) => events),
    queued: sum((entry) => spoolOf(entry).queued),
    dropped: sum((entry) => spoolOf(entry).dropped),
  };
}

function spoolRecord(entry: Entry): AgentRecord["spool"] {
  const { queued, draining, dropped } = spoolOf(entry);
  return { queued, draining, dropped };
}

function tenths(rate: number): number {
  return Math.round(rate * 10) / 10;
}
