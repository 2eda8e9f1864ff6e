import type { Kysely, Selectable } from "kysely";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { Database } from "../../../storage/database.ts";
import { isOf, pastChanges } from "../../../storage/look-back.ts";
import { inTables, type Unit, keptRows } from "../../../storage/statements.ts";
import type { Comparison } from "./comparison.ts";
import type { ImageRun } from "./image-run.ts";
import { comparisonFromRow, type ComparisonTables, comparisonToRow, runFromRow, runToRow } from "./rows.ts";

/** A run to save with what that makes of comparisons. */
export interface RunSaving {
  run: ImageRun;
  /** With the run before it; its id is then the run's. */
  begun?: Omit<Comparison, "id">;
  /** Of the run before it, or its own. */
  ended?: Comparison;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 500;
const LOADED_AT_ONCE = 1000;

export type ComparisonStore = ReturnType<typeof createComparisonStore>;

export function createComparisonStore(database: Database) {
  const tables = database.tables<ComparisonTables>();
  const saveRuns = keptRows((tx: Kysely<ComparisonTables>, rows: readonly ReturnType<typeof runToRow>[]) =>
    tx
      .insertInto("image_runs")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["host", "name"]).doUpdateSet(({ ref }) => {
          // The keys of a row are names of columns.
          const columns = (Object.keys(rows[0] ?? {}) as (keyof ReturnType<typeof runToRow>)[]).filter(
            (column) => column !== "host" && column !== "name",
          );
          return Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)]));
        }),
      ),
  );

  return {
    async runs(): Promise<ImageRun[]> {
      const rows = await tables.read.selectFrom("image_runs").selectAll().orderBy("host").orderBy("name").execute();
      return rows.map(runFromRow);
    },

    /** Those that are the latest of their name. */
    async latest(): Promise<Comparison[]> {
      const found: Comparison[] = [];
      for (let last = 0; ;) {
        const rows = await tables.read
          .selectFrom("update_comparisons")
          .selectAll()
          .where("id", "in", (query) => query.selectFrom("image_runs").select("comparison_id").where("comparison_id", "is not", null))
          .where("id", ">", last)
          .orderBy("id")
          .limit(LOADED_AT_ONCE)
          .execute();
        found.push(...rows.map(comparisonFromRow));
        last = rows.at(-1)?.id ?? last;
        if (rows.length < LOADED_AT_ONCE) return found;
      }
    },

    /** Saves all of it together, of each name once; answers the runs as they are then, with the comparisons that began. */
    save(savings: readonly RunSaving[]): Promise<{ run: ImageRun; begun: Comparison | undefined }[]> {
      return tables.write(async (tx) => {
        const saved: { run: ImageRun; begun: Comparison | undefined }[] = [];
        for (const { run, begun, ended } of savings) {
          if (ended !== undefined) await update(tx, ended);
          const comparison = begun === undefined ? undefined : await insert(tx, begun);
          saved.push({ run: comparison === undefined ? run : { ...run, comparisonId: comparison.id }, begun: comparison });
        }
        await saveRuns(
          tx,
          saved.map(({ run }) => runToRow(run)),
        );
        return saved;
      });
    },

    async removeRuns(runs: readonly ImageRun[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const { host, name } of runs) await tx.deleteFrom("image_runs").where("host", "=", host).where("name", "=", name).execute();
      });
    },

    /** Deletes what is kept of an agent's host, in the caller's unit: as many rows as there may be runs and comparisons. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<ComparisonTables>(unit);
      await tx.deleteFrom("image_runs").where("host", "=", agentId).execute();
      await tx.deleteFrom("update_comparisons").where("host", "=", agentId).execute();
    },

    /** Comparisons whose evaluation is due, the longest due first. */
    async due(now: Date, limit: number): Promise<Comparison[]> {
      const rows = await tables.read
        .selectFrom("update_comparisons")
        .selectAll()
        .where("due_at", "<=", now.getTime())
        .orderBy("due_at")
        .limit(limit)
        .execute();
      return rows.map(comparisonFromRow);
    },

    /** Saves an evaluation of a comparison, if no other program has evaluated it meanwhile; whether it was saved. */
    async saveEvaluation(before: Comparison, after: Comparison): Promise<boolean> {
      return tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("update_comparisons")
          .set(comparisonToRow(after))
          .where("id", "=", before.id)
          .where("look", "=", before.evaluation)
          .where("due_at", "=", before.dueAt?.getTime() ?? null)
          .executeTakeFirst();
        return Number(numUpdatedRows) > 0;
      });
    },

    /** Deletes comparisons of changes before a time, and the oldest beyond a number, a bounded number a call; answers which. */
    async prune({ before, most }: { before: Date; most: number }): Promise<number[]> {
      return tables.write(async (tx) => {
        const first = await tx
          .selectFrom("update_comparisons")
          .select("changed_at")
          .orderBy("changed_at", "desc")
          .orderBy("id", "desc")
          .offset(most)
          .limit(1)
          .executeTakeFirst();
        const rows = await tx
          .selectFrom("update_comparisons")
          .select("id")
          .where(({ eb, or }) =>
            or([eb("changed_at", "<", before.getTime()), ...(first === undefined ? [] : [eb("changed_at", "<=", first.changed_at)])]),
          )
          .orderBy("changed_at")
          .orderBy("id")
          .limit(PRUNE_BATCH)
          .execute();
        const ids = rows.map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("update_comparisons").where("id", "in", ids).execute();
        return ids;
      });
    },
  };
}

async function insert(tx: Kysely<ComparisonTables>, comparison: Omit<Comparison, "id">): Promise<Comparison> {
  const { id } = await tx.insertInto("update_comparisons").values(comparisonToRow(comparison)).returning("id").executeTakeFirstOrThrow();
  return { ...comparison, id };
}

async function update(tx: Kysely<ComparisonTables>, comparison: Comparison): Promise<void> {
  await tx.updateTable("update_comparisons").set(comparisonToRow(comparison)).where("id", "=", comparison.id).execute();
}

/** Another image began to run under a name of a host. */
interface ImageChange {
  /** Of the comparison that it began. */
  id: number;
  at: Date;
  agentId: string | null;
  name: string;
  image: string;
  imageDigest: string | null;
  previousImage: string;
  previousDigest: string | null;
}

export interface PastOfImages extends PastChanges<ImageChange> {
  /** Those of one name within a span of time, newest first. */
  ofName(of: { agentId: string | null; name: string; from: Date; to: Date; limit: number }): Promise<ImageChange[]>;
}

const COLUMNS = ["id", "host", "name", "changed_at", "image", "image_digest", "before_image", "before_digest"] as const;

type Row = Pick<Selectable<ComparisonTables["update_comparisons"]>, (typeof COLUMNS)[number]>;

/** Which images took over from which, newest first. */
export function createPastStore(database: Database): PastOfImages {
  const tables = database.tables<ComparisonTables>();
  return {
    ...pastChanges({
      from: (_since, whose) => tables.read.selectFrom("update_comparisons").where(isOf("host", whose === null ? "local" : whose)),
      at: "changed_at",
      id: "id",
      select: (query) => query.select(COLUMNS),
      read: fromRow,
    }),
    async ofName({ agentId, name, from, to, limit }) {
      const rows = await tables.read
        .selectFrom("update_comparisons")
        .select(COLUMNS)
        .where("changed_at", ">=", from.getTime())
        .where("changed_at", "<=", to.getTime())
        .where("host", "=", agentId ?? "local")
        .where("name", "=", name)
        .orderBy("changed_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
  };
}

function fromRow(row: Row): ImageChange {
  return {
    id: row.id,
    at: new Date(row.changed_at),
    agentId: row.host === "local" ? null : row.host,
    name: row.name,
    image: row.image,
    imageDigest: row.image_digest,
    previousImage: row.before_image,
    previousDigest: row.before_digest,
  };
}
