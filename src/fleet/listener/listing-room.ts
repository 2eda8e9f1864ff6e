import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { MAX_LISTING_BYTES } from "../wire/index.ts";

/** Of all listings that are under way, on whatever stream. */
const MAX_BYTES_IN_ALL = 4 * MAX_LISTING_BYTES;
/** One that has been under way for so long gives way to others when there is no room. */
const GIVES_WAY_AFTER_MS = MINUTE_MS;

/** The room that listings of all streams share. */
export interface ListingRoom {
  /** What they hold together. */
  bytes(): number;
  /** Adds bytes to a listing. Throws `listener_unavailable` when there is no room: the agent comes again later, and lists anew. */
  add(holder: Holder, bytes: number): void;
  leave(holder: Holder): void;
}

export interface Holder {
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
