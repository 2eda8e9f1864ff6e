/** Larger values, as of an object with a thousand labels, are seldom alike. */
const LONGEST_JSON = 1_000;
const MOST = 5_000;

const known = new Map<string, unknown>();

/**
 * One value for all that are alike, frozen, of strings and plain records: the pods of a workload have the same owner, labels, image and amounts, and a
 * cluster has thousands of pods. A string keeps nothing of a longer one that it was cut from.
 */
export function shared<Value extends string | object | null>(value: Value): Value {
  if (value === null) return value;
  const json = JSON.stringify(value);
  if (json.length > LONGEST_JSON) return value;
  const kept = known.get(json);
  if (kept !== undefined) return kept as Value;
  if (known.size >= MOST) known.clear();
  const own: Value = typeof value === "string" ? JSON.parse(json) : Object.freeze(value);
  known.set(json, own);
  return own;
}
