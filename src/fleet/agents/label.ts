/** Of an agent's label, in characters. Source: specification, Limits. */
export const LABEL_LENGTH = 64;

export function isLabelTooLong(label: string): boolean {
  // Of what is longer by far the beginning is enough.
  return [...label.slice(0, 4 * LABEL_LENGTH)].length > LABEL_LENGTH;
}
