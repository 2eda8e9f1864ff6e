import type { Database } from "../../storage/database.ts";
import { inTables, type Unit } from "../../storage/statements.ts";
import type { Acknowledgment } from "./acknowledgment.ts";
import { acknowledgmentFromRow, acknowledgmentToRow, dayFromRow, dayToRow, type PostureDay, type SecurityTables } from "./rows.ts";

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 500;

export type SecurityStore = ReturnType<typeof createSecurityStore>;

export function createSecurityStore(database: Database) {
  const tables = database.tables<SecurityTables>();
  return {
    async acknowledgments(): Promise<Acknowledgment[]> {
      const rows = await tables.read.selectFrom("security_acknowledgments").selectAll().orderBy("id").execute();
      return rows.map(acknowledgmentFromRow);
    },

    /** All in one unit; undefined in the place of one that somebody else acknowledged before. */
    async acknowledge(acknowledgments: readonly Omit<Acknowledgment, "id">[]): Promise<(Acknowledgment | undefined)[]> {
      return tables.write(async (tx) => {
        const saved: (Acknowledgment | undefined)[] = [];
        for (const acknowledgment of acknowledgments) {
          const row = await tx
            .insertInto("security_acknowledgments")
            .values(acknowledgmentToRow(acknowledgment))
            .onConflict((conflict) => conflict.doNothing())
            .returning("id")
            .executeTakeFirst();
          saved.push(row === undefined ? undefined : { ...acknowledgment, id: row.id });
        }
        return saved;
      });
    },

    async revoke(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("security_acknowledgments").where("id", "in", ids).execute());
    },

    /** The days of a host from one on, oldest first. */
    async days(host: string, from: string): Promise<PostureDay[]> {
      const rows = await tables.read
        .selectFrom("security_posture_days")
        .selectAll()
        .where("host", "=", host)
        .where("day", ">=", from)
        .orderBy("day")
        .execute();
      return rows.map(dayFromRow);
    },

    /** Each in the place of what was known of its day. */
    async saveDays(days: readonly PostureDay[], now: Date): Promise<void> {
      await tables.write(async (tx) => {
        for (const day of days) {
          const { host: _host, day: _day, ...rest } = dayToRow(day, now);
          await tx
            .insertInto("security_posture_days")
            .values(dayToRow(day, now))
            .onConflict((conflict) => conflict.columns(["host", "day"]).doUpdateSet(rest))
            .execute();
        }
      });
    },

    /** Deletes what is kept of an agent's host, in the caller's unit: as many rows as there may be acknowledgments and days. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<SecurityTables>(unit);
      await tx.deleteFrom("security_acknowledgments").where("host", "=", agentId).execute();
      await tx.deleteFrom("security_posture_days").where("host", "=", agentId).execute();
    },

    /** Deletes days before one, a bounded number a call; true while there is more. */
    async pruneDays(before: string): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("security_posture_days")
          .select(["host", "day"])
          .where("day", "<", before)
          .limit(PRUNE_BATCH)
          .execute();
        for (const { host, day } of old)
          await tx.deleteFrom("security_posture_days").where("host", "=", host).where("day", "=", day).execute();
        return old.length === PRUNE_BATCH;
      });
    },
  };
}
