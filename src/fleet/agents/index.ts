import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { AgentRegister } from "../seams.ts";
import { type Agent, agentData, connectionOf, seenAtStart } from "./agent.ts";
import { createRoster, createRegister } from "./roster.ts";
import { agentRoutes } from "./routes.ts";
import { type AgentService, createAgentService } from "./service.ts";
import { createAgentStore, type HostRemoval, type Purger } from "./store.ts";
import type { AgentToolsDependencies } from "./tools.ts";
import { createWatch } from "./watch.ts";

export type { Agent } from "./agent.ts";
export { labelOf, MAX_AGENTS } from "./agent.ts";
export { type HostRemoval, insertAgent, type Purger } from "./store.ts";
export type { AgentTables } from "./store.ts";
export type { AgentToolsDependencies, LocalHost } from "./tools.ts";

export interface AgentsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** After how long without a message an agent counts as disconnected. */
  staleMs: number;
  /** Deletes what the host of a deleted agent showed. */
  hosts: HostRemoval;
  /** Delete what else belongs to an agent, in the same transaction. */
  purgers: readonly Purger[];
}

export interface Agents {
  service: AgentService;
  /** For the listener. */
  register: AgentRegister;
  /** Adds an agent that just enrolled and is saved. */
  admit(agent: Agent): void;
  count(): number;
  ids(): string[];
  /** The display name of an agent. */
  labelOf(id: string): string | undefined;
  /** How far the clock of an agent is ahead of ours; 0 while that is not known. */
  clockOffsetOf(id: string): number;
  /** Whether nothing comes from an agent now. */
  isDisconnected(id: string): boolean;
  routes: Route[];
  /** The tools for assistants, which include the server's own host; created by each call. */
  tools(about: AgentToolsDependencies): Promise<Tool[]>;
  /** The events of all agents that are disconnected now, or were revoked. */
  announce(): Event[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const EVALUATED_EVERY_MS = 1_000;

/** Agents: the remote hosts, which of them are connected, and how much their spools hold. */
export function createAgents({ database, bus, clock, scheduler, log, staleMs, hosts, purgers }: AgentsDependencies): Agents {
  const store = createAgentStore(database);
  const roster = createRoster();
  const watch = createWatch({ roster, store, bus, clock, staleMs });
  let timers: readonly DueTimer[] = [];
  const nextEvaluationMs = (): number => (roster.count() > 0 ? EVALUATED_EVERY_MS : Infinity);
  const service = createAgentService({ roster, store, watch, hosts, purgers, bus, clock, log });

  return {
    service,
    register: createRegister({ roster, clock }),
    admit(agent) {
      watch.listen();
      roster.put(agent, clock.monotonicMs());
      bus.publish({ type: "agent.created", data: agentData(agent, clock.now()) });
      for (const timer of timers) timer.within(EVALUATED_EVERY_MS);
    },
    count: roster.count,
    ids: () => [...roster.all()].map(({ agent }) => agent.id),
    labelOf: (id) => roster.get(id)?.agent.label,
    clockOffsetOf: (id) => roster.get(id)?.agent.clockOffsetMs ?? 0,
    isDisconnected(id) {
      const agent = roster.get(id)?.agent;
      return agent !== undefined && connectionOf(agent) === "disconnected";
    },
    routes: agentRoutes(service),
    tools: async (about) => (await import("./tools.ts")).agentTools(service, about),
    announce: watch.announce,
    async start() {
      const agents = await store.all();
      const [startMs, nowMs] = [clock.monotonicMs(), clock.now().getTime()];
      const agoOf = ({ lastSeenAt }: Agent): number => nowMs - lastSeenAt.getTime();
      // This program ran until the last time that any agent was seen.
      const awayMs = Math.max(0, Math.min(...agents.map(agoOf)));
      for (const agent of agents) {
        // An agent that was disconnected before needs no time to come back: it is connected when it is seen.
        const isLost = agent.lostSince !== null;
        roster.put(agent, isLost ? -Infinity : seenAtStart({ startMs, seenAgoMs: agoOf(agent), awayMs, staleMs }));
      }
      timers = [
        scheduler.whenDue({
          name: "agents are listened to",
          async run() {
            watch.listen();
            return nextEvaluationMs();
          },
        }),
        scheduler.whenDue({
          name: "agents",
          async run() {
            await watch.evaluate();
            return nextEvaluationMs();
          },
        }),
      ];
    },
    async stop() {
      try {
        await watch.finish();
      } catch (error) {
        if (!isServiceError(error, "storage_unavailable")) throw error;
        log.warn({}, "when agents were last seen could not be saved");
      }
    },
  };
}
