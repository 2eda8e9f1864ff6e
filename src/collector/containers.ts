import type { ObservationSink } from "../observations.ts";
import { type Clock, pause, untilAborted } from "../platform/clock.ts";
import { ServiceError, messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createBackoff } from "../platform/retry.ts";
import { createSerial } from "../platform/queues.ts";
import type { Runtime, RuntimeDescription } from "../runtimes/runtime.ts";
import { createDelivery, type Delivery, createHostTime, type HostTime } from "./delivery.ts";
import { createLastWords, type LastWords } from "./last-words.ts";
import type { LabelPolicy } from "./labels.ts";

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

/** Watches the containers of one host for as long as it runs: connects, lists, follows, and begins again when the connection breaks. */
export class ContainerCollector {
  readonly #options: ContainerCollectorOptions;
  readonly #stopping = new AbortController();
  readonly #hostTime: HostTime;
  readonly #lastWords: LastWords;
  readonly #delivery: Delivery;
  readonly #serial = createSerial();
  readonly #backoff = createBackoff({ firstMs: 1_000, ceilingMs: RECONNECT_WITHIN_MS });
  #description: RuntimeDescription | undefined;
  #loggedMissing: readonly string[] = [];
  #clockSet = new AbortController();
  #running: Promise<void> | undefined;
  #status: RuntimeStatus;

  constructor(options: ContainerCollectorOptions) {
    const { runtime, sink, agentId, labels, clock } = options;
    this.#options = options;
    this.#hostTime = createHostTime(clock);
    this.#lastWords = createLastWords(options);
    this.#status = { ...NOT_CONNECTED, runtime: runtime.kind, address: runtime.address, since: clock.now() };
    this.#delivery = createDelivery({
      runtime,
      sink,
      agentId,
      labels,
      onEnded: (news) => {
        if (this.#description?.capabilities.logs === true) this.#lastWords.read(news, this.#stopping.signal);
      },
    });
  }

  start(): void {
    this.#running ??= this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#lastWords.settle();
  }

  status(): RuntimeStatus {
    const { runtime } = this.#options;
    const status = this.#status;
    return status.connected && runtime.missing !== undefined ? { ...status, missing: runtime.missing() } : status;
  }

  /** Lists everything now; resolves once that was observed. Without a connection it does nothing, since each begins with a listing. Throws `runtime_unavailable`. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#status.connected) await this.#list(AbortSignal.any([signal, this.#stopping.signal]));
  }

  /** Describes the runtime again, if it is connected. Throws `runtime_unavailable`. */
  async describeAgain(): Promise<void> {
    if (!this.#status.connected) return;
    const described = await this.#options.runtime.describe(this.#stopping.signal);
    // It may have been lost meanwhile; then it is described by the next connection.
    if (!this.#status.connected) return;
    this.#description = described;
    this.#setConnected(described);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#connect(signal);
      } catch (error) {
        if (!signal.aborted) this.#setDisconnected(messageOf(error));
      }
      await pause(this.#options.clock, this.#backoff.nextMs(), signal);
    }
  }

  /** One connection, from describing the runtime until something breaks; ends by throwing, or by the signal. */
  async #connect(outer: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([outer, ending.signal]);
    let following: Promise<void> = Promise.resolve();
    try {
      const description = await this.#options.runtime.describe(signal);
      this.#description = description;
      const { events } = description.capabilities;
      const opened = Promise.withResolvers<void>();
      following = events ? this.#follow(opened.resolve, signal) : untilAborted(signal);
      if (events) await Promise.race([following, opened.promise]);
      await Promise.race([following, this.#list(signal)]);
      this.#setConnected(this.#description);
      const everyMs = events ? RECONCILE_EVERY_MS : LIST_EVERY_MS;
      await Promise.race([following, this.#keepListing(everyMs, signal), this.#keepObservingSpan(signal)]);
    } finally {
      ending.abort();
      await Promise.allSettled([following]);
      this.#observeSpan();
      this.#hostTime.end();
    }
  }

  /** Takes news as they come; ends only by throwing, or by the signal. */
  async #follow(opened: () => void, signal: AbortSignal): Promise<void> {
    const { runtime, resumeFrom } = this.#options;
    for await (const news of runtime.watch({ since: this.#delivery.cursor ?? resumeFrom(), opened, signal })) {
      this.#delivery.take(news);
      if (this.#hostTime.isFarFrom(news.at)) this.#clockSet.abort();
    }
    if (!signal.aborted) throw new ServiceError("runtime_unavailable", "The runtime ended its event stream. It is tried again.");
  }

  #list(signal: AbortSignal): Promise<void> {
    return this.#serial("list", async () => {
      signal.throwIfAborted();
      this.#hostTime.read(await this.#delivery.reconcile(signal));
      this.#logMissing();
    });
  }

  /** Lists again every so often; and soon after the runtime's clock was set, since news may then look older than what is known. */
  async #keepListing(everyMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      this.#clockSet = new AbortController();
      await pause(clock, LIST_EVERY_MS, signal);
      await pause(clock, everyMs - LIST_EVERY_MS, AbortSignal.any([signal, this.#clockSet.signal]));
      if (!signal.aborted) await this.#list(signal);
    }
  }

  async #keepObservingSpan(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#options.clock, WATCHED_EVERY_MS, signal);
      if (signal.aborted) return;
      // A connection that has held this long was a good one.
      this.#backoff.reset();
      this.#observeSpan();
    }
  }

  #observeSpan(): void {
    const { sink, agentId } = this.#options;
    const span = this.#hostTime.span();
    if (span !== undefined) sink.observe(agentId, { kind: "host.watched", since: span.since, observedAt: span.now });
  }

  /** A container that the engine lists and does not show is known only after a listing. */
  #logMissing(): void {
    const { runtime, log } = this.#options;
    const missing = runtime.missing?.() ?? [];
    const isNew = missing.filter((sentence) => !this.#loggedMissing.includes(sentence));
    if (isNew.length > 0 && this.#status.connected) log.warn({ runtime: runtime.kind, missing: isNew }, "not all of the runtime is seen");
    this.#loggedMissing = missing;
  }

  #setConnected(described: RuntimeDescription): void {
    const { runtime, clock, log } = this.#options;
    const { version, apiVersion, missing } = described;
    const status = this.#status;
    const since = status.connected ? status.since : clock.now();
    this.#setStatus({ ...status, ...described, runtime: runtime.kind, address: runtime.address, connected: true, error: null, since });
    log.info({ runtime: runtime.kind, address: runtime.address, version, apiVersion, missing }, "container runtime connected");
  }

  #setDisconnected(reason: string): void {
    const { runtime, clock, log } = this.#options;
    const status = this.#status;
    const since = status.connected ? clock.now() : status.since;
    if (status.error !== reason) log.warn({ runtime: runtime.kind, address: runtime.address, reason }, "container runtime not connected");
    this.#setStatus({
      ...status,
      connected: false,
      capabilities: NOT_CONNECTED.capabilities,
      missing: [],
      address: runtime.address,
      error: reason,
      since,
    });
  }

  #setStatus(next: RuntimeStatus): void {
    this.#status = next;
    this.#options.onStatus?.(next);
  }
}

export function createContainerCollector(options: ContainerCollectorOptions): ContainerCollector {
  return new ContainerCollector(options);
}
