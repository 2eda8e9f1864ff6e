import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { SCOPES } from "../tool.ts";
import { CONNECTION_STATUSES } from "./connection.ts";

export const connection = z.object({
  id: z.number().int(),
  client_name: z.string().nullable().meta({ description: "what its program calls itself; null until it is known" }),
  redirect_uri: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: timestamp,
  last_used_at: timestamp.nullable().meta({ description: "to the minute" }),
  expires_at: timestamp.meta({ description: "unless it is used before" }),
  status: z.enum(CONNECTION_STATUSES),
});
export type ConnectionRecord = z.infer<typeof connection>;

export const connectionList = z.object({ connections: z.array(connection) });
export type ConnectionList = z.infer<typeof connectionList>;

/** Source: RFC 6749, section 5.1. */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number().int().meta({ description: "seconds" }),
  refresh_token: z.string(),
  scope: z.string(),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** Source: RFC 6749, section 5.2. */
export const oauthError = z.object({ error: z.string(), error_description: z.string() });

/** Source: RFC 8414, section 2. */
export const serverMetadataDocument = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
  protected_resources: z.array(z.url()),
});

/** Source: RFC 9728, section 2. */
export const resourceMetadataDocument = z.object({
  resource: z.url(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});
