/** The query of an address: flat texts, lists joined by commas. What is empty or undefined is left out, so that addresses stay short. */
export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const text = Array.isArray(value) ? value.join(",") : value === undefined || value === null ? "" : String(value);
    if (text !== "") query.set(name, text);
  }
  // Commas are allowed in a query and easier to read than %2C.
  return query.size === 0 ? "" : `?${query.toString().replaceAll("%2C", ",")}`;
}

/** The texts of a query. Every route checks and types its own. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** A text that is there and not empty. */
export function textParam(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 255) : undefined;
}

/** A moment, as RFC 3339 in UTC. */
export function momentParam(value: unknown): string | undefined {
  const at = Date.parse(textParam(value) ?? "");
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** The one of `values` that `value` names. */
export function oneOf<Value extends string>(value: unknown, values: readonly Value[]): Value | undefined {
  return values.find((known) => known === value);
}

/** Those of `values` that `value` names, as a list or joined by commas; undefined when none. */
export function someOf<Value extends string>(value: unknown, values: readonly Value[]): Value[] | undefined {
  const named: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const known = values.filter((one) => named.includes(one));
  return known.length === 0 ? undefined : known;
}
