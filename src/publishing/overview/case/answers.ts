import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";
import {
  earlierSchema,
  findingsSchema,
  healthCheckSchema,
  logsSchema,
  nextEscalationSchema,
  precedingSchema,
  usageSchema,
} from "../../assistant/index.ts";

export const alertCase = z.object({
  cause: z.string().nullable().meta({ description: "one line: why, as far as is known" }),
  moment: timestamp.meta({ description: "when it happened, as far as records say: all below is around this" }),
  findings: findingsSchema(),
  missing: z.array(z.string()).meta({ description: "what no record says" }),
  container: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .meta({ description: "what the alert is about, or what ran it; null where there is none, or where it was replaced since" }),
  logs: logsSchema(),
  health_check: healthCheckSchema(),
  metrics: usageSchema(),
  preceding: precedingSchema().meta({ description: "what changed on its host in the hour before the moment" }),
  earlier: earlierSchema().meta({ description: "when the same problem of the same thing fired before" }),
  next_escalation: nextEscalationSchema(),
});
export type AlertCaseRecord = z.infer<typeof alertCase>;
