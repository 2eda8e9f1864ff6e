import type { Observation, ObservationSink } from "../observations.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { isServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

/** Observations kept of one host while they cannot be saved; beyond this the oldest are dropped and the next inventory heals. */
const MAX_QUEUED = 10_000;
/** Observations saved in one go. */
const MAX_BATCH = 100;
const RETRY_MS = 250;
const DRAIN_WITHIN_MS = 3000;

export interface Intake extends ObservationSink {
  /** Observations that wait to be saved. */
  queued(): number;
  /** Saves what is queued, within a few seconds; then takes no more. */
  stop(): Promise<void>;
}

/** Who takes observations and does with them what concerns it. Saying the same to it again must be harmless. */
export interface Observer {
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

/** Where all observations arrive: keeps each host's order, and holds them while there is no database. */
export function createIntake({ observers, clock, log }: { observers: readonly Observer[]; clock: Clock; log: Log }): Intake {
  const queues = new Map<string | null, Observation[]>();
  const workers = new Map<string | null, Promise<void>>();
  const stopping = new AbortController();
  let refusing = false;

  const queued = (): number => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);

  async function work(agentId: string | null, queue: Observation[]): Promise<void> {
    while (queue.length > 0 && !stopping.signal.aborted) {
      const batch = queue.slice(0, MAX_BATCH);
      if (await save(agentId, batch)) forget(queue, batch);
      else await pause(clock, RETRY_MS, stopping.signal);
    }
    workers.delete(agentId);
    if (queue.length === 0) queues.delete(agentId);
  }

  /** False when it must be tried again. */
  async function save(agentId: string | null, batch: readonly Observation[]): Promise<boolean> {
    try {
      for (const observer of observers) await observer.observe(agentId, batch);
      return true;
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) return false;
      if (batch.length > 1) return saveOneByOne(agentId, batch);
      log.error({ err: error, agent_id: agentId, observation: batch[0]?.kind }, "observation dropped: it could not be understood");
      return true;
    }
  }

  /** One that cannot be saved must not take the others with it. */
  async function saveOneByOne(agentId: string | null, batch: readonly Observation[]): Promise<boolean> {
    for (const observation of batch) if (!(await save(agentId, [observation]))) return false;
    return true;
  }

  return {
    queued,
    observe(agentId, observation) {
      if (refusing) return;
      const queue = queues.get(agentId) ?? [];
      queues.set(agentId, queue);
      const last = queue.at(-1);
      const grows =
        observation.kind === "host.watched" && last?.kind === "host.watched" && last.since.getTime() === observation.since.getTime();
      if (grows) queue.pop();
      queue.push(observation);
      if (queue.length > MAX_QUEUED) {
        queue.shift();
        log.warn({ agent_id: agentId, kept: MAX_QUEUED }, "observation dropped: too many wait for the database");
      }
      if (!workers.has(agentId)) workers.set(agentId, work(agentId, queue));
    },
    async stop() {
      refusing = true;
      const drained = Promise.all(workers.values());
      const timeout = pause(clock, DRAIN_WITHIN_MS, stopping.signal).then(() => stopping.abort());
      await Promise.race([drained, timeout]);
      stopping.abort();
      await drained;
      if (queued() > 0) log.warn({ left: queued() }, "observations not saved: no database; the next start takes them up from the runtime");
    },
  };
}

/** Removes what was saved; the oldest of it may have been dropped meanwhile. */
function forget(queue: Observation[], saved: readonly Observation[]): void {
  const done = new Set(saved);
  const kept = queue.findIndex((observation) => !done.has(observation));
  queue.splice(0, kept === -1 ? queue.length : kept);
}
