/** How versions of an ecosystem follow each other: below 0 when the first is older; undefined when one of them is no version there. */
export type VersionOrder = (a: string, b: string) => number | undefined;

/** Two numbers written in digits, of any length. */
export function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+/, "");
  const right = b.replace(/^0+/, "");
  return left.length - right.length || compareText(left, right);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
