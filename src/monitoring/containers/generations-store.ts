import { type Kysely, sql } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { Database } from "../../storage/database.ts";
import type { ContainerTables, GenerationRow } from "./rows.ts";
import type { Stay, EndReason, PastGeneration } from "./uptime.ts";

/** As the indexes have it; the local host is the empty text. */
export const AGENT = sql<string>`COALESCE(agent_id, '')`;

/** Of one container. A job that is re-created every minute would have as many in a year as others have log lines. */
const MOST_KEPT = 1_000;

export type GenerationStore = ReturnType<typeof createGenerationStore>;

/** The containers that were re-created since; saved with the container that took their place. */
export function createGenerationStore(database: Database) {
  const tables = database.tables<ContainerTables>();

  return {
    /** Newest first. */
    async past(containerId: number, { limit, offset }: { limit: number; offset: number }): Promise<PastGeneration[]> {
      const rows = await tables.read
        .selectFrom("container_generations")
        .selectAll()
        .where("container_id", "=", containerId)
        .orderBy("ended_at", "desc")
        .orderBy("external_id")
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(generationFromRow);
    },

    /** Where those of the containers were that have been on several hosts, one after another; without where they are now. */
    async stays(containerIds: readonly number[], since: Date): Promise<Map<number, Stay[]>> {
      if (containerIds.length === 0) return new Map();
      const rows = await tables.read
        .selectFrom("container_generations")
        .select(["container_id", "agent_id", "ended_at"])
        .where("container_id", "in", containerIds)
        .where("ended_at", ">=", since.getTime())
        .orderBy("ended_at")
        .execute();
      const stays = rows.map((row) => ({ id: row.container_id, agentId: row.agent_id, until: row.ended_at }));
      return Map.groupBy(stays, ({ id }) => id);
    },

    async count(containerId: number): Promise<number> {
      const { count } = await tables.read
        .selectFrom("container_generations")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("container_id", "=", containerId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Which containers stand for these now, by the identifiers that the runtime had for them. */
    async containersOf(agentId: string | null, externalIds: readonly string[]): Promise<Map<string, number>> {
      if (externalIds.length === 0) return new Map();
      const rows = await tables.read
        .selectFrom("container_generations")
        .select(["external_id", "container_id"])
        .where(AGENT, "=", agentId ?? "")
        .where("external_id", "in", externalIds)
        .execute();
      return new Map(rows.map((row) => [row.external_id, row.container_id]));
    },
  };
}

/** Adds one inside of a unit; true when it was not known. What is known of its end may become more. */
export async function addGeneration(
  tx: Kysely<ContainerTables>,
  { containerId, past }: { containerId: number; past: PastGeneration },
): Promise<boolean> {
  const row = generationToRow(containerId, past);
  const { archived_at, ...known } = row;
  const { numUpdatedRows } = await tx
    .updateTable("container_generations")
    .set(archived_at === null ? known : row)
    .where(AGENT, "=", past.agentId ?? "")
    .where("external_id", "=", past.externalId)
    .executeTakeFirst();
  if (Number(numUpdatedRows) > 0) return false;
  await tx.insertInto("container_generations").values(row).execute();
  await tx
    .updateTable("containers")
    .set(({ eb }) => ({ generation: eb("generation", "+", 1) }))
    .where("id", "=", containerId)
    .execute();
  return true;
}

/** A listing notices late that one was gone. */
export async function noteDeparture(
  tx: Kysely<ContainerTables>,
  { agentId, externalId, at }: { agentId: string | null; externalId: string; at: Date },
): Promise<void> {
  await tx
    .updateTable("container_generations")
    .set({ archived_at: at.getTime() })
    .where(AGENT, "=", agentId ?? "")
    .where("external_id", "=", externalId)
    .where("ended_at", "<=", at.getTime())
    .execute();
}

/** Deletes what is past its time, and of each container all but the newest, a bounded number of rows a call; true while there is more. */
export async function pruneGenerations(
  tx: Kysely<ContainerTables>,
  { endedBefore, limit }: { endedBefore: Date; limit: number },
): Promise<boolean> {
  const old = await tx
    .selectFrom(
      tx
        .selectFrom("container_generations")
        .select(["external_id", "agent_id", "ended_at"])
        .select(sql<number>`ROW_NUMBER() OVER (PARTITION BY container_id ORDER BY ended_at DESC, external_id)`.as("place"))
        .as("ranked"),
    )
    .select(["agent_id", "external_id"])
    .where(({ eb, or }) => or([eb("ended_at", "<", endedBefore.getTime()), eb("place", ">", MOST_KEPT)]))
    .limit(limit)
    .execute();
  for (const { agent_id, external_id } of old)
    await tx
      .deleteFrom("container_generations")
      .where(AGENT, "=", agent_id ?? "")
      .where("external_id", "=", external_id)
      .execute();
  return old.length === limit;
}

function generationToRow(containerId: number, past: PastGeneration): GenerationRow {
  return {
    container_id: containerId,
    agent_id: past.agentId,
    external_id: past.externalId,
    image: past.image,
    image_digest: past.imageDigest,
    created_at: past.createdAt?.getTime() ?? null,
    started_at: past.startedAt?.getTime() ?? null,
    ended_at: past.endedAt.getTime(),
    end_reason: past.endReason,
    archived_at: past.archivedAt?.getTime() ?? null,
  };
}

function generationFromRow(row: GenerationRow): PastGeneration {
  return {
    agentId: row.agent_id,
    externalId: row.external_id,
    image: row.image,
    imageDigest: row.image_digest,
    createdAt: toDate(row.created_at),
    startedAt: toDate(row.started_at),
    endedAt: new Date(row.ended_at),
    // The column holds what generationToRow wrote.
    endReason: row.end_reason as EndReason,
    archivedAt: toDate(row.archived_at),
  };
}
