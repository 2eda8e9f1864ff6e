import { z } from "zod";
import { ACTOR_KINDS, AUDIT_OUTCOMES } from "../../contract/audit.ts";
import { timestamp } from "../../http/schemas.ts";

const shortRecord = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const auditEntry = z.object({
  id: z.number().int(),
  at: timestamp,
  actor: z.object({
    kind: z.enum(ACTOR_KINDS).meta({ description: "`anyone`: without an admin token, or who was refused; `system`: Binnacle itself" }),
    name: z.string().nullable().meta({ description: "the beginning of a session's id, or what an assistant calls itself" }),
  }),
  address: z.string().nullable().meta({ description: "of the client; null where it is not known" }),
  operation: z.string().meta({ description: "an operationId of the OpenAPI document, or the name of a tool" }),
  entity: z
    .object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() })
    .nullable()
    .meta({ description: "what it was done to" }),
  outcome: z.enum(AUDIT_OUTCOMES),
  error: z.string().nullable().meta({ description: "the code of the refusal" }),
  before: shortRecord.nullable().meta({ description: "in short and without secrets; of a change only the fields that differ" }),
  after: shortRecord.nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
