import { isDeepStrictEqual } from "node:util";
import type { ObservationSink } from "../observations.ts";
import type { SwarmService, SwarmSighting, SwarmStanding } from "../observations/swarm.ts";
import { type Clock, pause, untilAborted } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createSerial } from "../platform/serial.ts";
import { nextTurnWhenDue } from "../platform/time-slice.ts";
import type { RuntimeSwarm, RuntimeSwarmService, SwarmSource } from "../runtimes/runtime.ts";
import { targetsByIndex } from "./label-endpoints.ts";
import { PREFIX, splitIndex } from "./label-table.ts";
import { parseLabels } from "./labels.ts";
import type { LabelPolicy } from "./sighting.ts";

/** Events come in bursts. */
const DEBOUNCE_MS = 200;
/** There are no events of tasks, so they are listed: at least so often, and for a small part of the time. */
const LIST_EVERY_MS = 1_500;
const LIST_AT_MOST_EVERY_MS = 30_000;
const SHARE_OF_TIME = 20;
/** Where there is nothing to list. */
const LOOK_EVERY_MS = 15_000;
/** What has not changed is said again, so that it is known to be so. */
const REPEAT_EVERY_MS = 10_000;
const RETRY_MS = 1_000;
const FOLLOW_AGAIN_MS = 3_000;

export interface SwarmCollectorOptions {
  source: SwarmSource;
  sink: ObservationSink;
  /** null is the local host. */
  agentId: string | null;
  clock: Clock;
  log: Log;
  /** Whether the engine is reached: that it is not, is said elsewhere. */
  isConnected: () => boolean;
  /** Called when the engine stands otherwise to a swarm than before, and the first time: then `before` is undefined. */
  onStanding?: ((standing: SwarmStanding, before: SwarmStanding | undefined) => void) | undefined;
  /** The strictest when absent. */
  labels?: LabelPolicy | undefined;
}

/** Watches the swarm of one engine for as long as it runs. */
export interface SwarmCollector {
  start(): void;
  stop(): Promise<void>;
  /** Reads everything now, and says it again. Throws `runtime_unavailable`. */
  refresh(signal: AbortSignal): Promise<void>;
}

export function createSwarmCollector(options: SwarmCollectorOptions): SwarmCollector {
  const { source, sink, agentId, clock, log, isConnected, onStanding, labels } = options;
  const stopping = new AbortController();
  const serial = createSerial();
  let running: Promise<void> | undefined;
  let last: { swarm: SwarmSighting; saidMs: number } | undefined;
  let changed = new AbortController();
  /** Aborted while the engine is in a swarm: not every one that is in none knows events of swarms. */
  let joined = new AbortController();
  let failure: string | undefined;

  /** Answers how long it took, and whether there is something to list. */
  function read(signal: AbortSignal, isForced = false): Promise<{ tookMs: number; isManager: boolean }> {
    return serial("read", async () => {
      signal.throwIfAborted();
      changed = new AbortController();
      // Read before, so that it may be newer than it claims, never older.
      const observedAt = clock.now();
      const startedMs = clock.monotonicMs();
      const swarm = toSighting(await source.read(signal), labels?.checkMethods);
      const nowMs = clock.monotonicMs();
      const isNews = isForced || last === undefined || nowMs - last.saidMs >= REPEAT_EVERY_MS || !isDeepStrictEqual(swarm, last.swarm);
      if (isNews) {
        // To compare large swarms takes a while, and so does what comes of it.
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
        const before = last?.swarm.standing;
        last = { swarm, saidMs: nowMs };
        sink.observe(agentId, { kind: "swarm.observed", observedAt, swarm });
        if (swarm.standing !== before) {
          log.info({ standing: swarm.standing, reason: swarm.reason }, "swarm looked at");
          if (swarm.standing !== "inactive") joined.abort();
          else if (joined.signal.aborted) joined = new AbortController();
          onStanding?.(swarm.standing, before);
        }
      }
      return { tookMs: nowMs - startedMs, isManager: swarm.standing === "manager" };
    });
  }

  async function keepReading(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await (isConnected() ? readOnce(signal) : RETRY_MS);
      await pause(clock, waitMs, AbortSignal.any([signal, changed.signal]));
      if (changed.signal.aborted) await pause(clock, DEBOUNCE_MS, signal);
    }
  }

  /** Answers how long to wait until the next. */
  async function readOnce(signal: AbortSignal): Promise<number> {
    try {
      const { tookMs, isManager } = await read(signal);
      failure = undefined;
      return isManager ? Math.min(Math.max(LIST_EVERY_MS, tookMs * SHARE_OF_TIME), LIST_AT_MOST_EVERY_MS) : LOOK_EVERY_MS;
    } catch (error) {
      if (!signal.aborted && failure !== messageOf(error)) log.debug({ reason: messageOf(error) }, "swarm not read");
      failure = messageOf(error);
      return RETRY_MS;
    }
  }

  async function keepFollowing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await untilAborted(AbortSignal.any([signal, joined.signal]));
      try {
        if (isConnected() && joined.signal.aborted) for await (const _ of source.changes(signal)) changed.abort();
      } catch {
        // That the engine is away is said elsewhere, and the next listing finds what was missed.
      }
      await pause(clock, FOLLOW_AGAIN_MS, signal);
    }
  }

  return {
    start() {
      running ??= Promise.all([keepReading(stopping.signal), keepFollowing(stopping.signal)]).then(() => undefined);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    async refresh(signal) {
      if (isConnected()) await read(AbortSignal.any([signal, stopping.signal]), true);
    },
  };
}

/** Reads what the labels of services ask for. */
function toSighting(swarm: RuntimeSwarm, checkMethods: readonly string[] | undefined): SwarmSighting {
  const { topology } = swarm;
  if (topology === null) return { ...swarm, topology };
  return { ...swarm, topology: { ...topology, services: topology.services.map((service) => toService(service, checkMethods)) } };
}

/** An endpoint that its containers name too is theirs: each of them is checked. So are certificates. */
function toService({ containerLabels, ...service }: RuntimeSwarmService, checkMethods: readonly string[] | undefined): SwarmService {
  const { settings, errors, endpoints, certificates } = parseLabels(service.labels, checkMethods);
  const labelsOfContainers = Object.keys(containerLabels).filter((label) => label.startsWith(PREFIX));
  const ofContainers = targetsByIndex(labelsOfContainers);
  const haveCertificates = labelsOfContainers.some((label) => label.startsWith(`${PREFIX}certificate.`));
  const own = endpoints.filter(({ labelKey }) => !ofContainers.has(splitIndex(labelKey).index ?? 0));
  return { ...service, settings, labelErrors: errors, endpoints: own, certificates: haveCertificates ? [] : certificates };
}
