import type { SearchGap } from "../../../../src/monitoring/logs/answers.ts";

export interface GapGroup {
  /** Why, and what to do. */
  message: string;
  gaps: SearchGap[];
  /** How many logs; undefined where only some of them are listed with other reasons. */
  count: number | undefined;
}

/** What was not searched, each reason once. */
export function groupGaps(gaps: readonly SearchGap[], total: number): GapGroup[] {
  const groups = [...Map.groupBy(gaps, ({ message }) => message)];
  const isWhole = gaps.length === total;
  return groups.map(([message, each]) => ({
    message,
    gaps: each,
    count: isWhole ? each.length : groups.length === 1 ? total : undefined,
  }));
}
