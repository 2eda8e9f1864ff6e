import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { ago, json, type Rows } from "./row.ts";

/** The client that the filled database knows; a server with another one would end all connections. */
export const MCP_CLIENT = { id: "assistants", secret: "0123456789abcdef0123456789abcdef" };

const CONNECTION = {
  client_id: MCP_CLIENT.id,
  redirect_uri: "http://127.0.0.1:7777/callback",
  scopes: "monitor:read",
  resource: "https://watch.example/mcp",
  created_at: ago(5 * DAY_MS),
};

/** Who may use the MCP server, and which server may write. */
export const ACCESS: Rows = {
  leader: [{ id: 1, holder: "5b7f0f5e-0000-4000-8000-000000000001", since: ago(DAY_MS) }],
  mcp_client: [{ id: 1, client_id: MCP_CLIENT.id, secret_hash: createHash("sha256").update(MCP_CLIENT.secret).digest("hex") }],
  mcp_connections: [
    { ...CONNECTION, id: 1, client_name: "Desk assistant", last_used_at: ago(HOUR_MS), expires_at: ago(-25 * DAY_MS), revoked_at: null },
    { ...CONNECTION, id: 2, client_name: null, last_used_at: null, expires_at: ago(-20 * DAY_MS), revoked_at: ago(DAY_MS) },
  ],
  audit_entries: [
    {
      id: 1,
      at: ago(2 * DAY_MS),
      actor_kind: "session",
      actor_name: "q3Wb0M7c",
      address: "192.0.2.7",
      operation: "post_api_v1_heartbeats_id_pause",
      entity_type: "heartbeat",
      entity_id: "1",
      entity_name: "Nightly backup",
      outcome: "done",
      error: null,
      before: json({ status: "up" }),
      after: json({ status: "paused" }),
    },
    {
      id: 2,
      at: ago(DAY_MS),
      actor_kind: "anyone",
      actor_name: null,
      address: "198.51.100.9",
      operation: "post_login",
      entity_type: null,
      entity_id: null,
      entity_name: null,
      outcome: "refused",
      error: "unauthorized",
      before: null,
      after: null,
    },
  ],
  ended_sessions: [
    { id: "q3Wb0M7cVfWJ1jvGZ0o8Ng", ended_at: ago(2 * DAY_MS), expires_at: ago(-5 * DAY_MS) },
    { id: "*", ended_at: ago(9 * DAY_MS), expires_at: ago(-21 * DAY_MS) },
  ],
  mcp_codes: [
    {
      hash: "1c".repeat(32),
      client_id: MCP_CLIENT.id,
      redirect_uri: CONNECTION.redirect_uri,
      challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      scopes: CONNECTION.scopes,
      resource: CONNECTION.resource,
      created_at: ago(MINUTE_MS),
      expires_at: ago(-9 * MINUTE_MS),
      consumed_at: null,
      connection_id: null,
    },
  ],
  mcp_tokens: [
    {
      hash: "2d".repeat(32),
      connection_id: 1,
      kind: "access",
      scopes: CONNECTION.scopes,
      created_at: ago(HOUR_MS),
      expires_at: ago(-HOUR_MS),
      consumed_at: null,
    },
    {
      hash: "3e".repeat(32),
      connection_id: 1,
      kind: "refresh",
      scopes: CONNECTION.scopes,
      created_at: ago(HOUR_MS),
      expires_at: ago(-25 * DAY_MS),
      consumed_at: null,
    },
  ],
};
