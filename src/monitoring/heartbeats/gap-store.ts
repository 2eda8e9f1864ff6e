import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { HeartbeatTables } from "./rows.ts";
import { addGap, type Gap, MAX_GAPS } from "./uptime.ts";

/** What is kept of the times in which no ping could be taken. */
interface KeptGaps {
  gaps: Gap[];
  /** When a ping could be taken for the last time, as far as is known. */
  aliveAtMs: number | undefined;
}

export type GapStore = ReturnType<typeof createGapStore>;

export function createGapStore(database: Database) {
  const tables = database.tables<HeartbeatTables>();

  async function insert(tx: Kysely<HeartbeatTables>, gaps: readonly Gap[], aliveAtMs: number): Promise<void> {
    const rows = gaps.map(({ fromMs, untilMs }) => ({ from_at: fromMs, until_at: untilMs }));
    if (rows.length > 0) await tx.insertInto("ping_gaps").values(rows).execute();
    const alive = tx.updateTable("ping_gaps").set({ from_at: aliveAtMs }).where("until_at", "is", null);
    const { numUpdatedRows } = await alive.executeTakeFirst();
    if (Number(numUpdatedRows) === 0) await tx.insertInto("ping_gaps").values({ from_at: aliveAtMs, until_at: null }).execute();
  }

  return {
    async load(): Promise<KeptGaps> {
      const rows = await tables.read.selectFrom("ping_gaps").select(["from_at", "until_at"]).orderBy("from_at").execute();
      let gaps: Gap[] = [];
      for (const { from_at, until_at } of rows) if (until_at !== null) gaps = addGap(gaps, { fromMs: from_at, untilMs: until_at });
      return { gaps, aliveAtMs: rows.findLast(({ until_at }) => until_at === null)?.from_at };
    },

    /** Adds gaps that are over, and notes until when pings could be taken. */
    async add(gaps: readonly Gap[], aliveAtMs: number): Promise<void> {
      await tables.write((tx) => insert(tx, gaps, aliveAtMs));
    },

    /** Replaces all of them, in the caller's unit. */
    async replace(tx: Kysely<HeartbeatTables>, gaps: readonly Gap[], aliveAtMs: number): Promise<void> {
      await tx.deleteFrom("ping_gaps").execute();
      await insert(tx, gaps, aliveAtMs);
    },

    /** Keeps the latest ones alone. */
    async prune(): Promise<void> {
      const tooMany = tables.read.selectFrom("ping_gaps").select("until_at").where("until_at", "is not", null);
      const last = await tooMany.orderBy("until_at", "desc").offset(MAX_GAPS).limit(1).executeTakeFirst();
      const untilAt = last?.until_at ?? null;
      if (untilAt !== null) await tables.write((tx) => tx.deleteFrom("ping_gaps").where("until_at", "<=", untilAt).execute());
    },
  };
}
