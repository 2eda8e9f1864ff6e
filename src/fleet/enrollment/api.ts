import { z } from "zod";
import { ENROLLMENT_BOUNDS } from "../../contract/agent.ts";
import { paging, timestamp } from "../../http/schemas.ts";
import { agentLabel } from "../agents/api.ts";
import { TOKEN_STATUSES } from "./enrollment-token.ts";
import { URL_WARNINGS } from "./public-url.ts";

export const tokenBody = z.strictObject({
  ttl_hours: z.number().int().min(1).max(ENROLLMENT_BOUNDS.ttlHours).default(ENROLLMENT_BOUNDS.defaultTtlHours),
  label: agentLabel.optional().meta({ description: "what the agent is called unless it says so itself" }),
});
export type TokenBody = z.infer<typeof tokenBody>;

export const enrollmentToken = z.object({
  id: z.string().meta({ description: "the first 16 hex digits of the token's SHA-256" }),
  token_prefix: z.string().meta({ description: "the token's first 14 characters, masked; the rest is not kept" }),
  label: z.string().nullable(),
  status: z.enum(TOKEN_STATUSES),
  created_at: timestamp,
  expires_at: timestamp,
  consumed_at: timestamp.nullable(),
  agent_id: z.uuid().nullable().meta({ description: "who enrolled by it" }),
});
export type TokenRecord = z.infer<typeof enrollmentToken>;

export const createdToken = enrollmentToken.extend({
  token: z.string().meta({ description: "shown this once" }),
  server_url: z.string().meta({ description: "where the agent is told that this server is" }),
  install_templates: z.object({ standalone: z.string(), docker_run: z.string(), docker_compose: z.string(), kubernetes: z.string() }),
  warnings: z.array(z.enum(URL_WARNINGS)).optional().meta({ description: "of server_url; absent when there is none" }),
});
export type CreatedToken = z.infer<typeof createdToken>;

export const tokenList = z.object({ tokens: z.array(enrollmentToken), total: z.number().int(), has_more: z.boolean() });
export type TokenList = z.infer<typeof tokenList>;

export const tokenQuery = z.strictObject(paging({ limit: 100 }));
export type TokenQuery = z.infer<typeof tokenQuery>;

export const tokenParams = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, "Must be 16 hex digits") });
