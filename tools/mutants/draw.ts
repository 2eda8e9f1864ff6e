import { createChance } from "../../test/support/chance.ts";
import type { Mutation } from "./mutation.ts";

/** One mutation of each line that offers any, the lines in a drawn order: the same seed draws the same from the same sources. */
export function drawMutations(offered: readonly Mutation[], seed: number): Mutation[] {
  const { below } = createChance(seed);
  const lines = Object.values(Object.groupBy(offered, ({ path, line }) => `${path}:${line}`));
  // Fisher and Yates.
  for (let last = lines.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [lines[last], lines[other]] = [lines[other], lines[last]];
  }
  return lines.flatMap((line = []) => line.slice(below(line.length)).slice(0, 1));
}
