import type { Database } from "../../storage/database.ts";
import { inBatches, inTables, type Unit } from "../../storage/statements.ts";
import type { EnrichmentDetails, Outline } from "./enrichment.ts";
import type { KnownImage, Exclusion, Pin, Scan } from "./known-image.ts";
import {
  detailsFromRow,
  enrichmentToRow,
  exclusionFromRow,
  imageFromRow,
  imageToRow,
  type KeptOutline,
  outlineFromRow,
  pinFromRow,
  pinToRow,
  scanFromRow,
  scanToRow,
  type UpdateTables,
} from "./rows.ts";

/** The one row by which programs that share a database agree who scans. */
const CLAIM = 1;
export const SCANS_KEPT = 100;
/** Parameters of one statement. */
const AT_ONCE = 200;

export type UpdateStore = ReturnType<typeof createUpdateStore>;

export function createUpdateStore(database: Database) {
  const tables = database.tables<UpdateTables>();
  return {
    ...createDecisionStore(database),

    /** One file has one program: nobody else can be at a scan. */
    isShared: database.capabilities.migrationLock !== null,

    async images(): Promise<{ subject: string; known: KnownImage }[]> {
      return (await tables.read.selectFrom("update_images").selectAll().execute()).map(imageFromRow);
    },

    async saveImages(subjects: readonly string[], known: KnownImage): Promise<void> {
      await tables.write(async (tx) => {
        for (const subject of subjects) {
          const row = imageToRow(subject, known);
          await tx
            .insertInto("update_images")
            .values(row)
            .onConflict((conflict) => conflict.column("subject").doUpdateSet({ facts: row.facts, checked_at: row.checked_at }))
            .execute();
        }
      });
    },

    async forget(kind: "update_images" | "update_enrichments", subjects: readonly string[]): Promise<void> {
      for (const some of inBatches(subjects, AT_ONCE))
        await tables.write((tx) => tx.deleteFrom(kind).where("subject", "in", some).execute());
    },

    async outlines(): Promise<KeptOutline[]> {
      const rows = await tables.read.selectFrom("update_enrichments").select(["subject", "outline", "checked_at"]).execute();
      return rows.map(outlineFromRow);
    },

    async details(subject: string): Promise<EnrichmentDetails | undefined> {
      const row = await tables.read.selectFrom("update_enrichments").select("details").where("subject", "=", subject).executeTakeFirst();
      return row && detailsFromRow(row);
    },

    async saveEnrichment(subject: string, outline: Outline, details: EnrichmentDetails, now: Date): Promise<void> {
      const row = enrichmentToRow(subject, outline, details, now);
      const { subject: _, ...rest } = row;
      await tables.write((tx) =>
        tx
          .insertInto("update_enrichments")
          .values(row)
          .onConflict((conflict) => conflict.column("subject").doUpdateSet(rest))
          .execute(),
      );
    },

    async latestScan(): Promise<Scan | undefined> {
      const row = await tables.read.selectFrom("update_scans").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
      return row && scanFromRow(row);
    },

    async scan(scanId: string): Promise<Scan | undefined> {
      const row = await tables.read.selectFrom("update_scans").selectAll().where("scan_id", "=", scanId).executeTakeFirst();
      return row && scanFromRow(row);
    },

    /** Makes the claim its own, where no program that is alive has it; false when one does. Keeps only the latest scans. */
    async beginScan(scan: Scan, staleBefore: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("update_scan_claim")
          .set({ scan_id: scan.scanId, alive_at: scan.startedAt.getTime() })
          .where("id", "=", CLAIM)
          .where(({ eb, or }) => or([eb("scan_id", "is", null), eb("alive_at", "<", staleBefore.getTime())]))
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return false;
        await tx.insertInto("update_scans").values(scanToRow(scan)).execute();
        const [oldest] = await tx.selectFrom("update_scans").select("id").orderBy("id", "desc").offset(SCANS_KEPT).limit(1).execute();
        if (oldest !== undefined) await tx.deleteFrom("update_scans").where("id", "<=", oldest.id).execute();
        return true;
      });
    },

    /** How a scan stands; false when its claim was taken from it. Gives the claim back once it is over. */
    async saveScan(scan: Scan, now: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("update_scan_claim")
          .set({ alive_at: now.getTime(), scan_id: scan.status === "running" ? scan.scanId : null })
          .where("id", "=", CLAIM)
          .where("scan_id", "=", scan.scanId)
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) return false;
        await tx.updateTable("update_scans").set(scanToRow(scan)).where("scan_id", "=", scan.scanId).execute();
        return true;
      });
    },

    /** Ends the scans whose programs are gone; `all`: no other program can be at one. */
    async endAbandoned(now: Date, { staleBefore, failure }: { staleBefore: Date | "all"; failure: string }): Promise<void> {
      await tables.write(async (tx) => {
        const claim = await tx.selectFrom("update_scan_claim").selectAll().where("id", "=", CLAIM).executeTakeFirst();
        const isStale = claim?.scan_id != null && (staleBefore === "all" || claim.alive_at < staleBefore.getTime());
        if (isStale) await tx.updateTable("update_scan_claim").set({ scan_id: null }).where("id", "=", CLAIM).execute();
        const alive = isStale ? null : (claim?.scan_id ?? null);
        let query = tx
          .updateTable("update_scans")
          .set({ status: "failed", failure, completed_at: now.getTime() })
          .where("status", "=", "running");
        if (alive !== null) query = query.where("scan_id", "<>", alive);
        await query.execute();
      });
    },
  };
}

/** What people decided. */
function createDecisionStore(database: Database) {
  const tables = database.tables<UpdateTables>();
  return {
    async pins(): Promise<Pin[]> {
      return (await tables.read.selectFrom("update_pins").selectAll().orderBy("id").execute()).map(pinFromRow);
    },

    /** In the place of the one with this id, or of another one for the same name. */
    async savePin(pin: Omit<Pin, "id">, id: number | undefined): Promise<Pin> {
      const row = pinToRow(pin);
      const saved = await tables.write(async (tx) => {
        if (id !== undefined) await tx.deleteFrom("update_pins").where("id", "=", id).execute();
        return tx
          .insertInto("update_pins")
          .values(row)
          .onConflict((conflict) => conflict.columns(["host", "container_name"]).doUpdateSet(row))
          .returning("id")
          .executeTakeFirstOrThrow();
      });
      return { ...pin, id: saved.id };
    },

    async deletePins(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("update_pins").where("id", "in", ids).execute());
    },

    /** Deletes the pins of an agent's host, in the caller's unit. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      await inTables<UpdateTables>(unit).deleteFrom("update_pins").where("host", "=", agentId).execute();
    },

    async exclusions(): Promise<Exclusion[]> {
      return (await tables.read.selectFrom("update_exclusions").selectAll().orderBy("id").execute()).map(exclusionFromRow);
    },

    /** Undefined when there is the same already. */
    async addExclusion(image: string, at: Date): Promise<Exclusion | undefined> {
      const row = await tables.write((tx) =>
        tx
          .insertInto("update_exclusions")
          .values({ image, created_at: at.getTime() })
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst(),
      );
      return row && { id: row.id, image, at };
    },

    async deleteExclusion(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("update_exclusions").where("id", "=", id).execute());
    },
  };
}
