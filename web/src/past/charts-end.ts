import { RANGE_NAMES, SPANS_MS } from "../../../src/contract/ranges.ts";

/** Until when charts reach back with these history ranges of an edition; undefined where none is known. */
export function chartsEndMs(ranges: readonly string[], nowMs: number): number | undefined {
  const spans = RANGE_NAMES.filter((name) => ranges.includes(name)).map((name) => SPANS_MS[name]);
  return spans.length === 0 ? undefined : nowMs - Math.max(...spans);
}
