import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import { inTables, type Unit } from "../../storage/statements.ts";
import { type Agent, type AgentTables, insertAgent } from "../agents/index.ts";
import { type EnrollmentToken, refusalOf, type TokenRefusal } from "./token.ts";

/** How many rows are deleted in one unit: few enough not to hold up the writer. */
const PRUNE_BATCH = 500;

export type EnrollmentStore = ReturnType<typeof createEnrollmentStore>;

export interface Consumption {
  hash: string;
  now: Date;
  agentId: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
  /** The agent to be made with the token. */
  agentOf(token: EnrollmentToken): Agent;
}

/** An agent that enrolled before, and asks again because the answer was lost. */
export interface Repeated {
  isNew: false;
  id: string;
  label: string;
}

export function createEnrollmentStore(database: Database) {
  const tables = database.tables<EnrollmentTables & AgentTables>();
  return {
    /** False when this many tokens are open already. */
    async create(token: EnrollmentToken, hash: string, mostOpen: number): Promise<boolean> {
      return tables.write(async (tx) => {
        const { open } = await tx
          .selectFrom("enrollment_tokens")
          .select(({ fn }) => fn.countAll().as("open"))
          .where("consumed_at", "is", null)
          .where("expires_at", ">", token.createdAt.getTime())
          .executeTakeFirstOrThrow();
        if (Number(open) >= mostOpen) return false;
        await tx.insertInto("enrollment_tokens").values(tokenToRow(token, hash)).execute();
        return true;
      });
    },

    /** Latest first. */
    async list({ limit, offset }: { limit: number; offset: number }): Promise<{ tokens: EnrollmentToken[]; total: number }> {
      const rows = await tables.read
        .selectFrom("enrollment_tokens")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await tables.read
        .selectFrom("enrollment_tokens")
        .select(({ fn }) => fn.countAll().as("total"))
        .executeTakeFirstOrThrow();
      return { tokens: rows.map(tokenFromRow), total: Number(total) };
    },

    async find(id: string): Promise<EnrollmentToken | undefined> {
      const row = await tables.read.selectFrom("enrollment_tokens").selectAll().where("id", "=", id).executeTakeFirst();
      return row && tokenFromRow(row);
    },

    /** False when there is no such token. */
    async remove(id: string): Promise<boolean> {
      const gone = await tables.write((tx) => tx.deleteFrom("enrollment_tokens").where("id", "=", id).returning("id").executeTakeFirst());
      return gone !== undefined;
    },

    /**
     * Uses a token up and saves the new agent, both or neither: the first to change the row gets it. An agent that got it before is recognised by
     * its key and gets the same answer. Otherwise answers the reason for the refusal.
     */
    async consume({
      hash,
      now,
      agentId,
      publicKey,
      agentOf,
    }: Consumption): Promise<{ isNew: true; agent: Agent } | Repeated | TokenRefusal> {
      return tables.write(async (tx) => {
        const won = await tx
          .updateTable("enrollment_tokens")
          .set({ consumed_at: now.getTime(), agent_id: agentId })
          .where("token_hash", "=", hash)
          .where("consumed_at", "is", null)
          .where("expires_at", ">", now.getTime())
          .returningAll()
          .executeTakeFirst();
        if (won === undefined) {
          const row = await tx.selectFrom("enrollment_tokens").selectAll().where("token_hash", "=", hash).executeTakeFirst();
          const winner = row && (await agentByKey(tx, row.agent_id, publicKey));
          if (winner !== undefined) return { isNew: false, ...winner };
          // Another server may have changed it between the two statements; then it cannot be used.
          return refusalOf(row && tokenFromRow(row), now) ?? "token_invalid";
        }
        const agent = agentOf(tokenFromRow(won));
        await insertAgent(tx, agent);
        return { isNew: true, agent };
      });
    },

    /** Deletes a batch of tokens that expired before a time; true while there are more. */
    async prune(before: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("enrollment_tokens")
          .select("id")
          .where("expires_at", "<", before.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        if (old.length > 0) {
          const ids = old.map(({ id }) => id);
          await tx.deleteFrom("enrollment_tokens").where("id", "in", ids).execute();
        }
        return old.length === PRUNE_BATCH;
      });
    },
  };
}

/** Deletes the token with which an agent enrolled, together with the agent. */
export async function purgeTokens(unit: Unit, agentId: string): Promise<void> {
  await inTables<EnrollmentTables>(unit).deleteFrom("enrollment_tokens").where("agent_id", "=", agentId).execute();
}

async function agentByKey(
  tx: Kysely<AgentTables>,
  id: string | null,
  publicKey: Uint8Array,
): Promise<{ id: string; label: string } | undefined> {
  if (id === null) return undefined;
  return tx
    .selectFrom("agents")
    .select(["id", "label"])
    .where("id", "=", id)
    .where("public_key", "=", Buffer.from(publicKey).toString("base64"))
    .executeTakeFirst();
}

function tokenFromRow(row: TokenRow): EnrollmentToken {
  return {
    id: row.id,
    prefix: row.prefix,
    label: row.label,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    consumedAt: row.consumed_at === null ? null : new Date(row.consumed_at),
    agentId: row.agent_id,
  };
}

function tokenToRow(token: EnrollmentToken, hash: string): TokenRow {
  return {
    id: token.id,
    token_hash: hash,
    prefix: token.prefix,
    label: token.label,
    created_at: token.createdAt.getTime(),
    expires_at: token.expiresAt.getTime(),
    consumed_at: token.consumedAt?.getTime() ?? null,
    agent_id: token.agentId,
  };
}

/** The columns of this feature's table; see storage/migrations/023-agents.ts for their meaning. */
interface EnrollmentTables {
  enrollment_tokens: TokenRow;
}

interface TokenRow {
  id: string;
  token_hash: string;
  prefix: string;
  label: string | null;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
  agent_id: string | null;
}
