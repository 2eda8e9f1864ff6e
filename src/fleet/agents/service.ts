import { compareNames } from "../../contract/names.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { createSerial } from "../../platform/serial.ts";
import type { AgentBody } from "./api.ts";
import type { AgentList, AgentMetrics, AgentRecord } from "./answers.ts";
import { agentData } from "./changes.ts";
import { agentRecord, metricsRecord } from "./records.ts";
import type { Entry, Roster } from "./roster.ts";
import type { AgentStore, HostRemoval, Purger } from "./store.ts";
import type { Watch } from "./watch.ts";

/** Why an agent is not let in any more. */
export type Farewell = "revoked" | "deleted";

/** Closes what is open of an agent; resolves when nothing of it is under way any more. */
export type FarewellListener = (agentId: string, why: Farewell) => void | Promise<void>;

/** What can be asked of agents, and done with them. All but `list` and `metrics` throw `not_found`. */
export interface AgentService {
  /** By label. */
  list(): AgentList;
  get(id: string): AgentRecord;
  rename(id: string, body: AgentBody): Promise<AgentRecord>;
  /** Closes its stream at once; doing it again changes nothing. */
  revoke(id: string): Promise<AgentRecord>;
  /** Closes its stream, then deletes the agent and all that its host ever showed. */
  remove(id: string): Promise<void>;
  metrics(): AgentMetrics;
  /** Tells at once when an agent is not let in any more; returns how to stop. */
  onRevoked(listener: FarewellListener): () => void;
}

export interface AgentServiceParts {
  roster: Roster;
  store: AgentStore;
  watch: Pick<Watch, "tell">;
  hosts: HostRemoval;
  purgers: readonly Purger[];
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
}

/** How long a deletion waits for what is under way of the agent's stream. */
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

  /** Every listener is told before this returns; none keeps another from it. */
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
          watch.tell(entry, { label });
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
          watch.tell(entry, change);
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
        bus.publish({ type: "agent.deleted", data: agentData(entry.told, clock.now()) });
      }),

    metrics: () => metricsRecord(sorted()),

    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
