import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { RuntimeContainer, RuntimeNews } from "../runtime.ts";
import { containerAfter, type EventContext, eventTime, isEnough } from "./after-event.ts";
import type { EngineClient } from "./client.ts";
import { type InspectedContainer, NO_TRAITS, hasEnded, isOneOff, isWatched } from "./container.ts";
import { EVENT_FILTERS, type EngineEvent, parseEvent, cursorAfter, cursorAt, trusted } from "./event.ts";
import { connectionFailure, isOfOneQuestion, unavailable } from "./failures.ts";
import { type ExitCauses, NO_EXIT_CAUSE, STOP_WINDOW_MS } from "./exit-causes.ts";
import type { KnownContainers, Inspection } from "./known.ts";
import { createLineSplitter } from "../line-splitter.ts";
import { type PodmanEnd, createPodmanEnds } from "./podman.ts";

const NS_PER_MS = 1_000_000n;
const MAX_EVENT_BYTES = 1024 * 1024;
/** More than this waiting means that we cannot follow; listing everything again is then quicker. */
const MAX_WAITING_EVENTS = 20_000;
/** Some versions of Podman begin their answer with the first event: after this long without a refusal the stream counts as open. */
const OPENED_AFTER_MS = 2_000;
/** Podman reports a probe some milliseconds before it saves the result. */
const HEALTH_SAVED_AFTER_MS = 250;
/** That a container is unhealthy must not wait for what its check printed. */
const HEALTH_INSPECTION_WITHIN_MS = 2_000;

export interface WatchParts {
  client: EngineClient;
  inspection: Inspection;
  known: KnownContainers;
  /** Outlive a stream: a stop that was asked for may come to its end in the next one. */
  exitCauses: ExitCauses;
  clock: Clock;
}

export interface WatchOptions {
  since: string | Date | undefined;
  opened: () => void;
  signal: AbortSignal;
}

type DatedNews = { at: Date } & ({ what: "container"; container: RuntimeContainer; ended: boolean } | { what: "gone"; externalId: string });

/**
 * Follows the engine's events. The stream is read without waiting for the inspections that events cause, since an engine
 * drops what a late reader does not take.
 */
export async function* watchEvents(parts: WatchParts, options: WatchOptions): AsyncGenerator<RuntimeNews> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const work = createOrderedWork<DatedNews>();
  const interpret = createInterpreter(parts, signal);
  const podmanEnds = createPodmanEnds(parts.clock);
  const since = beginningOf(options.since);
  let isPast = since.reportFromNs > 0n;

  function take(event: EngineEvent): void {
    // For good once the past is over: the clock of the engine may be set back later.
    isPast &&= event.timeNs >= since.askFromNs && event.timeNs < since.reportFromNs;
    if (isPast) return parts.exitCauses.takePast(event);
    if (work.waiting >= MAX_WAITING_EVENTS) {
      throw unavailable(parts.client.address, "its events come faster than they can be followed. Everything is listed again.");
    }
    // In the order of the stream, since it reads ahead of the event that is interpreted.
    const end = podmanEnds.note(event);
    work.add(event.containerId, event.timeNs, () => interpret(event, end));
  }

  const reading = readEvents(parts, { since: since.ask, opened: options.opened, signal }, take).catch(work.fail);
  let latestNs = 0n;
  try {
    for await (const { result, order, waitingSince } of work.results()) {
      if (order > latestNs) latestNs = order;
      yield { ...result, cursor: waitingSince === undefined ? cursorAfter(latestNs) : cursorAt(waitingSince) };
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    ending.abort();
    podmanEnds.close();
    await reading;
  }
}

/**
 * What the engine is asked for, and from when on it is reported. A time, unlike a cursor, is of somebody who saw nothing before: what was asked for
 * shortly before it may end after it.
 */
function beginningOf(since: string | Date | undefined): { ask: string | undefined; askFromNs: bigint; reportFromNs: bigint } {
  if (!(since instanceof Date)) return { ask: since, askFromNs: 0n, reportFromNs: 0n };
  const reportFromNs = BigInt(since.getTime()) * NS_PER_MS;
  const askFromNs = reportFromNs - BigInt(STOP_WINDOW_MS) * NS_PER_MS;
  return { ask: cursorAt(askFromNs), askFromNs, reportFromNs };
}

/** Hands over every event of interest until the stream breaks; always ends with an error. */
async function readEvents(
  { client, clock }: WatchParts,
  { since, opened, signal }: Pick<WatchOptions, "opened" | "signal"> & { since: string | undefined },
  take: (event: EngineEvent) => void,
): Promise<never> {
  const openedOnce = once(opened);
  const query = { filters: EVENT_FILTERS, ...(since !== undefined && { since }) };
  let patience: Timer | undefined;
  const lines = createLineSplitter(MAX_EVENT_BYTES);
  try {
    // It cannot be open before the engine was asked for it.
    const sent = (): void => {
      patience = clock.after(OPENED_AFTER_MS, openedOnce);
    };
    const stream = await client.stream({ route: "events", query }, { signal, timeoutMs: 0, sent });
    openedOnce();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (const line of lines.push(chunk)) {
        const event = line === null ? undefined : parseEvent(line, { podman: client.product.podmanVersion !== null });
        if (event !== undefined) take(event);
      }
    }
  } catch (error) {
    throw isServiceError(error) ? error : connectionFailure(client.address, error);
  } finally {
    patience?.cancel();
  }
  throw unavailable(client.address, "the engine ended the event stream. It may be restarting; it is tried again.");
}

/** Turns one event after another into news, inspecting the container where the event and what is known are not enough. */
function createInterpreter(
  { inspection, known, exitCauses, clock }: WatchParts,
  signal: AbortSignal,
): (event: EngineEvent, end: PodmanEnd | undefined) => Promise<DatedNews | undefined> {
  /** Undefined too of one that the engine does not show now: its event, and what is known, must do. */
  async function inspect(id: string): Promise<InspectedContainer | undefined> {
    try {
      return await inspection.inspect(id, signal);
    } catch (error) {
      if (isOfOneQuestion(error) && !signal.aborted) return undefined;
      throw error;
    }
  }

  /** The same; undefined when the engine has not answered in time. */
  function inspectSoon(id: string): Promise<InspectedContainer | undefined> {
    return Promise.race([inspect(id), pause(clock, HEALTH_INSPECTION_WITHIN_MS, signal).then(() => undefined)]);
  }

  /** What is known of the container after an event. */
  async function seenAfter(
    event: EngineEvent,
    { before, exitCause }: Pick<EventContext, "exitCause"> & { before: InspectedContainer | undefined },
  ) {
    const { action, containerId, podman } = event;
    if (before === undefined) return inspect(containerId);
    if (isEnough(event, { before, exitCause })) return before;
    return action === "health_status" && !podman ? inspectSoon(containerId) : inspect(containerId);
  }

  return async (received, end) => {
    const { action, containerId } = received;
    const before = known.get(containerId);
    const event = trusted(received, before?.disguised ?? []);
    // Of one that is gone nobody can say whether its image claimed that.
    const mayBeOneOff = before === undefined && isOneOff(event.labels);
    if (action === "kill" || action === "oom") {
      exitCauses.note(event);
      return undefined;
    }
    if (action === "restart" || action === "cleanup") return undefined;
    // The end that it announces is a separate event.
    if (action === "stop" && event.podman && before !== undefined && !hasEnded(before.container.state)) return undefined;
    const at = eventTime(event);
    if (action === "destroy") {
      exitCauses.forget(containerId);
      known.delete(containerId);
      if (mayBeOneOff) return undefined;
      return { what: "gone", externalId: containerId, at };
    }
    // Every start and stop makes network events too; only those of a container that never ran matter.
    if (action === "disconnect" && before?.container.state !== "created") return undefined;

    if (action === "start") exitCauses.forget(containerId);
    let exitCause = action === "die" ? exitCauses.take(event, before) : NO_EXIT_CAUSE;
    if (action === "health_status" && event.podman) await pause(clock, HEALTH_SAVED_AFTER_MS, signal);
    const seen = await seenAfter(event, { before, exitCause });
    if (seen === undefined ? mayBeOneOff : !isWatched(seen)) return undefined;
    if (end !== undefined && !exitCause.stopRequested) exitCause = { ...exitCause, stopRequested: await wasAsked(end, seen, before) };
    const container = containerAfter(trusted(event, seen?.disguised ?? []), { seen, before: before?.container, exitCause });
    if (container === undefined) return undefined;
    known.set({ ...(seen ?? before ?? NO_TRAITS), container }, at);
    return { what: "container", container, ended: action === "die", at };
  };
}

/** Whether an end of Podman's was asked for: what it keeps of it counts, else the events around it. */
async function wasAsked(end: PodmanEnd, seen: InspectedContainer | undefined, before: InspectedContainer | undefined): Promise<boolean> {
  if (seen?.stoppedByUser !== undefined && hasEnded(seen.container.state)) return seen.stoppedByUser;
  const cause = await end.cause;
  return cause === "asked" || (cause === "removed" && (seen ?? before)?.autoRemove === false);
}

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (!called) callback();
    called = true;
  };
}

/** What came of one piece of work. `waitingSince` is the order of the oldest piece that is not reported yet, or undefined. */
interface Finished<Result> {
  result: Result;
  order: bigint;
  waitingSince: bigint | undefined;
}

/**
 * Work that arrives in order and belongs to keys: pieces of one key are done one after the other, those of different keys side by side,
 * and results are returned as they come.
 */
interface OrderedWork<Result> {
  add(key: string, order: bigint, work: () => Promise<Result | undefined>): void;
  /** Ends the results with an error, after those that are ready. */
  fail(error: unknown): void;
  readonly waiting: number;
  /** The results, until a failure. */
  results(): AsyncGenerator<Finished<Result>, never>;
}

function createOrderedWork<Result>(): OrderedWork<Result> {
  const lastOfKey = new Map<string, Promise<void>>();
  const pending = new Set<{ order: bigint }>();
  const ready: { result: Result; piece: { order: bigint } }[] = [];
  let failure: { error: unknown } | undefined;
  let wake = (): void => {};

  function fail(error: unknown): void {
    failure ??= { error };
    wake();
  }

  return {
    add(key, order, work) {
      const piece = { order };
      pending.add(piece);
      const before = lastOfKey.get(key) ?? Promise.resolve();
      const done: Promise<void> = before
        .then(work)
        .then((result) => {
          if (result === undefined) pending.delete(piece);
          else ready.push({ result, piece });
          wake();
        })
        .catch(fail)
        .finally(() => {
          if (lastOfKey.get(key) === done) lastOfKey.delete(key);
        });
      lastOfKey.set(key, done);
    },
    fail,
    get waiting() {
      return pending.size;
    },
    async *results() {
      for (;;) {
        const next = ready.shift();
        if (next !== undefined) {
          pending.delete(next.piece);
          const [oldest] = pending;
          yield { result: next.result, order: next.piece.order, waitingSince: oldest?.order };
        } else if (failure !== undefined) {
          throw failure.error;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
