import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../src/contract/time.ts";

/** How long something lasted, in two units at most: `under 1 s`, `14 s`, `12 min`, `3 h 5 min`, `3 d 4 h`. */
export function formatLength(lengthMs: number): string {
  if (lengthMs < 1000) return "under 1 s";
  if (lengthMs < MINUTE_MS) return `${Math.floor(lengthMs / 1000)} s`;
  if (lengthMs < HOUR_MS) return `${Math.floor(lengthMs / MINUTE_MS)} min`;
  if (lengthMs < DAY_MS) return twoUnits(Math.floor(lengthMs / MINUTE_MS), 60, "h", "min");
  return twoUnits(Math.floor(lengthMs / HOUR_MS), 24, "d", "h");
}

function twoUnits(smallUnits: number, perLarge: number, large: string, small: string): string {
  const rest = smallUnits % perLarge;
  const whole = `${Math.floor(smallUnits / perLarge)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}
