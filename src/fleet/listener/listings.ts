import type { ContainerSighting } from "../../observations.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type ListingPart, MAX_CONTAINERS, MAX_LISTING_BYTES, MAX_LISTING_LABELS, WireError } from "../wire/index.ts";

/** Between two parts of a listing, and for all of them. */
const PART_WITHIN_MS = 60_000;
const LISTING_WITHIN_MS = 5 * 60_000;
/** Of all listings that are under way, on whatever stream. */
const MAX_BYTES_IN_ALL = 4 * MAX_LISTING_BYTES;
/** One that has been under way for so long gives way to others when there is no room. */
const GIVES_WAY_AFTER_MS = 60_000;
const WHERE = "container_inventory_part";

/** The room that listings of all streams share. */
export interface ListingRoom {
  /** What they hold together. */
  bytes(): number;
  /** Adds bytes to a listing. Throws `listener_unavailable` when there is no room: the agent comes again later, and lists anew. */
  add(holder: Holder, bytes: number): void;
  leave(holder: Holder): void;
}

interface Holder {
  beganMs: number;
  bytes: number;
  giveWay(): void;
}

export function createListingRoom(clock: Clock, mostBytes: number = MAX_BYTES_IN_ALL): ListingRoom {
  const holders = new Set<Holder>();
  const held = (): number => [...holders].reduce((sum, { bytes }) => sum + bytes, 0);

  function makeRoom(holder: Holder, bytes: number): void {
    for (const other of holders) {
      if (held() + bytes <= mostBytes) return;
      if (other !== holder && clock.monotonicMs() - other.beganMs > GIVES_WAY_AFTER_MS) other.giveWay();
    }
    if (held() + bytes > mostBytes)
      throw new ServiceError("listener_unavailable", "Too many hosts list their containers at once. Try again later.");
  }

  return {
    bytes: held,
    add(holder, bytes) {
      makeRoom(holder, bytes);
      holder.bytes += bytes;
      holders.add(holder);
    },
    leave: (holder) => void holders.delete(holder),
  };
}

export interface ListingsOptions {
  agentId: string;
  room: ListingRoom;
  /** A listing was not taken. */
  onDropped: () => void;
  clock: Clock;
  log: Log;
}

/** Puts together the listing that comes in parts over one stream, one at a time. */
export interface Listings {
  /** All containers once the last part is there. Throws a WireError for a part that belongs nowhere, and drops the listing that it breaks. */
  take(part: ListingPart, bytes: number): ContainerSighting[] | undefined;
  /** What was completed is saved: its room is free again. */
  saved(): void;
  /** The stream is over: drops what is not complete. */
  stop(): void;
}

interface Half extends Holder {
  listing: number;
  parts: number;
  /** How many of them are here. */
  taken: number;
  observedMs: number;
  ids: Set<string>;
  labels: number;
  containers: ContainerSighting[];
  timer: Timer | undefined;
}

export function createListings({ agentId, room, onDropped, clock, log }: ListingsOptions): Listings {
  let half: Half | undefined;
  let complete: Half | undefined;

  function drop(reason: string): void {
    if (half === undefined) return;
    const { taken, parts } = half;
    forget(half);
    half = undefined;
    onDropped();
    log.warn({ agent_id: agentId, parts, taken, reason }, "listing of an agent dropped: its host stays as it was until the next one");
  }

  function forget(which: Half): void {
    which.timer?.cancel();
    room.leave(which);
  }

  function begin({ listing, parts, observedAt }: ListingPart): Half {
    if (half !== undefined) drop("the agent began another one");
    const beganMs = clock.monotonicMs();
    const empty = { taken: 0, bytes: 0, labels: 0, ids: new Set<string>(), containers: [], timer: undefined };
    const giveWay = (): void => drop("it took long, and others had no room");
    return { listing, parts, observedMs: observedAt.getTime(), beganMs, giveWay, ...empty };
  }

  /** Says what is wrong with a part; undefined when it continues the listing. */
  function faultOf(part: ListingPart, of: Half, bytes: number): string | undefined {
    if (part.part !== of.taken + 1) return "is not the next one";
    if (part.parts !== of.parts || part.observedAt.getTime() !== of.observedMs) return "contradicts the parts before";
    if (of.bytes + bytes > MAX_LISTING_BYTES) return `makes a listing of more than ${MAX_LISTING_BYTES} bytes`;
    if (of.containers.length + part.containers.length > MAX_CONTAINERS) return `makes a listing of more than ${MAX_CONTAINERS} containers`;
    if (of.labels + labelsOf(part) > MAX_LISTING_LABELS) return `makes a listing of more than ${MAX_LISTING_LABELS} labels`;
    return part.containers.some(({ externalId }) => of.ids.has(externalId)) ? "names a container that was listed before" : undefined;
  }

  function add(part: ListingPart, to: Half, bytes: number): void {
    room.add(to, bytes);
    to.taken += 1;
    to.labels += labelsOf(part);
    for (const container of part.containers) {
      to.ids.add(container.externalId);
      to.containers.push(container);
    }
  }

  function awaitNext(of: Half): void {
    of.timer?.cancel();
    const leftMs = of.beganMs + LISTING_WITHIN_MS - clock.monotonicMs();
    of.timer = clock.after(Math.max(Math.min(PART_WITHIN_MS, leftMs), 0), () => drop("its next part did not come in time"));
  }

  return {
    take(part, bytes) {
      if (part.part === 1) half = begin(part);
      if (half?.listing !== part.listing) throw new WireError(WHERE, "belongs to no listing that is under way");
      const fault = faultOf(part, half, bytes);
      if (fault !== undefined) {
        drop(`a part ${fault}`);
        throw new WireError(WHERE, fault);
      }
      add(part, half, bytes);
      if (half.taken < half.parts) {
        awaitNext(half);
        return undefined;
      }
      const { containers } = half;
      half.timer?.cancel();
      // One batch may hold several.
      if (complete !== undefined) forget(complete);
      complete = half;
      half = undefined;
      return containers;
    },
    saved() {
      if (complete !== undefined) forget(complete);
      complete = undefined;
    },
    stop() {
      this.saved();
      drop("the stream ended");
    },
  };
}

function labelsOf({ containers }: ListingPart): number {
  return containers.reduce((sum, { labels }) => sum + Object.keys(labels).length, 0);
}
