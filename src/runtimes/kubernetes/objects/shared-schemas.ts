/** What the schemas of Kubernetes objects have in common. */
import { z } from "zod";

const time = z.string().transform((text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
});

export const text = z.string();
export const words = text.nullish();

export const count = z.number().int().nullish();
export const dated = time.nullish();

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();
export const pairs = z.record(z.string(), z.string()).nullish();

export const quantities = z.record(z.string(), z.union([z.string(), z.number()])).nullish();

const owner = z.object({ kind: text, name: text, uid: text, controller: z.boolean().nullish() });

export const metadata = z.object({
  name: text,
  namespace: words,
  uid: text,
  generation: count,
  creationTimestamp: dated,
  deletionTimestamp: dated,
  labels: pairs,
  annotations: pairs,
  ownerReferences: listOf(owner),
});
export type MetadataAnswer = z.infer<typeof metadata>;

export const condition = z.object({ type: text, status: text, reason: words, message: words, lastTransitionTime: dated });
export type ConditionAnswer = z.infer<typeof condition>;
