/**
 * What differs from line to line: times, ids, addresses and numbers. Each alternative is found from where it stands alone, so a long line costs no more than
 * its length.
 */
const VARIABLE = new RegExp(
  [
    String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b)`,
    String.raw`(?<uuid>\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)`,
    String.raw`(?<address>\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d{1,5}\b)?)`,
    String.raw`(?<long>(?<![\w+/])[\w+/]{40,}={0,2})`,
    String.raw`(?<hex>\b(?:0x)?[\da-f]{8,128}\b)`,
    String.raw`(?<number>\d+(?:[.,]\d+)*)`,
  ].join("|"),
  "gi",
);

/** The text of a line that is compared. */
const LONGEST_TEXT = 400;

/** What a line without colours has in common with those that say the same about other things. */
export function patternOf(plain: string): string {
  const text = plain.length > LONGEST_TEXT ? plain.slice(0, LONGEST_TEXT) : plain;
  return text.replace(VARIABLE, (found, ...groups: (string | undefined)[]) => {
    const [time, uuid, address, long, hex] = groups;
    if (time !== undefined) return "<time>";
    if (uuid !== undefined) return "<id>";
    if (address !== undefined) return "<address>";
    if (long !== undefined) return isId(found) ? "<id>" : found;
    if (hex === undefined) return "<number>";
    // Words of the letters a to f are words.
    return /^\d+$/.test(hex) ? "<number>" : /\d/.test(hex) ? "<id>" : found;
  });
}

/** A long name is none, and neither is a path, unless its letters are as mixed as those of Base64. */
function isId(long: string): boolean {
  return /\d/.test(long) && (!long.includes("/") || (/[A-Z]/.test(long) && /[a-z]/.test(long)));
}
