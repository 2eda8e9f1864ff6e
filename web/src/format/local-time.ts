/** A point in time as a `datetime-local` field has it: local, to the minute. */
export function toLocalField(atMs: number): string {
  const at = new Date(atMs);
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The point in time of such a field, in ISO 8601; undefined when it is not one. */
export function fromLocalField(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
