import type { ObservationSink } from "../observations.ts";
import { type Clock, pause, untilAborted } from "../platform/clock.ts";
import { ServiceError, messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createBackoff } from "../platform/retry.ts";
import { createSerial } from "../platform/serial.ts";
import type { Runtime, RuntimeDescription } from "../runtimes/runtime.ts";
import { createDelivery } from "./delivery.ts";
import { createHostTime } from "./host-time.ts";
import { createLastWords } from "./last-words.ts";
import type { LabelPolicy } from "./sighting.ts";

const WATCHED_EVERY_MS = 10_000;
/** An engine that restarts within 20 seconds is found again before it counts as lost. */
const RECONNECT_WITHIN_MS = 4_000;
/** Heals what an event stream may have lost. */
const RECONCILE_EVERY_MS = 5 * 60_000;
/** Where events are denied, listing is all there is. Never more often than this. */
const LIST_EVERY_MS = 10_000;

/** How the runtime of this host is doing. Source: contract, section 14. */
export interface RuntimeStatus {
  runtime: Runtime["kind"];
  address: string;
  connected: boolean;
  version: string | null;
  apiVersion: string | null;
  /** What it calls its host, and the system of that; null until it was reached. */
  hostname: string | null;
  operatingSystem: string | null;
  /** Why it is not connected, and what to do. */
  error: string | null;
  /** Since when it is, or is not, connected. */
  since: Date;
  capabilities: RuntimeDescription["capabilities"];
  missing: string[];
}

export interface ContainerCollectorOptions {
  runtime: Runtime;
  sink: ObservationSink;
  /** null is the local host. */
  agentId: string | null;
  clock: Clock;
  log: Log;
  /** When this host was last watched, by the runtime's clock: events since then are asked for. Asked once, at the first connection. */
  resumeFrom: () => Date | undefined;
  /** The strictest when absent. */
  labels?: LabelPolicy;
  onStatus?: (status: RuntimeStatus) => void;
}

/** Watches the containers of one host for as long as it runs: connects, lists, follows, and begins again when the connection breaks. */
export interface ContainerCollector {
  start(): void;
  stop(): Promise<void>;
  status(): RuntimeStatus;
  /** Lists everything now; resolves once that was observed. Without a connection it does nothing, since each begins with a listing. Throws `runtime_unavailable`. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Describes the runtime again, if it is connected. Throws `runtime_unavailable`. */
  describeAgain(): Promise<void>;
}

export function createContainerCollector(options: ContainerCollectorOptions): ContainerCollector {
  const { runtime, sink, agentId, clock, log, resumeFrom, onStatus } = options;
  const stopping = new AbortController();
  const hostTime = createHostTime(clock);
  const lastWords = createLastWords(options);
  const serial = createSerial();
  const backoff = createBackoff({ firstMs: 1_000, ceilingMs: RECONNECT_WITHIN_MS });
  let description: RuntimeDescription | undefined;
  let toldMissing: readonly string[] = [];
  let clockSet = new AbortController();
  let running: Promise<void> | undefined;
  let status: RuntimeStatus = { ...NOT_CONNECTED, runtime: runtime.kind, address: runtime.address, since: clock.now() };

  const delivery = createDelivery({
    runtime,
    sink,
    agentId,
    labels: options.labels,
    onEnded(news) {
      if (description?.capabilities.logs === true) lastWords.read(news, stopping.signal);
    },
  });

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect(signal);
      } catch (error) {
        if (!signal.aborted) setDisconnected(messageOf(error));
      }
      await pause(clock, backoff.nextMs(), signal);
    }
  }

  /** One connection, from describing the runtime until something breaks; ends by throwing, or by the signal. */
  async function connect(outer: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([outer, ending.signal]);
    let following: Promise<void> = Promise.resolve();
    try {
      description = await runtime.describe(signal);
      const { events } = description.capabilities;
      const opened = Promise.withResolvers<void>();
      following = events ? follow(opened.resolve, signal) : untilAborted(signal);
      if (events) await Promise.race([following, opened.promise]);
      await Promise.race([following, list(signal)]);
      setConnected(description);
      await Promise.race([following, keepListing(events ? RECONCILE_EVERY_MS : LIST_EVERY_MS, signal), keepTelling(signal)]);
    } finally {
      ending.abort();
      await Promise.allSettled([following]);
      tellSpan();
      hostTime.end();
    }
  }

  /** Takes news as they come; ends only by throwing, or by the signal. */
  async function follow(opened: () => void, signal: AbortSignal): Promise<void> {
    for await (const news of runtime.watch({ since: delivery.cursor ?? resumeFrom(), opened, signal })) {
      delivery.take(news);
      if (hostTime.isFarFrom(news.at)) clockSet.abort();
    }
    if (!signal.aborted) throw new ServiceError("runtime_unavailable", "The runtime ended its event stream. It is tried again.");
  }

  function list(signal: AbortSignal): Promise<void> {
    return serial("list", async () => {
      signal.throwIfAborted();
      hostTime.read(await delivery.reconcile(signal));
      tellMissing();
    });
  }

  /** Lists again every so often; and soon after the runtime's clock was set, since news may then look older than what is known. */
  async function keepListing(everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      clockSet = new AbortController();
      await pause(clock, LIST_EVERY_MS, signal);
      await pause(clock, everyMs - LIST_EVERY_MS, AbortSignal.any([signal, clockSet.signal]));
      if (!signal.aborted) await list(signal);
    }
  }

  async function keepTelling(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(clock, WATCHED_EVERY_MS, signal);
      if (signal.aborted) return;
      // A connection that has held this long was a good one.
      backoff.reset();
      tellSpan();
    }
  }

  function tellSpan(): void {
    const span = hostTime.span();
    if (span !== undefined) sink.observe(agentId, { kind: "host.watched", since: span.since, observedAt: span.now });
  }

  function setConnected(described: RuntimeDescription): void {
    const { version, apiVersion, missing } = described;
    const since = status.connected ? status.since : clock.now();
    setStatus({ ...status, ...described, runtime: runtime.kind, address: runtime.address, connected: true, error: null, since });
    log.info({ runtime: runtime.kind, address: runtime.address, version, apiVersion, missing }, "container runtime connected");
  }

  /** A container that the engine lists and does not show is known only after a listing. */
  function tellMissing(): void {
    const missing = runtime.missing?.() ?? [];
    const isNew = missing.filter((sentence) => !toldMissing.includes(sentence));
    if (isNew.length > 0 && status.connected) log.warn({ runtime: runtime.kind, missing: isNew }, "not all of the runtime is seen");
    toldMissing = missing;
  }

  function setDisconnected(reason: string): void {
    const since = status.connected ? clock.now() : status.since;
    if (status.error !== reason) log.warn({ runtime: runtime.kind, address: runtime.address, reason }, "container runtime not connected");
    setStatus({
      ...status,
      connected: false,
      capabilities: NOT_CONNECTED.capabilities,
      missing: [],
      address: runtime.address,
      error: reason,
      since,
    });
  }

  function setStatus(next: RuntimeStatus): void {
    status = next;
    onStatus?.(next);
  }

  return {
    start() {
      running ??= run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
      await lastWords.settle();
    },
    status: () => (status.connected && runtime.missing !== undefined ? { ...status, missing: runtime.missing() } : status),
    async describeAgain() {
      if (!status.connected) return;
      const described = await runtime.describe(stopping.signal);
      // It may have been lost meanwhile; then it is described by the next connection.
      if (!status.connected) return;
      description = described;
      setConnected(described);
    },
    async refresh(signal) {
      if (status.connected) await list(AbortSignal.any([signal, stopping.signal]));
    },
  };
}

const NOT_CONNECTED: Omit<RuntimeStatus, "runtime" | "address" | "since"> = {
  connected: false,
  version: null,
  apiVersion: null,
  hostname: null,
  operatingSystem: null,
  error: null,
  capabilities: { events: false, stats: false, logs: false, swarm: false, metrics: false },
  missing: [],
};
