import { isDeepStrictEqual } from "node:util";
import type { ObservationSink } from "../observations.ts";
import type { SwarmService, SwarmSighting, SwarmStanding } from "../observations/swarm.ts";
import { type Clock, pause, untilAborted, nextTurnWhenDue } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createSerial } from "../platform/queues.ts";
import type { RuntimeSwarm, RuntimeSwarmService, SwarmSource } from "../runtimes/runtime.ts";
import { PREFIX, splitIndex } from "./label-table.ts";
import { parseLabels, targetsByIndex, type LabelPolicy } from "./labels.ts";

/** Events come in bursts. */
const DEBOUNCE_MS = 200;
/** There are no events of tasks, so they are listed: at least so often, and for a small part of the time. */
const LIST_EVERY_MS = 1_500;
const LIST_AT_MOST_EVERY_MS = 30_000;
const SHARE_OF_TIME = 20;
/** What has just changed is likely to change again: the tasks of a service that was scaled start one after another. */
const SHARE_OF_TIME_AFTER_CHANGE = 8;
const AFTER_CHANGE_MS = 10_000;
/** Where there is nothing to list. */
const LOOK_EVERY_MS = 15_000;
/** What has not changed is reported again, which shows that it is still so. */
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
  /** Whether the engine is reached; an unreachable engine is logged elsewhere. */
  isConnected: () => boolean;
  /** Called when the engine stands otherwise to a swarm than before, and the first time: then `before` is undefined. */
  onStanding?: ((standing: SwarmStanding, before: SwarmStanding | undefined) => void) | undefined;
  /** The strictest when absent. */
  labels?: LabelPolicy | undefined;
}

/** Watches the swarm of one engine for as long as it runs. */
export class SwarmCollector {
  readonly #options: SwarmCollectorOptions;
  readonly #stopping = new AbortController();
  readonly #serial = createSerial();
  #reached = new AbortController();
  #running: Promise<void> | undefined;
  #last: { swarm: SwarmSighting; observedMs: number } | undefined;
  #changed = new AbortController();
  /** When it last was otherwise than before. */
  #changedMs = 0;
  /** Aborted while the engine is in a swarm: not every one that is in none knows events of swarms. */
  #joined = new AbortController();
  #failure: string | undefined;

  constructor(options: SwarmCollectorOptions) {
    this.#options = options;
  }

  start(): void {
    const { signal } = this.#stopping;
    this.#running ??= Promise.all([this.#keepReading(signal), this.#keepFollowing(signal)]).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Looks at once: the engine, which may have been away, is reached. */
  connected(): void {
    this.#reached.abort();
  }

  /** Reads everything now, and says it again. Throws `runtime_unavailable`. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#options.isConnected()) await this.#read(AbortSignal.any([signal, this.#stopping.signal]), true);
  }

  async #keepReading(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await this.#untilConnected(signal);
      this.#changed = new AbortController();
      const waitMs = await this.#readOnce(signal);
      await pause(clock, waitMs, AbortSignal.any([signal, this.#changed.signal]));
      if (this.#changed.signal.aborted) await pause(clock, DEBOUNCE_MS, signal);
    }
  }

  async #keepFollowing(signal: AbortSignal): Promise<void> {
    const { source, clock } = this.#options;
    while (!signal.aborted) {
      await untilAborted(AbortSignal.any([signal, this.#joined.signal]));
      await this.#untilConnected(signal);
      try {
        if (this.#joined.signal.aborted) for await (const _ of source.changes(signal)) this.#changed.abort();
      } catch {
        // That the engine is away is logged elsewhere, and the next listing finds what was missed.
      }
      await pause(clock, FOLLOW_AGAIN_MS, signal);
    }
  }

  async #untilConnected(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#options.isConnected()) {
      if (this.#reached.signal.aborted) this.#reached = new AbortController();
      await untilAborted(AbortSignal.any([signal, this.#reached.signal]));
    }
  }

  /** Answers how long to wait until the next. */
  async #readOnce(signal: AbortSignal): Promise<number> {
    try {
      const { tookMs, isManager } = await this.#read(signal);
      this.#failure = undefined;
      const isChanging = this.#options.clock.monotonicMs() - this.#changedMs < AFTER_CHANGE_MS;
      const share = isChanging ? SHARE_OF_TIME_AFTER_CHANGE : SHARE_OF_TIME;
      return isManager ? Math.min(Math.max(LIST_EVERY_MS, tookMs * share), LIST_AT_MOST_EVERY_MS) : LOOK_EVERY_MS;
    } catch (error) {
      const reason = messageOf(error);
      if (!signal.aborted && this.#failure !== reason) this.#options.log.debug({ reason }, "swarm not read");
      this.#failure = reason;
      return RETRY_MS;
    }
  }

  /** Answers how long it took, and whether there is something to list. */
  #read(signal: AbortSignal, isForced = false): Promise<{ tookMs: number; isManager: boolean }> {
    const { source, clock, labels } = this.#options;
    return this.#serial("read", async () => {
      signal.throwIfAborted();
      // Read before, so that it may be newer than it claims, never older.
      const observedAt = clock.now();
      const startedMs = clock.monotonicMs();
      const swarm = toSighting(await source.read(signal), labels?.checkMethods);
      const nowMs = clock.monotonicMs();
      const isOther = !isDeepStrictEqual(swarm, this.#last?.swarm);
      if (isOther) this.#changedMs = nowMs;
      if (isForced || isOther || nowMs - (this.#last?.observedMs ?? 0) >= REPEAT_EVERY_MS) {
        // To compare large swarms takes a while, and so does what comes of it.
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
        this.#observe(swarm, observedAt, nowMs);
      }
      return { tookMs: nowMs - startedMs, isManager: swarm.standing === "manager" };
    });
  }

  #observe(swarm: SwarmSighting, observedAt: Date, nowMs: number): void {
    const { sink, agentId, log, onStanding } = this.#options;
    const before = this.#last?.swarm.standing;
    this.#last = { swarm, observedMs: nowMs };
    sink.observe(agentId, { kind: "swarm.observed", observedAt, swarm });
    if (swarm.standing === before) return;
    log.info({ standing: swarm.standing, reason: swarm.reason }, "swarm looked at");
    if (swarm.standing !== "inactive") this.#joined.abort();
    else if (this.#joined.signal.aborted) this.#joined = new AbortController();
    onStanding?.(swarm.standing, before);
  }
}

export function createSwarmCollector(options: SwarmCollectorOptions): SwarmCollector {
  return new SwarmCollector(options);
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
