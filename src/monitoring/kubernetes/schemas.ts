/** What several records of clusters have in them; see api.ts. */
import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { KUBERNETES_ALERTS } from "../../events.ts";
import { timestamp } from "../../http/schemas.ts";

export const count = z.number().int();
export const uid = z.string().meta({ description: "uid" });
export const agentId = z.uuid().nullable();
export const words = z.string().nullable();
export const time = timestamp.nullable();
export const sentence = z
  .string()
  .nullable()
  .meta({ description: "why it is not well, as a sentence; null when nothing is known to be wrong" });

export const amounts = z.object({
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
});
export type AmountsRecord = z.infer<typeof amounts>;

export const usage = amounts.nullable().meta({ description: "by the last reading of the cluster's metrics; null where they are not seen" });
export const throttled = z.number().nullable().meta({
  description:
    "in how many of the CPU periods of the last minute a container waited for its CPU limit, in percent; of several containers the most throttled; null where that is not known",
});
export const requests = amounts.meta({ description: "sum of what its containers request; null where none does" });
export const limits = amounts.meta({ description: "sum of the limits of its containers; null where one of them has none" });

export const problem = z.object({
  alert: z.enum(KUBERNETES_ALERTS),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  cause: words,
  since: timestamp,
});
export type KubernetesProblemRecord = z.infer<typeof problem>;
