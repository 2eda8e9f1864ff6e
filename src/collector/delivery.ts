import type { Observation, ObservationSink } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Runtime, RuntimeNews } from "../runtimes/runtime.ts";
import { type LabelPolicy, toSighting } from "./labels.ts";

/** More news than this during one listing means that following them is pointless. */
const MAX_HELD_NEWS = 20_000;

export interface DeliveryParts {
  runtime: Runtime;
  sink: ObservationSink;
  agentId: string | null;
  labels: LabelPolicy | undefined;
  /** Called for every end of a container, once it was delivered. */
  onEnded: (news: RuntimeNews & { what: "container" }) => void;
}

/** Brings news and listings to the sink in the order of their times, and remembers where to resume. */
export interface Delivery {
  /** Where the next watch begins; undefined before the first news. */
  readonly cursor: string | undefined;
  take(news: RuntimeNews): void;
  /** Lists everything; news that come meanwhile wait. Returns the runtime's time of the listing. */
  reconcile(signal: AbortSignal): Promise<Date>;
}

export function createDelivery({ runtime, sink, agentId, labels, onEnded }: DeliveryParts): Delivery {
  let cursor: string | undefined;
  /** News that wait for a listing; undefined while none is under way. */
  let held: RuntimeNews[] | undefined;

  function deliver(news: RuntimeNews): void {
    sink.observe(agentId, observationOf(news, labels));
    cursor = news.cursor;
    if (news.what === "container" && news.ended) onEnded(news);
  }

  return {
    get cursor() {
      return cursor;
    },
    take(news) {
      if (held === undefined) deliver(news);
      else hold(held, news);
    },
    async reconcile(signal) {
      const news: RuntimeNews[] = (held = []);
      try {
        const { at, containers } = await runtime.inventory(signal);
        signal.throwIfAborted();
        const isBefore = (one: RuntimeNews): boolean => one.at.getTime() <= at.getTime();
        news.filter(isBefore).forEach(deliver);
        sink.observe(agentId, {
          kind: "container.inventory",
          observedAt: at,
          containers: containers.map((each) => toSighting(each, labels)),
        });
        news.filter((one) => !isBefore(one)).forEach(deliver);
        return at;
      } catch (error) {
        // What came is true, whatever became of the listing, and is asked for no more once something newer was delivered.
        news.forEach(deliver);
        throw error;
      } finally {
        held = undefined;
      }
    },
  };
}

function observationOf(news: RuntimeNews, labels: LabelPolicy | undefined): Observation {
  if (news.what === "gone") return { kind: "container.gone", observedAt: news.at, externalId: news.externalId };
  return { kind: "container.seen", observedAt: news.at, container: toSighting(news.container, labels) };
}

function hold(held: RuntimeNews[], news: RuntimeNews): void {
  if (held.length >= MAX_HELD_NEWS)
    throw new ServiceError("runtime_unavailable", "The runtime's events come faster than it can be listed. It is tried again.");
  held.push(news);
}

/** A larger step than drift and delay explain: the host's clock was set, or the host slept. */
const JUMP_MS = 10_000;

/**
 * The runtime's clock, carried on by ours between two readings, and since when it was watched without a gap.
 * It runs behind the real one by the time that a listing takes, so that nothing counts as watched that was not.
 */
export interface HostTime {
  /** Takes a reading; the first one, and one that shows a jump, begin a new span. */
  read(at: Date): void;
  /** The watched span up to now; undefined before the first reading and after {@link HostTime.end}. */
  span(): { since: Date; now: Date } | undefined;
  /** Whether a time just stamped by the runtime does not fit its clock as last read. */
  isFarFrom(at: Date): boolean;
  end(): void;
}

export function createHostTime(clock: Clock): HostTime {
  let reading: { at: Date; monotonicMs: number; since: Date } | undefined;

  function span(): { since: Date; now: Date } | undefined {
    if (reading === undefined) return undefined;
    return { since: reading.since, now: new Date(reading.at.getTime() + clock.monotonicMs() - reading.monotonicMs) };
  }

  function isFarFrom(at: Date): boolean {
    const expected = span();
    return expected !== undefined && Math.abs(expected.now.getTime() - at.getTime()) > JUMP_MS;
  }

  return {
    read(at) {
      const since = reading === undefined || isFarFrom(at) ? at : reading.since;
      reading = { at, monotonicMs: clock.monotonicMs(), since };
    },
    span,
    isFarFrom,
    end() {
      reading = undefined;
    },
  };
}
