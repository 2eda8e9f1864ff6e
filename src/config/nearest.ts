import { closest, distance } from "fastest-levenshtein";

/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const completed = known.find((each) => each.startsWith(`${name}_`) || each.startsWith(`${name}-`));
  if (completed !== undefined) return completed;
  const match = closest(name, known);
  return distance(name, match) <= Math.max(2, Math.floor(match.length * 0.4)) ? match : undefined;
}
