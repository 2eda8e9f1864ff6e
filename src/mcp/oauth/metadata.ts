import { SCOPES } from "../tool.ts";

/** Where everything is, of the public address of this server. */
export interface Addresses {
  /** Who gives out tokens. */
  issuer: string;
  /** What they are for. */
  resource: string;
  /** Where a client that has no token finds out how to get one. */
  resourceMetadata: string;
}

export const PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  serverMetadata: "/.well-known/oauth-authorization-server",
  resourceMetadata: "/.well-known/oauth-protected-resource",
  mcp: "/mcp",
} as const;

export function addressesOf(baseUrl: string): Addresses {
  const issuer = new URL(baseUrl).origin;
  return { issuer, resource: issuer + PATHS.mcp, resourceMetadata: issuer + PATHS.resourceMetadata + PATHS.mcp };
}

/** Source: RFC 8414, section 2; RFC 9207, section 3. */
export function serverMetadata({ issuer, resource }: Addresses) {
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    revocation_endpoint: issuer + PATHS.revoke,
    scopes_supported: [...SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [resource],
  };
}

/** Source: RFC 9728, section 2. */
export function resourceMetadata({ issuer, resource }: Addresses) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ["header"],
    resource_name: "Binnacle",
  };
}
