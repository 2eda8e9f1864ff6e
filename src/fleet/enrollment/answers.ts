import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { TOKEN_STATUSES } from "./token.ts";
import { URL_WARNINGS } from "./public-url.ts";

export const enrollmentToken = z.object({
  id: z.string().meta({ description: "the first 16 hex digits of the token's SHA-256" }),
  token_prefix: z.string().meta({ description: "the token's first 14 characters, masked; the rest is not kept" }),
  label: z.string().nullable(),
  status: z.enum(TOKEN_STATUSES),
  created_at: timestamp,
  expires_at: timestamp,
  consumed_at: timestamp.nullable(),
  agent_id: z.uuid().nullable().meta({ description: "the agent that enrolled with it" }),
});
export type TokenRecord = z.infer<typeof enrollmentToken>;

export const createdToken = enrollmentToken.extend({
  token: z.string().meta({ description: "shown this once" }),
  server_url: z.string().meta({ description: "the address at which the agent is to reach this server" }),
  install_templates: z.object({ standalone: z.string(), docker_run: z.string(), docker_compose: z.string(), kubernetes: z.string() }),
  warnings: z.array(z.enum(URL_WARNINGS)).optional().meta({ description: "of server_url; absent when there is none" }),
});
export type CreatedToken = z.infer<typeof createdToken>;

export const tokenList = z.object({ tokens: z.array(enrollmentToken), total: z.number().int(), has_more: z.boolean() });
export type TokenList = z.infer<typeof tokenList>;
