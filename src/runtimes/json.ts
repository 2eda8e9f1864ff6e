/** JSON that another program wrote: text that may be none, and members that may be missing. */
import { z } from "zod";

/** undefined of what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
export const labels = recordOf(z.string().nullable());

export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

export function recordOf<Value extends z.ZodType>(value: Value) {
  return z
    .record(z.string(), value)
    .nullish()
    .transform((record) => record ?? {});
}
