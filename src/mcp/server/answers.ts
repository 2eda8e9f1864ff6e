import { z } from "zod";
import { SCOPES } from "../tool.ts";

/** How assistants reach this installation, and what they find. */
export const mcpView = z.object({
  enabled: z.boolean().meta({ description: "whether it is served over HTTP" }),
  url: z.string().nullable().meta({ description: "where; null when it is not" }),
  authentication: z
    .enum(["oauth", "none"])
    .nullable()
    .meta({ description: "`none`: whoever reaches the address may read; null when it is not served over HTTP" }),
  client_id: z.string().nullable().meta({ description: "SERVICE_MCP_CLIENT_ID; the secret is never shown" }),
  redirect_uris: z.array(z.string()).meta({ description: "where access may be sent in addition to programs on the user's own computer" }),
  scopes: z.array(z.enum(SCOPES)),
  stdio: z.object({
    available: z.boolean(),
    reason: z.string().nullable().meta({ description: "why it is not" }),
    command: z.array(z.string()).meta({ description: "what an assistant on the same host runs to talk to this installation" }),
  }),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      writes: z.boolean().meta({ description: "needs the scope alerts:write" }),
    }),
  ),
  prompts: z.array(z.object({ name: z.string(), title: z.string(), description: z.string() })),
});
export type McpView = z.infer<typeof mcpView>;
