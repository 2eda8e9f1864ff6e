import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";

/** The columns of the cache's table; see storage/migrations/019-image-packages.ts for their meaning. */
interface PackageTables {
  image_packages: ImagePackagesRow;
}

interface ImagePackagesRow {
  digest: string;
  format: number;
  complete: number;
  size: number;
  bytes: Uint8Array;
  created_at: number;
  used_at: number;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 200;

export type PackageStore = ReturnType<typeof createPackageStore>;

/** The SQL of what images are made of. */
export function createPackageStore(database: Database) {
  const tables = database.tables<PackageTables>();

  async function remove(tx: Kysely<PackageTables>, digests: readonly { digest: string }[]): Promise<boolean> {
    const names = digests.map(({ digest }) => digest);
    if (names.length > 0) await tx.deleteFrom("image_packages").where("digest", "in", names).execute();
    return digests.length === PRUNE_BATCH;
  }

  return {
    async find(digest: string): Promise<ImagePackagesRow | undefined> {
      return tables.read.selectFrom("image_packages").selectAll().where("digest", "=", digest).executeTakeFirst();
    },

    /** In the place of what was known of the image. */
    async save(row: ImagePackagesRow): Promise<void> {
      const { digest: _digest, ...rest } = row;
      await tables.write((tx) =>
        tx
          .insertInto("image_packages")
          .values(row)
          .onConflict((conflict) => conflict.column("digest").doUpdateSet(rest))
          .execute(),
      );
    },

    async use(digest: string, at: number): Promise<void> {
      await tables.write((tx) => tx.updateTable("image_packages").set({ used_at: at }).where("digest", "=", digest).execute());
    },

    async sums(): Promise<{ rows: number; bytes: number }> {
      const { rows, bytes } = await tables.read
        .selectFrom("image_packages")
        .select((select) => [select.fn.countAll().as("rows"), select.fn.sum("size").as("bytes")])
        .executeTakeFirstOrThrow();
      return { rows: Number(rows), bytes: Number(bytes ?? 0) };
    },

    /** Deletes what was not used since, a bounded number a call; true while there is more. */
    async pruneUnused(since: number): Promise<boolean> {
      return tables.write(async (tx) =>
        remove(
          tx,
          await tx
            .selectFrom("image_packages")
            .select("digest")
            .where("used_at", "<", since)
            .orderBy("used_at")
            .limit(PRUNE_BATCH)
            .execute(),
        ),
      );
    },

    /** Deletes what was used the longest ago until so much less is kept; a bounded number a call, true while there is more to delete. */
    async pruneOldest({ rows, bytes }: { rows: number; bytes: number }): Promise<boolean> {
      return tables.write(async (tx) => {
        const oldest = await tx
          .selectFrom("image_packages")
          .select(["digest", "size"])
          .orderBy("used_at")
          .orderBy("digest")
          .limit(PRUNE_BATCH)
          .execute();
        let freed = 0;
        const gone = oldest.filter(({ size }, index) => {
          const isGone = index < rows || freed < bytes;
          if (isGone) freed += size;
          return isGone;
        });
        return remove(tx, gone);
      });
    },
  };
}
