import type { Observation, ObservationSink } from "../observations.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { isServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

/** Observations kept of one host while they cannot be saved; beyond this the oldest are dropped and the next inventory heals. */
const MAX_QUEUED = 10_000;
/** Containers in the inventories among them: an inventory can hold thousands, and a later one heals what an older one said. */
const MAX_QUEUED_SIGHTINGS = 50_000;
/** Readings of containers in the ticks among them. A tick counts as at least so many, so that ticks alone never fill the queue. */
const MAX_QUEUED_READINGS = 500_000;
const LEAST_READINGS = 100;
/** Checks of endpoints among them, so that they never push out what containers did. */
const MAX_QUEUED_CHECKS = 5_000;
/** Observations saved in one go. */
const MAX_BATCH = 100;
const RETRY_MS = 250;
/** Between two warnings that observations of a host were dropped. */
const TELL_EVERY_MS = 60_000;
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

interface Queue {
  waiting: Observation[];
  /** Dropped since the last warning. */
  dropped: number;
  toldMs: number;
}

/** Where all observations arrive: keeps each host's order, and holds them while there is no database. */
export function createIntake({ observers, clock, log }: { observers: readonly Observer[]; clock: Clock; log: Log }): Intake {
  const queues = new Map<string | null, Queue>();
  const workers = new Map<string | null, Promise<void>>();
  const stopping = new AbortController();
  let refusing = false;

  const queued = (): number => [...queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);

  async function work(agentId: string | null, queue: Queue): Promise<void> {
    const { waiting } = queue;
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const batch = waiting.slice(0, MAX_BATCH);
      if (await save(agentId, batch)) forget(waiting, batch);
      else await pause(clock, RETRY_MS, stopping.signal);
    }
    tellDropped(agentId, queue);
    workers.delete(agentId);
    if (waiting.length === 0) queues.delete(agentId);
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

  function tellDropped(agentId: string | null, queue: Queue): void {
    if (queue.dropped === 0) return;
    log.warn(
      { agent_id: agentId, dropped: queue.dropped, kept: queue.waiting.length },
      "observations dropped: too many wait for the database",
    );
    queue.dropped = 0;
    queue.toldMs = clock.monotonicMs();
  }

  return {
    queued,
    observe(agentId, observation) {
      if (refusing) return;
      const queue = queues.get(agentId) ?? { waiting: [], dropped: 0, toldMs: -Infinity };
      queues.set(agentId, queue);
      queue.dropped += enqueue(queue.waiting, observation);
      if (clock.monotonicMs() - queue.toldMs >= TELL_EVERY_MS) tellDropped(agentId, queue);
      if (!workers.has(agentId)) workers.set(agentId, work(agentId, queue));
    },
    async stop() {
      refusing = true;
      const drained = Promise.all(workers.values());
      await Promise.race([drained, pause(clock, DRAIN_WITHIN_MS, stopping.signal)]);
      stopping.abort();
      if (queued() > 0) log.warn({ left: queued() }, "observations not saved: no database; the next start takes them up from the runtime");
    },
  };
}

/** Appends within the bounds; answers how many had to be dropped for it. */
function enqueue(waiting: Observation[], observation: Observation): number {
  dropSuperseded(waiting, observation);
  waiting.push(observation);
  const dropped = dropOldest(waiting, observation.kind);
  if (waiting.length <= MAX_QUEUED) return dropped;
  waiting.shift();
  return dropped + 1;
}

/** A growing watch says all that it said before, and of a host only the latest sample counts. */
function dropSuperseded(waiting: Observation[], observation: Observation): void {
  const last = waiting.at(-1);
  if (observation.kind === "host.watched" && last?.kind === "host.watched" && last.since.getTime() === observation.since.getTime())
    waiting.pop();
  if (observation.kind !== "host.sampled") return;
  const known = waiting.findIndex(({ kind }) => kind === "host.sampled");
  if (known !== -1) waiting.splice(known, 1);
}

/** What may wait in all of a kind. */
const MOST: Partial<Record<Observation["kind"], number>> = {
  "container.inventory": MAX_QUEUED_SIGHTINGS,
  "resources.sampled": MAX_QUEUED_READINGS,
  "endpoint.checked": MAX_QUEUED_CHECKS,
};

function sizeOf(observation: Observation): number {
  if (observation.kind === "container.inventory") return observation.containers.length;
  return observation.kind === "resources.sampled" ? Math.max(observation.readings.externalIds.length, LEAST_READINGS) : 1;
}

/** Keeps the newest of a kind, and of the older ones what fits. */
function dropOldest(waiting: Observation[], kind: Observation["kind"]): number {
  const most = MOST[kind];
  if (most === undefined) return 0;
  const same = waiting.filter((each) => each.kind === kind);
  let count = same.reduce((sum, each) => sum + sizeOf(each), 0);
  let dropped = 0;
  for (const each of same.slice(0, -1)) {
    if (count <= most) break;
    waiting.splice(waiting.indexOf(each), 1);
    count -= sizeOf(each);
    dropped += 1;
  }
  return dropped;
}

/** Removes what was saved; the oldest of it may have been dropped meanwhile. */
function forget(queue: Observation[], saved: readonly Observation[]): void {
  const done = new Set(saved);
  const kept = queue.findIndex((observation) => !done.has(observation));
  queue.splice(0, kept === -1 ? queue.length : kept);
}
