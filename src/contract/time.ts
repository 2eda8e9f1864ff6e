export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Of a column that holds milliseconds. */
export function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

/** As it stands in JSON. */
export function wireTime(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** `2026-03-01 12:00:00 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
