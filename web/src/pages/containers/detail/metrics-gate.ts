import type { EditionView } from "../../../../../src/editions/answers.ts";
import type { Range } from "../../../../../src/contract/ranges.ts";

/** The edition that grants a range, when the one in force does not; undefined when it does. */
export function requiredEdition({ history_ranges, capabilities }: EditionView, range: Range): EditionView["edition"] | undefined {
  if (history_ranges.includes(range)) return undefined;
  return capabilities.find(({ name }) => name === `history_${range}`)?.required_edition;
}
