const collator = new Intl.Collator("en", { numeric: true });

/** As people sort, `web-2` before `web-10`; 0 only for the same text, though they would sort `1` and `01` alike. */
export function compareNames(a: string, b: string): number {
  // Many of a list are the same: of few groups, in few namespaces.
  return a === b ? 0 : collator.compare(a, b) || Number(a > b) - Number(a < b);
}
