/** Ids of records that answers have shown, by the names under which bodies and addresses ask for them. */
export interface Known {
  /** Takes what there is in an answer; `name` is that of the collection, as the address has it. */
  learn(body: unknown, name?: string): void;
  of(name: string): unknown[];
}

const KEPT = 5;

export function createKnown(): Known {
  const ids = new Map<string, unknown[]>();

  function add(name: string, value: unknown): void {
    const kept = ids.get(name) ?? [];
    if (kept.includes(value)) return;
    ids.set(name, [...kept, value].slice(-KEPT));
  }

  function learn(body: unknown, name = ""): void {
    if (Array.isArray(body)) for (const each of body.slice(0, KEPT)) learn(each, name);
    else if (typeof body === "object" && body !== null) {
      for (const [key, value] of Object.entries(body)) {
        if (key === "id" && name !== "") add(idOf(name), value);
        else if (/(^|_)(uuid|[a-z]+_id)$/.test(key) && value !== null && typeof value !== "object") add(key, value);
        else learn(value, key);
      }
    }
  }

  return { learn, of: (name) => ids.get(name.replace(/_ids$/, "_id")) ?? [] };
}

/** How others name the id of what a collection holds: `channel_id` for `channels`. */
export function idOf(collection: string): string {
  const word = collection.split("-").at(-1) ?? "";
  return `${word.replace(/(?:ie)?s$/, "")}_id`;
}
