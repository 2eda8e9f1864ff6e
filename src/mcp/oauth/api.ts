import { z } from "zod";
import { pathId, timestamp } from "../../http/schemas.ts";
import { SCOPES } from "../tool.ts";
import { CONNECTION_STATUSES } from "./connections/connection.ts";

export const connection = z.object({
  id: z.number().int(),
  client_name: z.string().nullable().meta({ description: "what its program calls itself; null until it has said so" }),
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

export const connectionParams = z.strictObject({ id: pathId });

/** A name that stands in an address more than once has a list. */
const value = z.union([z.string(), z.array(z.string())]);

/** What is right of it is not the schema's to say: a client is told in the words of OAuth. */
export const authorizeQuery = z
  .object({
    response_type: value.optional().meta({ description: "`code`" }),
    client_id: value.optional().meta({ description: "the value of SERVICE_MCP_CLIENT_ID" }),
    redirect_uri: value.optional().meta({ description: "one of SERVICE_MCP_REDIRECT_URIS, or http on this computer itself" }),
    code_challenge: value.optional().meta({ description: "SHA-256 of the verifier, in base64url" }),
    code_challenge_method: value.optional().meta({ description: "`S256`" }),
    scope: value.optional().meta({ description: "separated by spaces; `monitor:read` when it is left out" }),
    state: value.optional().meta({ description: "comes back as it is" }),
    resource: value.optional().meta({ description: "the address of /mcp" }),
  })
  .catchall(value);

/** Of an address that takes no parameters. */
export const anyQuery = z.record(z.string(), value);

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
