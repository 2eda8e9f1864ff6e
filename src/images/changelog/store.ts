import type { Database } from "../../storage/database.ts";
import type { Changelog } from "./source.ts";
import type { Wanted } from "./release.ts";

/** The columns of this feature's table; see storage/migrations/021-changelogs.ts for their meaning. */
interface ChangelogTables {
  changelogs: {
    source: string;
    current_tag: string;
    available_tag: string;
    changelog: string;
    found: number;
    etag: string | null;
    fetched_at: number;
  };
}

/** A changelog as it was once fetched. */
export interface KeptChangelog {
  changelog: Changelog;
  /** Something was found. */
  found: boolean;
  etag: string | null;
  fetchedAt: Date;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 200;

export function createChangelogStore(database: Database) {
  const tables = database.tables<ChangelogTables>();
  const keyOf = (source: string, { currentTag, availableTag }: Wanted) => ({
    source,
    current_tag: currentTag ?? "",
    available_tag: availableTag,
  });

  return {
    async find(source: string, wanted: Wanted): Promise<KeptChangelog | undefined> {
      const key = keyOf(source, wanted);
      const row = await tables.read
        .selectFrom("changelogs")
        .selectAll()
        .where("source", "=", key.source)
        .where("current_tag", "=", key.current_tag)
        .where("available_tag", "=", key.available_tag)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        // This column holds what save wrote.
        changelog: JSON.parse(row.changelog) as Changelog,
        found: row.found === 1,
        etag: row.etag,
        fetchedAt: new Date(row.fetched_at),
      };
    },

    /** In the place of what was known. */
    async save(source: string, wanted: Wanted, { changelog, found, etag, fetchedAt }: KeptChangelog): Promise<void> {
      const rest = { changelog: JSON.stringify(changelog), found: Number(found), etag, fetched_at: fetchedAt.getTime() };
      await tables.write((tx) =>
        tx
          .insertInto("changelogs")
          .values({ ...keyOf(source, wanted), ...rest })
          .onConflict((conflict) => conflict.columns(["source", "current_tag", "available_tag"]).doUpdateSet(rest))
          .execute(),
      );
    },

    /** Deletes what was fetched before a time, and the oldest beyond a number, a bounded number a call; true while there may be more. */
    async prune({ before, most }: { before: Date; most: number }): Promise<boolean> {
      return tables.write(async (tx) => {
        const beyond = await tx
          .selectFrom("changelogs")
          .select("fetched_at")
          .orderBy("fetched_at", "desc")
          .offset(most)
          .limit(1)
          .executeTakeFirst();
        const limit = Math.max(before.getTime(), (beyond?.fetched_at ?? -1) + 1);
        const rows = await tx
          .selectFrom("changelogs")
          .select(["source", "current_tag", "available_tag"])
          .where("fetched_at", "<", limit)
          .orderBy("fetched_at")
          .limit(PRUNE_BATCH)
          .execute();
        for (const row of rows)
          await tx
            .deleteFrom("changelogs")
            .where("source", "=", row.source)
            .where("current_tag", "=", row.current_tag)
            .where("available_tag", "=", row.available_tag)
            .execute();
        return rows.length === PRUNE_BATCH;
      });
    },
  };
}
