import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { MAX_LISTING_BYTES, WireError } from "../wire/index.ts";

/** How long the next part may take, and how long all parts. */
const PART_WITHIN_MS = MINUTE_MS;
const LISTING_WITHIN_MS = 5 * MINUTE_MS;

/** The fields that every part has. */
export interface Part {
  /** The seq of its first part. */
  listing: number;
  part: number;
  parts: number;
  observedAt: Date;
}

/** How parts are joined to a whole. */
export interface Joining<Of extends Part, Whole> {
  /** What is wrong with a part; undefined when it can be added. */
  faultOf(part: Of): string | undefined;
  add(part: Of): void;
  whole(): Whole;
}

export interface AssemblyOptions<Of extends Part, Whole> {
  agentId: string;
  /** The name of the field for errors. */
  where: string;
  /** The name for the log. */
  what: string;
  begin: (first: Of) => Joining<Of, Whole>;
  room: ListingRoom;
  /** Called when a whole that was begun will not be completed. */
  onDropped: (reason: DropReason) => void;
  clock: Clock;
  log: Log;
}

/** Why a whole is not completed. After `late` and `room` its agent does not know. */
export type DropReason = "another" | "fault" | "stopped" | "late" | "room";

/** Joins what comes in parts over one stream, one whole at a time. */
export interface Assembly<Of extends Part, Whole> {
  /**
   * Answers the whole once its last part has come. A part that does not continue the present one throws a WireError, and the present one is dropped.
   */
  take(part: Of, bytes: number): Whole | undefined;
  /** To be called when the completed whole is saved: its room is free again. */
  saved(): void;
  /** To be called at the end of the stream: drops what is incomplete. */
  stop(): void;
}

interface Half<Of extends Part, Whole> extends Holder {
  listing: number;
  parts: number;
  /** How many parts have come. */
  taken: number;
  observedMs: number;
  joining: Joining<Of, Whole>;
  timer: Timer | undefined;
}

export function createAssembly<Of extends Part, Whole>(options: AssemblyOptions<Of, Whole>): Assembly<Of, Whole> {
  const { agentId, where, what, room, onDropped, clock, log } = options;
  let half: Half<Of, Whole> | undefined;
  let complete: Half<Of, Whole> | undefined;

  function drop(reason: DropReason, words: string): void {
    if (half === undefined) return;
    const { taken, parts } = half;
    forget(half);
    half = undefined;
    onDropped(reason);
    log.warn(
      { agent_id: agentId, parts, taken, reason: words },
      `${what} of an agent dropped: its host stays as it was until the next one`,
    );
  }

  function forget(which: Half<Of, Whole>): void {
    which.timer?.cancel();
    room.leave(which);
  }

  function begin(first: Of): Half<Of, Whole> {
    if (half !== undefined) drop("another", "the agent began another one");
    const { listing, parts, observedAt } = first;
    const giveWay = (): void => drop("room", "it took long, and others had no room");
    const joining = options.begin(first);
    return {
      listing,
      parts,
      observedMs: observedAt.getTime(),
      beganMs: clock.monotonicMs(),
      giveWay,
      taken: 0,
      bytes: 0,
      joining,
      timer: undefined,
    };
  }

  /** What is wrong with a part; undefined when it continues the present whole. */
  function faultOf(part: Of, of: Half<Of, Whole>, bytes: number): string | undefined {
    if (part.part !== of.taken + 1) return "is not the next one";
    if (part.parts !== of.parts || part.observedAt.getTime() !== of.observedMs) return "contradicts the parts before";
    if (of.bytes + bytes > MAX_LISTING_BYTES) return `makes a listing of more than ${MAX_LISTING_BYTES} bytes`;
    return of.joining.faultOf(part);
  }

  function awaitNext(of: Half<Of, Whole>): void {
    of.timer?.cancel();
    const leftMs = of.beganMs + LISTING_WITHIN_MS - clock.monotonicMs();
    of.timer = clock.after(Math.max(Math.min(PART_WITHIN_MS, leftMs), 0), () => drop("late", "its next part did not come in time"));
  }

  return {
    take(part, bytes) {
      if (part.part === 1) half = begin(part);
      if (half?.listing !== part.listing) throw new WireError(where, "belongs to no listing that is under way");
      const fault = faultOf(part, half, bytes);
      if (fault !== undefined) {
        drop("fault", `a part ${fault}`);
        throw new WireError(where, fault);
      }
      room.add(half, bytes);
      half.taken += 1;
      half.joining.add(part);
      if (half.taken < half.parts) {
        awaitNext(half);
        return undefined;
      }
      half.timer?.cancel();
      // A batch may complete several.
      if (complete !== undefined) forget(complete);
      complete = half;
      half = undefined;
      return complete.joining.whole();
    },
    saved() {
      if (complete !== undefined) forget(complete);
      complete = undefined;
    },
    stop() {
      this.saved();
      drop("stopped", "the stream ended");
    },
  };
}

/** Of all incomplete listings, over all streams. */
const MAX_BYTES_IN_ALL = 4 * MAX_LISTING_BYTES;
/** An incomplete listing that is older than this is dropped when others need its room. */
const GIVES_WAY_AFTER_MS = MINUTE_MS;

/** The room that the listings of all streams share. */
interface ListingRoom {
  /** The bytes that they hold together. */
  bytes(): number;
  /** Adds bytes to a listing. Throws `listener_unavailable` when there is no room: the agent reconnects later, and lists again. */
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
