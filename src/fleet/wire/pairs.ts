import { textOf } from "./values.ts";
import { WireError } from "./wire-error.ts";

interface PairLimits {
  most: number;
  maxName: number;
  maxValue: number;
}

/** A map of the wire, whose names and values are taken as they stand. */
export function pairsOf(
  sent: Readonly<Record<string, string>>,
  where: string,
  { most, maxName, maxValue }: PairLimits,
): Record<string, string> {
  const pairs = Object.entries(sent);
  if (pairs.length > most) throw new WireError(where, `has more than ${most} entries`);
  return Object.fromEntries(
    pairs.map(([name, value]) => [textOf(name, `${where}: a name`, maxName), textOf(value, `${where}: a value`, maxValue)]),
  );
}
