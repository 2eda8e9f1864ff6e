import type { Migration } from "./migration.ts";

/**
 * Who may use the MCP server. Times as in 001; scopes are separated by spaces.
 *
 * A connection is all that came of one consent: the codes and tokens that replace each other. Codes, tokens and the client's secret are here as SHA-256
 * alone, in hex. What was used up stays until it expires, so that a second use is seen; the tokens of a connection that was ended go at once.
 * `mcp_connections.expires_at` is that of the latest refresh token. `mcp_client` has one row, whose id is 1: by what the tokens were given out.
 */
export const mcp: Migration = {
  name: "024-mcp",
  statements: ({ generatedKey }) => [
    `CREATE TABLE mcp_client (
      id BIGINT PRIMARY KEY,
      client_id TEXT NOT NULL,
      secret_hash TEXT NOT NULL
    )`,
    `CREATE TABLE mcp_connections (
      id ${generatedKey},
      client_id TEXT NOT NULL,
      client_name TEXT,
      redirect_uri TEXT NOT NULL,
      scopes TEXT NOT NULL,
      resource TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT,
      expires_at BIGINT NOT NULL,
      revoked_at BIGINT
    )`,
    `CREATE TABLE mcp_codes (
      hash TEXT PRIMARY KEY,
      client_id TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      challenge TEXT NOT NULL,
      scopes TEXT NOT NULL,
      resource TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      consumed_at BIGINT,
      connection_id BIGINT
    )`,
    `CREATE TABLE mcp_tokens (
      hash TEXT PRIMARY KEY,
      connection_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      consumed_at BIGINT
    )`,
    "CREATE INDEX mcp_tokens_connection ON mcp_tokens (connection_id, kind, created_at)",
    "CREATE INDEX mcp_tokens_expiry ON mcp_tokens (expires_at)",
  ],
};
