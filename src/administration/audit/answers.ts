import { z } from "zod";
import { auditEntry } from "./entry.ts";

export type { AuditEntry } from "./entry.ts";

export const auditList = z.object({
  entries: z.array(auditEntry),
  next_cursor: z.string().nullable().meta({ description: "ask again with it as `cursor` for older entries; null: there are none" }),
});
export type AuditList = z.infer<typeof auditList>;
