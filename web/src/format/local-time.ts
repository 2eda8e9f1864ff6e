import { twoDigits } from "./time.ts";

/** A point in time as a `datetime-local` field has it: local, to the minute. */
export function toLocalField(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** The same for a draft, which knows the second of a time that occurs twice, when clocks go back: it has its offset behind it. */
export function toLocalDraft(atMs: number): string {
  const local = toLocalField(atMs);
  const offset = new Date(atMs).getTimezoneOffset();
  if (new Date(local).getTimezoneOffset() === offset) return local;
  return `${local}${offset > 0 ? "-" : "+"}${twoDigits(Math.floor(Math.abs(offset) / 60))}:${twoDigits(Math.abs(offset) % 60)}`;
}

/** What the field shows of a draft. */
export function shownInField(draft: string): string {
  return draft.replace(/[+-]\d\d:\d\d$/, "");
}

/** The point in time of a field or a draft, in ISO 8601; undefined when it is not one. */
export function fromLocalField(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
