import type { Kysely } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { Database } from "../../storage/database.ts";
import type { Scope } from "../tool.ts";
import type { Client } from "./client.ts";
import { BOUNDS } from "./connection.ts";
import { beginConnection, DELETED_AT_ONCE, endConnections, giveOut, type NewTokens } from "./connection-store.ts";
import { type Code, type CodeUse, judgeCode, judgeRefresh, type RefreshUse } from "./grant.ts";
import { codeFromRow, codeToRow, scopesOf, type OAuthTables } from "./rows.ts";

/** What became of a code or a refresh token. */
export type Redemption =
  /** `ended` are connections that a new one replaced. */
  | { verdict: "good"; connectionId: number; scopes: readonly Scope[]; ended: readonly number[] }
  /** The connection that was ended; undefined for a code of which none had come. */
  | { verdict: "replayed"; connectionId: number | undefined }
  | { verdict: "refused" | "too_wide" };

/** What an access token says of its bearer. */
export interface AccessToken {
  connectionId: number;
  clientName: string | null;
  scopes: readonly Scope[];
  resource: string;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export type OAuthStore = ReturnType<typeof createOAuthStore>;

export function createOAuthStore(database: Database) {
  const tables = database.tables<OAuthTables>();
  return {
    /** Takes note of the client; when it is another than before, ends all connections. Answers how many these were. */
    async adopt(client: Client, now: Date): Promise<number> {
      return tables.write(async (tx) => {
        const row = { client_id: client.id, secret_hash: client.secretHash };
        const known = await tx.selectFrom("mcp_client").selectAll().where("id", "=", 1).executeTakeFirst();
        if (known?.client_id === client.id && known.secret_hash === client.secretHash) return 0;
        await tx
          .insertInto("mcp_client")
          .values({ id: 1, ...row })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
          .execute();
        await tx.deleteFrom("mcp_codes").execute();
        await tx.deleteFrom("mcp_tokens").execute();
        const ended = await tx
          .updateTable("mcp_connections")
          .set({ revoked_at: now.getTime() })
          .where("revoked_at", "is", null)
          .where("expires_at", ">", now.getTime())
          .returning("id")
          .execute();
        return ended.length;
      });
    },

    async keepCode(hash: string, code: Code): Promise<void> {
      await tables.write(async (tx) => {
        await tx.insertInto("mcp_codes").values(codeToRow(hash, code)).execute();
        // Used codes stay, so that a second use is detected: asking for a code needs no secret, but using one does.
        const older = tx
          .selectFrom("mcp_codes")
          .select("hash")
          .where("consumed_at", "is", null)
          .where("hash", "!=", hash)
          .orderBy("created_at", "desc")
          .limit(DELETED_AT_ONCE)
          .offset(BOUNDS.codes - 1);
        await tx.deleteFrom("mcp_codes").where("hash", "in", older).execute();
      });
    },

    /** Uses a code up, whatever comes of it: a new connection with its first tokens, or nothing. */
    async redeemCode(hash: string, use: CodeUse, { tokens, now }: { tokens: NewTokens; now: Date }): Promise<Redemption> {
      return tables.write(async (tx): Promise<Redemption> => {
        const row = await tx.selectFrom("mcp_codes").selectAll().where("hash", "=", hash).executeTakeFirst();
        if (row === undefined) return { verdict: "refused" };
        const code = codeFromRow(row);
        const verdict = judgeCode(code, use, now);
        if (!(await useUp(tx, "mcp_codes", hash, now)) || verdict === "replayed") {
          const used = await tx.selectFrom("mcp_codes").select("connection_id").where("hash", "=", hash).executeTakeFirst();
          const connectionId = used?.connection_id ?? undefined;
          if (connectionId !== undefined) await endConnections(tx, [connectionId], now);
          return { verdict: "replayed", connectionId };
        }
        if (verdict !== "good") return { verdict };
        const { id: connectionId, ended } = await beginConnection(tx, code, { tokens, now });
        await tx.updateTable("mcp_codes").set({ connection_id: connectionId }).where("hash", "=", hash).execute();
        return { verdict, connectionId, scopes: code.scopes, ended };
      });
    },

    /** Replaces a refresh token, or ends the connection of one that was replaced before. */
    async rotate(hash: string, use: RefreshUse, { tokens, now }: { tokens: NewTokens; now: Date }): Promise<Redemption> {
      return tables.write(async (tx): Promise<Redemption> => {
        const row = await tx
          .selectFrom("mcp_tokens as token")
          .innerJoin("mcp_connections as connection", "connection.id", "token.connection_id")
          .select(["token.scopes", "token.expires_at", "token.consumed_at", "connection.id", "connection.client_id", "connection.resource"])
          .where("token.hash", "=", hash)
          .where("token.kind", "=", "refresh")
          .where("connection.revoked_at", "is", null)
          .executeTakeFirst();
        if (row === undefined) return { verdict: "refused" };
        const scopes = scopesOf(row.scopes);
        const consumedAt = toDate(row.consumed_at);
        const given = { clientId: row.client_id, resource: row.resource, scopes, expiresAt: new Date(row.expires_at), consumedAt };
        const verdict = judgeRefresh(given, use, now);
        if (verdict === "refused" || verdict === "too_wide") return { verdict };
        if (!(await useUp(tx, "mcp_tokens", hash, now)) || verdict === "replayed") {
          await endConnections(tx, [row.id], now);
          return { verdict: "replayed", connectionId: row.id };
        }
        const access = use.scopes ?? scopes;
        await giveOut(tx, { connectionId: row.id, tokens, access, refresh: scopes, now });
        return { verdict, connectionId: row.id, scopes: access, ended: [] };
      });
    },

    async findAccess(hash: string): Promise<AccessToken | undefined> {
      const row = await tables.read
        .selectFrom("mcp_tokens as token")
        .innerJoin("mcp_connections as connection", "connection.id", "token.connection_id")
        .select([
          "token.scopes",
          "token.expires_at",
          "connection.id",
          "connection.client_name",
          "connection.resource",
          "connection.last_used_at",
        ])
        .where("token.hash", "=", hash)
        .where("token.kind", "=", "access")
        .where("connection.revoked_at", "is", null)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        connectionId: row.id,
        clientName: row.client_name,
        scopes: scopesOf(row.scopes),
        resource: row.resource,
        expiresAt: new Date(row.expires_at),
        lastUsedAt: toDate(row.last_used_at),
      };
    },

    /** Ends the connection that a token, of whatever kind, belongs to; answers which. */
    async endByToken(hash: string, clientId: string, now: Date): Promise<number | undefined> {
      return tables.write(async (tx) => {
        const row = await tx
          .selectFrom("mcp_tokens as token")
          .innerJoin("mcp_connections as connection", "connection.id", "token.connection_id")
          .select("connection.id")
          .where("token.hash", "=", hash)
          .where("connection.client_id", "=", clientId)
          .executeTakeFirst();
        if (row !== undefined) await endConnections(tx, [row.id], now);
        return row?.id;
      });
    },
  };
}

/** Whether it was still unused. The first to change the row has it: another server on the same database may use it at the same time. */
async function useUp(tx: Kysely<OAuthTables>, table: "mcp_codes" | "mcp_tokens", hash: string, now: Date): Promise<boolean> {
  const won = await tx
    .updateTable(table)
    .set({ consumed_at: now.getTime() })
    .where("hash", "=", hash)
    .where("consumed_at", "is", null)
    .returning("hash")
    .executeTakeFirst();
  return won !== undefined;
}
