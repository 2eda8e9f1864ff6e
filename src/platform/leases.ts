import { randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Where the owners of lanes are stored. */
export interface LeaseRows {
  /** Tries to lease a lane, which belongs to one of the programs that share a database. Answers whether it is the owner's. */
  lease(lane: number, terms: { owner: string; now: Date; until: Date }): Promise<boolean>;
  release(owner: string): Promise<void>;
}

/** Tracks which lanes of an outbox belong to this program, where several share a database. */
export class Leases {
  readonly #rows: LeaseRows;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #owner = randomUUID();
  /** When each lease ends, by the monotonic clock. */
  readonly #untilMs = new Map<number, number>();

  constructor({ rows, clock, leaseMs }: { rows: LeaseRows; clock: Clock; leaseMs: number }) {
    this.#rows = rows;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  isOurs(lane: number): boolean {
    return (this.#untilMs.get(lane) ?? -Infinity) > this.#clock.monotonicMs();
  }

  /** Leases the lane for as long as an attempt may last. */
  async own(lane: number): Promise<boolean> {
    const startedMs = this.#clock.monotonicMs();
    if ((this.#untilMs.get(lane) ?? -Infinity) - startedMs > this.#leaseMs / 2) return true;
    const now = this.#clock.now();
    const isGranted = await this.#rows.lease(lane, { owner: this.#owner, now, until: new Date(now.getTime() + this.#leaseMs) });
    if (isGranted) this.#untilMs.set(lane, startedMs + this.#leaseMs);
    else this.#untilMs.delete(lane);
    return isGranted;
  }

  release(): Promise<void> {
    return this.#rows.release(this.#owner);
  }
}
