import type { Database } from "../../storage/database.ts";
import { inBatches } from "../../storage/statements.ts";

/** The columns of this feature's table; see storage/migrations/020-vulnerabilities.ts for their meaning. */
interface VulnerabilityTables {
  osv_records: OsvRecordRow;
}

interface OsvRecordRow {
  id: string;
  modified: string;
  record: Uint8Array | null;
  fetched_at: number;
  used_at: number;
}

const PRUNE_BATCH = 500;
/** Ids in one question to the database. */
const READ_BATCH = 400;

/** A kept answer; `record` is packed, and null when the database had none of that id. */
export interface KeptRecord {
  id: string;
  modified: string;
  record: Uint8Array | null;
  fetchedAt: number;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Records of vulnerabilities that were fetched before. */
export function createRecordStore(database: Database) {
  const tables = database.tables<VulnerabilityTables>();
  return {
    async read(ids: readonly string[]): Promise<KeptRecord[]> {
      const found: KeptRecord[] = [];
      for (const some of inBatches(ids, READ_BATCH)) {
        const rows = await tables.read
          .selectFrom("osv_records")
          .select(["id", "modified", "record", "fetched_at"])
          .where("id", "in", some)
          .execute();
        for (const { id, modified, record, fetched_at: fetchedAt } of rows) found.push({ id, modified, record, fetchedAt });
      }
      return found;
    },

    async save(records: readonly KeptRecord[], now: Date): Promise<void> {
      await tables.write(async (tx) => {
        for (const { id, modified, record, fetchedAt } of records) {
          const changing = { modified, record, fetched_at: fetchedAt, used_at: now.getTime() };
          await tx
            .insertInto("osv_records")
            .values({ id, ...changing })
            .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
            .execute();
        }
      });
    },

    /** Says that they were of use; those that were so since `since` stay as they are, so that a scan does not write each of them. */
    async touch(ids: readonly string[], now: Date, since: Date): Promise<void> {
      for (const some of inBatches(ids, READ_BATCH))
        await tables.write((tx) =>
          tx
            .updateTable("osv_records")
            .set({ used_at: now.getTime() })
            .where("id", "in", some)
            .where("used_at", "<", since.getTime())
            .execute(),
        );
    },

    async count(): Promise<number> {
      const { rows } = await tables.read
        .selectFrom("osv_records")
        .select(({ fn }) => fn.countAll().as("rows"))
        .executeTakeFirstOrThrow();
      return Number(rows);
    },

    /** Deletes what was not used since, a bounded number a call; true while there is more. */
    async pruneUnused(since: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = tx.selectFrom("osv_records").select("id").where("used_at", "<", since.getTime()).limit(PRUNE_BATCH);
        const gone = await tx.deleteFrom("osv_records").where("id", "in", old).returning("id").execute();
        return gone.length === PRUNE_BATCH;
      });
    },

    /** Deletes those that were of no use for longest; answers how many. */
    async pruneOldest(most: number): Promise<number> {
      return tables.write(async (tx) => {
        const old = tx.selectFrom("osv_records").select("id").orderBy("used_at").limit(Math.min(most, PRUNE_BATCH));
        return (await tx.deleteFrom("osv_records").where("id", "in", old).returning("id").execute()).length;
      });
    },
  };
}
