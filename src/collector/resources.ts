import { type ContainerReadings, type ObservationSink, READING_COLUMNS, type ReadingColumn, TICK_MS } from "../observations.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { ContainerUsage, Runtime } from "../runtimes/runtime.ts";
import type { RuntimeStatus } from "./containers.ts";
import type { HostReader } from "./host.ts";
import { LONGEST_GAP_MS, readingSince } from "./usage-delta.ts";

/** Who has not answered by then is left out of the tick. */
const ANSWER_WITHIN_MS = 8_000;

export interface ResourceCollectorOptions {
  runtime: Runtime;
  host: HostReader;
  sink: ObservationSink;
  /** null is the local host. */
  agentId: string | null;
  clock: Clock;
  log: Log;
  /** How the runtime is doing; it is asked only while it is connected and allows it. */
  status: () => Pick<RuntimeStatus, "connected" | "capabilities">;
}

/** Reports every ten seconds what a host and its containers use. What could not be read is left out, so that gaps show as gaps. */
export interface ResourceCollector {
  start(): void;
  stop(): Promise<void>;
}

export function createResourceCollector(options: ResourceCollectorOptions): ResourceCollector {
  const { runtime, host, sink, agentId, clock, status } = options;
  const stopping = new AbortController();
  const hostFailures = createFailureLog(options.log, "the host's resources");
  const containerFailures = createFailureLog(options.log, "the resources of containers");
  /** The latest reading of each container. */
  let previous = new Map<string, ContainerUsage>();
  let running: Promise<void> | undefined;

  async function sampleHost(tick: Date): Promise<void> {
    try {
      const reading = await host.read();
      if (!stopping.signal.aborted) sink.observe(agentId, { kind: "host.sampled", observedAt: tick, host: reading });
      hostFailures.over();
    } catch (error) {
      hostFailures.failed(error);
    }
  }

  async function sampleContainers(tick: Date): Promise<void> {
    const { connected, capabilities } = status();
    if (!connected || !capabilities.stats) return;
    try {
      const usages = await readWithinDeadline();
      if (!stopping.signal.aborted) sink.observe(agentId, { kind: "resources.sampled", observedAt: tick, readings: readingsOf(usages) });
      containerFailures.over();
    } catch (error) {
      if (!stopping.signal.aborted) containerFailures.failed(error);
    }
  }

  async function readWithinDeadline(): Promise<ContainerUsage[]> {
    const late = new AbortController();
    const deadline = clock.after(ANSWER_WITHIN_MS, () => late.abort());
    try {
      return await runtime.stats(AbortSignal.any([stopping.signal, late.signal]));
    } finally {
      deadline.cancel();
    }
  }

  /** Who is missing may only have been too slow to answer, so it is remembered for as long as its reading is of use. */
  function readingsOf(usages: ContainerUsage[]): ContainerReadings {
    const forgottenMs = clock.monotonicMs() - LONGEST_GAP_MS;
    const latest = new Map([...previous].filter(([, { readAtMs }]) => readAtMs >= forgottenMs));
    // The entries are those of the type; fromEntries forgets which names it was given.
    const columns = Object.fromEntries(READING_COLUMNS.map((column) => [column, new Float64Array(usages.length)])) as Columns;
    usages.forEach((usage, place) => {
      const reading = readingSince(usage, previous.get(usage.externalId));
      for (const column of READING_COLUMNS) columns[column][place] = reading[column];
      latest.set(usage.externalId, usage);
    });
    previous = latest;
    return { externalIds: usages.map(({ externalId }) => externalId), columns };
  }

  return {
    start() {
      running ??= atEveryTick({ clock, everyMs: TICK_MS, signal: stopping.signal }, async (tick) => {
        await sampleHost(tick);
        await sampleContainers(tick);
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

type Columns = Record<ReadingColumn, Float64Array>;

/** Logs a failure that lasts only once, and when it is over. */
function createFailureLog(log: Log, what: string): { failed(error: unknown): void; over(): void } {
  let logged: string | undefined;
  return {
    failed(error) {
      const reason = messageOf(error);
      if (reason !== logged) log.warn({ what, reason }, "resources could not be read");
      logged = reason;
    },
    over() {
      if (logged !== undefined) log.info({ what }, "resources are read again");
      logged = undefined;
    },
  };
}

interface TickOptions {
  clock: Clock;
  everyMs: number;
  signal: AbortSignal;
}

/**
 * Does work at every whole multiple of `everyMs` on the wall clock, until the signal. Work that takes longer skips the ticks it overruns.
 * A tick that is reached late by half the span or more, because the clock was set or the machine slept, is skipped too: what is
 * measured then does not belong to it.
 */
async function atEveryTick({ clock, everyMs, signal }: TickOptions, work: (tick: Date) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const nowMs = clock.now().getTime();
    const tickMs = (Math.floor(nowMs / everyMs) + 1) * everyMs;
    await pause(clock, tickMs - nowMs, signal);
    const lateMs = clock.now().getTime() - tickMs;
    // Timers may also fire a little early; then the rest is waited for.
    if (!signal.aborted && lateMs >= 0 && lateMs < everyMs / 2) await work(new Date(tickMs));
  }
}
