/** Made when it is first needed, since it takes 3 MB. */
let collator: Intl.Collator | undefined;

/** As people sort, `web-2` before `web-10`; 0 only for the same text, though they would sort `1` and `01` alike. */
export function compareNames(a: string, b: string): number {
  // Many of a list are the same: of few groups, in few namespaces.
  if (a === b) return 0;
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b) || Number(a > b) - Number(a < b);
}
