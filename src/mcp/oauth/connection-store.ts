import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { Scope } from "../tool.ts";
import type { Code } from "./grant.ts";
import { connectionFromRow, type OAuthTables } from "./rows.ts";
import { scopeText } from "./scopes.ts";
import { BOUNDS, type Connection, LIFETIMES } from "./connection.ts";

type Tx = Kysely<OAuthTables>;

/** Rows deleted in one unit: small enough not to hold up the writer. */
export const DELETED_AT_ONCE = 500;

/** The hashes of what is given out. */
export interface NewTokens {
  accessHash: string;
  refreshHash: string;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(database: Database) {
  const tables = database.tables<OAuthTables>();
  return {
    /** The newest first. */
    async list(): Promise<Connection[]> {
      const rows = await tables.read
        .selectFrom("mcp_connections")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(BOUNDS.connections)
        .execute();
      return rows.map(connectionFromRow);
    },

    async saveUse(id: number, now: Date): Promise<void> {
      await tables.write((tx) => tx.updateTable("mcp_connections").set({ last_used_at: now.getTime() }).where("id", "=", id).execute());
    },

    async saveName(id: number, name: string): Promise<void> {
      await tables.write((tx) => tx.updateTable("mcp_connections").set({ client_name: name }).where("id", "=", id).execute());
    },

    /** Ends a connection, if it has not ended; false when there is none. */
    async end(id: number, now: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const known = await tx.selectFrom("mcp_connections").select("id").where("id", "=", id).executeTakeFirst();
        if (known !== undefined) await endConnections(tx, [id], now);
        return known !== undefined;
      });
    },

    /** Deletes codes and tokens that have expired, and connections that ended before a time; a bounded number a call, true while there is more. */
    async purge(now: Date, endedBefore: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        await tx.deleteFrom("mcp_codes").where("expires_at", "<=", now.getTime()).execute();
        const expired = tx.selectFrom("mcp_tokens").select("hash").where("expires_at", "<=", now.getTime()).limit(DELETED_AT_ONCE);
        const tokens = await tx.deleteFrom("mcp_tokens").where("hash", "in", expired).returning("hash").execute();
        const longAgo = endedBefore.getTime();
        const ended = await tx
          .selectFrom("mcp_connections")
          .select("id")
          .where(({ or, eb }) => or([eb("revoked_at", "<", longAgo), eb("expires_at", "<", longAgo)]))
          .limit(DELETED_AT_ONCE)
          .execute();
        await forget(
          tx,
          ended.map(({ id }) => id),
        );
        return tokens.length === DELETED_AT_ONCE || ended.length === DELETED_AT_ONCE;
      });
    },
  };
}

/** Begins a connection with its first tokens; answers also those that were ended for it. In the caller's unit, as are those below. */
export async function beginConnection(
  tx: Tx,
  code: Code,
  { tokens, now }: { tokens: NewTokens; now: Date },
): Promise<{ id: number; ended: number[] }> {
  const { id } = await tx
    .insertInto("mcp_connections")
    .values({
      client_id: code.clientId,
      client_name: null,
      redirect_uri: code.redirectUri,
      scopes: scopeText(code.scopes),
      resource: code.resource,
      created_at: now.getTime(),
      last_used_at: null,
      expires_at: now.getTime() + LIFETIMES.refreshMs,
      revoked_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await giveOut(tx, { connectionId: id, tokens, access: code.scopes, refresh: code.scopes, now });
  return { id, ended: await makeRoom(tx, now) };
}

/** Keeps new tokens of a connection; the oldest are removed where there are too many. */
export async function giveOut(
  tx: Tx,
  given: { connectionId: number; tokens: NewTokens; access: readonly Scope[]; refresh: readonly Scope[]; now: Date },
): Promise<void> {
  const { connectionId, tokens, now } = given;
  const kinds = [
    { kind: "access", hash: tokens.accessHash, scopes: given.access, livesMs: LIFETIMES.accessMs, most: BOUNDS.accessTokens },
    { kind: "refresh", hash: tokens.refreshHash, scopes: given.refresh, livesMs: LIFETIMES.refreshMs, most: BOUNDS.refreshTokens },
  ] as const;
  for (const { kind, hash, scopes, livesMs, most } of kinds) {
    const times = { created_at: now.getTime(), expires_at: now.getTime() + livesMs, consumed_at: null };
    await tx
      .insertInto("mcp_tokens")
      .values({ hash, connection_id: connectionId, kind, scopes: scopeText(scopes), ...times })
      .execute();
    const older = tx
      .selectFrom("mcp_tokens")
      .select("hash")
      .where("connection_id", "=", connectionId)
      .where("kind", "=", kind)
      .where("hash", "!=", hash)
      .orderBy("created_at", "desc")
      // PostgreSQL takes an offset alone, SQLite only with a limit.
      .limit(DELETED_AT_ONCE)
      .offset(most - 1);
    await tx.deleteFrom("mcp_tokens").where("hash", "in", older).execute();
  }
  const expires_at = now.getTime() + LIFETIMES.refreshMs;
  await tx.updateTable("mcp_connections").set({ expires_at }).where("id", "=", connectionId).execute();
}

/** Ends connections: their tokens are deleted, and requests with one are refused. */
export async function endConnections(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("mcp_connections")
    .set({ revoked_at: now.getTime() })
    .where("id", "in", ids)
    .where("revoked_at", "is", null)
    .execute();
  await tx.deleteFrom("mcp_tokens").where("connection_id", "in", ids).execute();
}

async function forget(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom("mcp_tokens").where("connection_id", "in", ids).execute();
  await tx.deleteFrom("mcp_connections").where("id", "in", ids).execute();
}

/** Removes what is beyond the bounds for a new connection: of those in use the one that was used longest ago, of those that ended the oldest. */
async function makeRoom(tx: Tx, now: Date): Promise<number[]> {
  const idle = await tx
    .selectFrom("mcp_connections")
    .select("id")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now.getTime())
    .orderBy(({ fn }) => fn.coalesce("last_used_at", "created_at"), "desc")
    .orderBy("id", "desc")
    .limit(DELETED_AT_ONCE)
    .offset(BOUNDS.active)
    .execute();
  const ended = idle.map(({ id }) => id);
  await endConnections(tx, ended, now);
  const old = await tx
    .selectFrom("mcp_connections")
    .select("id")
    .where(({ or, eb }) => or([eb("revoked_at", "is not", null), eb("expires_at", "<=", now.getTime())]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(DELETED_AT_ONCE)
    .offset(BOUNDS.connections - BOUNDS.active)
    .execute();
  await forget(
    tx,
    old.map(({ id }) => id),
  );
  return ended;
}
