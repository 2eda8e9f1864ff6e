const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something lasted, in two units at most: `under 1 s`, `14 s`, `12 min`, `3 h 5 min`, `3 d 4 h`. */
export function formatLength(lengthMs: number): string {
  if (lengthMs < 1000) return "under 1 s";
  if (lengthMs < MINUTE) return `${Math.floor(lengthMs / 1000)} s`;
  if (lengthMs < HOUR) return `${Math.floor(lengthMs / MINUTE)} min`;
  if (lengthMs < DAY) return twoUnits(Math.floor(lengthMs / MINUTE), 60, "h", "min");
  return twoUnits(Math.floor(lengthMs / HOUR), 24, "d", "h");
}

function twoUnits(smallUnits: number, perLarge: number, large: string, small: string): string {
  const rest = smallUnits % perLarge;
  const whole = `${Math.floor(smallUnits / perLarge)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}
