import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";

/** A level of detail: the step of its figures, and the span that one chunk of a series holds. */
export interface Level {
  /** As it is stored. */
  number: number;
  kind: "detail" | "minutes" | "hours";
  stepMs: number;
  spanMs: number;
}

export const DETAIL: Level = { number: 0, kind: "detail", stepMs: 10 * SECOND_MS, spanMs: HOUR_MS };
export const MINUTES: Level = { number: 1, kind: "minutes", stepMs: MINUTE_MS, spanMs: HOUR_MS };
export const HOURS: Level = { number: 2, kind: "hours", stepMs: HOUR_MS, spanMs: DAY_MS };

/** From the finest to the coarsest. */
export const LEVELS: readonly Level[] = [DETAIL, MINUTES, HOURS];

/** The coarsest level whose figures make up the step: the one that is read the fastest. */
export function levelOf(stepMs: number): Level {
  const level = LEVELS.findLast((each) => stepMs % each.stepMs === 0);
  if (level === undefined || stepMs <= 0) throw new RangeError(`${stepMs} ms is not a whole multiple of ${DETAIL.stepMs} ms`);
  return level;
}

export function levelNamed(kind: Level["kind"]): Level {
  return { detail: DETAIL, minutes: MINUTES, hours: HOURS }[kind];
}

/** The start of the span of a level in which a moment lies. */
export function startOf(atMs: number, { spanMs }: Pick<Level, "spanMs">): number {
  return Math.floor(atMs / spanMs) * spanMs;
}

export function slotsOf({ stepMs, spanMs }: Level): number {
  return spanMs / stepMs;
}
