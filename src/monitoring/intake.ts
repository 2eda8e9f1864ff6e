import type { Observation, ObservationSink } from "../observations.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { isServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

/** Observations kept of one host while they cannot be saved; beyond this the oldest are dropped and the next inventory heals. */
const MAX_QUEUED = 10_000;
const RETRY_MS = 250;
const DRAIN_WITHIN_MS = 3000;

export interface Intake extends ObservationSink {
  /** Observations that wait to be saved. */
  queued(): number;
  /** Saves what is queued, within a few seconds; then takes no more. */
  stop(): Promise<void>;
}

export interface IntakeDependencies {
  /** Who takes observations; each does with them what concerns it. */
  observers: readonly { observe(agentId: string | null, observation: Observation): Promise<void> }[];
  clock: Clock;
  log: Log;
}

/** Where all observations arrive: keeps each host's order, and holds them while there is no database. */
export function createIntake({ observers, clock, log }: IntakeDependencies): Intake {
  const queues = new Map<string | null, Observation[]>();
  const workers = new Map<string | null, Promise<void>>();
  const stopping = new AbortController();
  let refusing = false;

  async function work(agentId: string | null, queue: Observation[]): Promise<void> {
    for (let observation = queue[0]; observation !== undefined && !stopping.signal.aborted; observation = queue[0]) {
      if (await save(agentId, observation)) {
        if (queue[0] === observation) queue.shift();
      } else await pause(clock, RETRY_MS, stopping.signal);
    }
    workers.delete(agentId);
    if (queue.length === 0) queues.delete(agentId);
  }

  /** False when it must be tried again. */
  async function save(agentId: string | null, observation: Observation): Promise<boolean> {
    try {
      for (const observer of observers) await observer.observe(agentId, observation);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) return false;
      log.error({ err: error, agent_id: agentId, observation: observation.kind }, "observation dropped: it could not be understood");
      return true;
    }
  }

  return {
    observe(agentId, observation) {
      if (refusing) return;
      const queue = queues.get(agentId) ?? [];
      queues.set(agentId, queue);
      const last = queue.at(-1);
      const grows =
        observation.kind === "host.watched" && last?.kind === "host.watched" && last.since.getTime() === observation.since.getTime();
      if (grows && queue.length > 1) queue.pop();
      queue.push(observation);
      if (queue.length > MAX_QUEUED) {
        queue.shift();
        log.warn({ agent_id: agentId, kept: MAX_QUEUED }, "observations dropped: too many wait for the database");
      }
      if (!workers.has(agentId)) workers.set(agentId, work(agentId, queue));
    },
    queued: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    async stop() {
      refusing = true;
      const drained = Promise.all(workers.values());
      const timeout = pause(clock, DRAIN_WITHIN_MS, stopping.signal).then(() => stopping.abort());
      await Promise.race([drained, timeout]);
      stopping.abort();
      await drained;
      const left = [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
      if (left > 0) log.warn({ left }, "observations not saved: no database; the next start takes them up from the runtime");
    },
  };
}
