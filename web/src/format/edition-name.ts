import type { EditionView } from "../../../src/editions/answers.ts";

const NAMES: Readonly<Record<EditionView["edition"], string>> = { community: "Community", personal: "Personal", pro: "Pro" };

/** An edition as it is called. */
export function editionName(edition: EditionView["edition"]): string {
  return NAMES[edition];
}
