/** Where a value stands between the bottom and the top of a chart, and which marks its axis has. */

export interface YScale {
  /** 0 is the bottom of the chart, 1 its top. Values beyond the scale stay within. */
  fractionOf(value: number): number;
  valueAt(fraction: number): number;
  ticks: readonly { fraction: number; label: string }[];
  /** Above it the axis is compressed; undefined when it is not. */
  breakAt?: number;
}

/** The top is left to the marks of what happened. */
const HEADROOM = 0.1;
const FULL = 1 - HEADROOM;
/** Below this share of its limit, memory would be a flat line at the bottom: the axis is compressed above it then. */
const READABLE_SHARE = 1 / 3;
/** How much of the height the uncompressed part gets. */
const BREAK_AT = 0.7;
const MOST_STEPS = 4;

/** Amounts of bytes from 0 up to `peak`; null is nothing known, and nothing is marked then. */
export function bytesScale(peak: number | null, format: (bytes: number) => string): YScale {
  if (peak === null) return linear(1, [], format);
  const top = roundBytes(Math.max(peak, SMALLEST_TOP));
  return linear(top.max, multiples(top), format);
}

/**
 * Memory and its limit in one chart. Where the use is a small part of the limit, the axis is linear up to a bit above the use and compressed
 * from there to the limit, so that both can be read; `breakAt` says so.
 */
export function memoryScale({ peak, limit }: { peak: number | null; limit: number | null }, format: (bytes: number) => string): YScale {
  if (limit === null || limit <= 0) return bytesScale(peak, format);
  if (peak !== null && peak > limit) return bytesScale(peak, format);
  const knee = roundBytes(Math.max((peak ?? limit) * 1.15, SMALLEST_TOP));
  if (knee.max > limit * READABLE_SHARE) {
    return linear(limit, multiples({ ...roundBytes(limit), max: limit }), format);
  }
  const fractionOf = (value: number): number =>
    value <= knee.max ? (value / knee.max) * BREAK_AT : BREAK_AT + ((value - knee.max) / (limit - knee.max)) * (FULL - BREAK_AT);
  return {
    fractionOf: (value) => clamp(fractionOf(value), 0, 1),
    valueAt: (fraction) =>
      fraction <= BREAK_AT
        ? (Math.max(fraction, 0) / BREAK_AT) * knee.max
        : knee.max + ((Math.min(fraction, FULL) - BREAK_AT) / (FULL - BREAK_AT)) * (limit - knee.max),
    ticks: [...multiples(knee), limit].map((value) => ({ fraction: fractionOf(value), label: format(value) })),
    breakAt: BREAK_AT,
  };
}

function linear(max: number, values: readonly number[], format: (value: number) => string): YScale {
  return {
    fractionOf: (value) => clamp((value / max) * FULL, 0, 1),
    valueAt: (fraction) => clamp((fraction / FULL) * max, 0, max),
    ticks: values.map((value) => ({ fraction: (value / max) * FULL, label: format(value) })),
  };
}

/** An axis without any traffic still has a scale. */
const SMALLEST_TOP = 1024;

interface RoundTop {
  max: number;
  step: number;
}

/** The least whole number of round steps that holds `value`: steps are powers of two, as bytes are counted. */
function roundBytes(value: number): RoundTop {
  const step = 2 ** Math.ceil(Math.log2(value / MOST_STEPS));
  return { max: Math.ceil(value / step) * step, step };
}

function multiples({ max, step }: RoundTop): number[] {
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** 0 to 100 percent. */
export const PERCENT_SCALE = linear(100, [0, 25, 50, 75, 100], (value) => `${value} %`);
