import { joinWords } from "../../../src/contract/words.ts";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { countOf } from "../format/number.ts";

/** How everything was, in a sentence. */
export function pastHeadline({ counts, is_known: isKnown }: Pick<Moment, "counts" | "is_known">): string {
  if (!isKnown) return "Nothing is known of this moment";
  const troubles = [
    ...(counts.down > 0 ? [`${countOf(counts.down, "container")} down`] : []),
    ...(counts.degraded > 0 ? [`${counts.degraded} degraded`] : []),
    ...(counts.unknown > 0 ? [`${counts.unknown} not watched`] : []),
  ];
  if (troubles.length > 0) return joinWords(troubles);
  const all = counts.up + counts.stopped;
  return all === 0
    ? "No containers"
    : counts.stopped === 0
      ? `All ${countOf(all, "container")} healthy`
      : `${countOf(counts.up, "container")} healthy, ${counts.stopped} stopped`;
}
