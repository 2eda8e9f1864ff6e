/** A point in time as a `datetime-local` field has it: local, to the minute. */
export function toLocalField(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The same for a draft, which knows the second of a time that occurs twice, when clocks go back: it has its offset behind it. */
export function toLocalDraft(atMs: number): string {
  const local = toLocalField(atMs);
  const offset = new Date(atMs).getTimezoneOffset();
  if (new Date(local).getTimezoneOffset() === offset) return local;
  return `${local}${offset > 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

/** What the field shows of a draft. */
export function shownInField(draft: string): string {
  return draft.replace(/[+-]\d\d:\d\d$/, "");
}

function two(count: number): string {
  return String(count).padStart(2, "0");
}

/** The point in time of a field or a draft, in ISO 8601; undefined when it is not one. */
export function fromLocalField(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
