import { DAY_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { dayOf } from "./account.ts";
import type { Projection } from "./projection.ts";

/** Longer between two looks at the clock, and this program or its machine was asleep, or the clock was set: what was then is not known. */
const ASLEEP_MS = 15_000;

/** Counts the time that passes into the days of components, and notes when a day begins. */
export class CountedTime {
  readonly #projection: Pick<Projection, "count">;
  readonly #clock: Pick<Clock, "now">;
  #countedMs = NaN;
  #shownDay = NaN;

  constructor({ projection, clock }: { projection: Pick<Projection, "count">; clock: Pick<Clock, "now"> }) {
    this.#projection = projection;
    this.#clock = clock;
  }

  /** What was before is not known. */
  start(): void {
    this.#countedMs = this.#clock.now().getTime();
    this.#shownDay = dayOf(this.#countedMs);
  }

  /** Counts what passed since the last time, unless nobody was there. */
  count(): void {
    const nowMs = this.#clock.now().getTime();
    const passedMs = nowMs - this.#countedMs;
    if (passedMs > 0 && passedMs <= ASLEEP_MS) this.#projection.count({ fromMs: this.#countedMs, untilMs: nowMs });
    this.#countedMs = nowMs;
  }

  /** Whether a day has begun since this was last asked. */
  isNewDay(): boolean {
    const today = dayOf(this.#countedMs);
    const isNew = today !== this.#shownDay;
    this.#shownDay = today;
    return isNew;
  }

  untilMidnightMs(): number {
    return DAY_MS - (this.#countedMs % DAY_MS);
  }
}
