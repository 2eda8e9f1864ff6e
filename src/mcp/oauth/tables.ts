import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/024-mcp.ts for their meaning. */
export interface OAuthTables {
  mcp_client: ClientRow;
  mcp_connections: ConnectionRow;
  mcp_codes: CodeRow;
  mcp_tokens: TokenRow;
}

interface ClientRow {
  id: number;
  client_id: string;
  secret_hash: string;
}

export interface ConnectionRow {
  id: Generated<number>;
  client_id: string;
  client_name: string | null;
  redirect_uri: string;
  scopes: string;
  resource: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number;
  revoked_at: number | null;
}

export interface CodeRow {
  hash: string;
  client_id: string;
  redirect_uri: string;
  challenge: string;
  scopes: string;
  resource: string;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
  connection_id: number | null;
}

interface TokenRow {
  hash: string;
  connection_id: number;
  kind: "access" | "refresh";
  scopes: string;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
}
