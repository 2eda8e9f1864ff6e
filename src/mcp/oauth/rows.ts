import type { Generated } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { Connection } from "./connection.ts";
import type { Code, GivenCode } from "./grant.ts";
import type { Scope } from "../tool.ts";
import { readScopes, scopeText } from "./scopes.ts";

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

interface ConnectionRow {
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

interface CodeRow {
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

export function connectionFromRow(row: Omit<ConnectionRow, "id"> & { id: number }): Connection {
  return {
    id: row.id,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    scopes: scopesOf(row.scopes),
    createdAt: new Date(row.created_at),
    lastUsedAt: toDate(row.last_used_at),
    expiresAt: new Date(row.expires_at),
    revokedAt: toDate(row.revoked_at),
  };
}

export function codeFromRow(row: CodeRow): GivenCode {
  return {
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    scopes: scopesOf(row.scopes),
    resource: row.resource,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    consumedAt: toDate(row.consumed_at),
  };
}

export function codeToRow(hash: string, code: Code): CodeRow {
  return {
    hash,
    client_id: code.clientId,
    redirect_uri: code.redirectUri,
    challenge: code.challenge,
    scopes: scopeText(code.scopes),
    resource: code.resource,
    created_at: code.createdAt.getTime(),
    expires_at: code.expiresAt.getTime(),
    consumed_at: null,
    connection_id: null,
  };
}

/** Of a scope that this version does not know nothing may come. */
export function scopesOf(column: string): readonly Scope[] {
  return readScopes(column) ?? [];
}
