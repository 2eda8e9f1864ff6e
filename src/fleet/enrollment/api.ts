import { z } from "zod";
import { ENROLLMENT_BOUNDS } from "../../contract/agent.ts";
import { paging } from "../../http/schemas.ts";
import { agentLabel } from "../agents/api.ts";

export const tokenBody = z.strictObject({
  ttl_hours: z.number().int().min(1).max(ENROLLMENT_BOUNDS.ttlHours).default(ENROLLMENT_BOUNDS.defaultTtlHours),
  label: agentLabel.optional().meta({ description: "the agent's label unless it sends one itself" }),
});
export type TokenBody = z.infer<typeof tokenBody>;

export const tokenQuery = z.strictObject(paging({ limit: 100 }));
export type TokenQuery = z.infer<typeof tokenQuery>;

export const tokenParams = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, "Must be 16 hex digits") });
