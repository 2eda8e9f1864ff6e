import { z } from "zod";
import { type Fault, isServiceError, refuseFaults } from "../platform/errors.ts";
import { isObject } from "../platform/object.ts";

/** How many records one request may set up, and how large its body may be. */
export const MOST_ITEMS = 5_000;
export const BULK_BODY_BYTES = 8 * 1024 ** 2;

/** The key that a program gives to a record that it sets up. */
export const callerKey = z.string().regex(/^[!-~]{1,200}$/, "Must have 1 to 200 visible ASCII characters, and no space");

/** The key as a record shows it. */
export const shownKey = z
  .string()
  .nullable()
  .meta({ description: "what the program calls it that set it up by a bulk operation; unique within its kind" });

/** What no two items may have in common; undefined when it is not known for an item. */
interface Identity {
  field: string;
  of(item: Readonly<Record<string, unknown>>): string | undefined;
}

const BY_KEY: Identity = { field: "key", of: ({ key }) => (typeof key === "string" ? key : undefined) };

/** The body of a bulk operation: a list of items, each with the caller's key. No two may mean the same record. */
export function bulkBody<Name extends string, Item extends z.ZodType<{ key: string }>>(
  list: Name,
  item: Item,
  identities: readonly Identity[] = [],
) {
  const items = z
    .array(item)
    .min(1)
    .max(MOST_ITEMS)
    .check(...[BY_KEY, ...identities].map(onlyOnce));
  // To the compiler a computed name is any string.
  return z.strictObject({ [list]: items } as { [Each in Name]: typeof items });
}

const outcome = z.enum(["created", "updated", "unchanged"]);
export type BulkOutcome = z.infer<typeof outcome>;

/** The answer of a bulk operation: the items in the order in which they were sent, with `more` of each. */
export function bulkAnswer<Name extends string, More extends z.ZodRawShape>(list: Name, more: More) {
  const items = z.array(z.object({ key: z.string(), id: z.number().int(), outcome, ...more }));
  const named = { [list]: items } as { [Each in Name]: typeof items };
  return z.object({ ...named, created: z.number().int(), updated: z.number().int(), unchanged: z.number().int() });
}

/** How many items have each outcome. */
export function countOutcomes(items: readonly { outcome: BulkOutcome }[]): Record<BulkOutcome, number> {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const each of items) counts[each.outcome] += 1;
  return counts;
}

/** Collects what is wrong with the items of a list, so that one refusal names all faults, up to {@link MOST_ITEMS}. */
export interface ItemFaults {
  add(index: number, key: string, fault: Fault): void;
  /** Runs work that may refuse an item with `unusable_values`; undefined when it refused. */
  attempt<Result>(index: number, key: string, work: () => Result): Result | undefined;
  /** Throws `unusable_values` when there is any fault. */
  refuse(): void;
}

export function createItemFaults(list: string): ItemFaults {
  const faults: Fault[] = [];

  function add(index: number, key: string, { path, message }: Fault): void {
    if (faults.length < MOST_ITEMS) faults.push({ path: `${list}.${index}.${path}`, message, key });
  }

  return {
    add,
    attempt(index, key, work) {
      try {
        return work();
      } catch (error) {
        if (!isServiceError(error, "unusable_values") || !Array.isArray(error.details)) throw error;
        // Its details are the faults that refuseFaults was given.
        for (const fault of error.details as Fault[]) add(index, key, fault);
        return undefined;
      }
    },
    refuse: () => refuseFaults(faults),
  };
}

/** A check that also runs when there are faults of other kinds, so that one answer names all of them. */
function onlyOnce({ field, of }: Identity): z.core.$ZodCheck<unknown[]> {
  const check: z.core.$ZodCheck<unknown[]> = new z.core.$ZodCheck({ check: "custom", when: () => true });
  check._zod.check = ({ value, issues }) => {
    if (!Array.isArray(value) || value.length > MOST_ITEMS) return;
    const first = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const identity = isObject(item) ? of(item) : undefined;
      if (identity === undefined) continue;
      const earlier = first.get(identity);
      if (earlier === undefined) first.set(identity, index);
      else issues.push({ code: "custom", path: [index, field], message: `Is the same as that of item ${earlier}`, input: item });
    }
  };
  return check;
}
