import type { Generated, Selectable } from "kysely";
import { z } from "zod";
import { INSIGHT_TYPES } from "../../events.ts";
import type { Database } from "../../storage/database.ts";
import { inTables, type Unit } from "../../storage/statements.ts";
import type { Acknowledgment } from "./acknowledgment.ts";

/** The columns of this feature's tables; see storage/migrations/016-security.ts for their meaning. */
interface SecurityTables {
  security_acknowledgments: AcknowledgmentRow;
  security_posture_days: PostureDayRow;
}

interface AcknowledgmentRow {
  id: Generated<number>;
  host: string;
  container_id: number;
  container_name: string;
  finding_type: string;
  finding_key: string;
  acknowledged_by: string;
  reason: string;
  acknowledged_at: number;
}

interface PostureDayRow extends PostureDay {
  updated_at: number;
}

/** The posture of one UTC day, as it was when that day was last looked at. */
export interface PostureDay {
  /** `all`, `local`, or an agent's UUID. */
  host: string;
  /** `YYYY-MM-DD`. */
  day: string;
  score: number;
  containers: number;
  critical: number;
  high: number;
  medium: number;
  acknowledged: number;
}

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
      return rows.map(({ updated_at: _, ...day }) => day);
    },

    /** Each in the place of what was known of its day. */
    async saveDays(days: readonly PostureDay[], now: Date): Promise<void> {
      await tables.write(async (tx) => {
        for (const day of days) {
          const row = { ...day, updated_at: now.getTime() };
          await tx
            .insertInto("security_posture_days")
            .values(row)
            .onConflict((conflict) => conflict.columns(["host", "day"]).doUpdateSet(row))
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

const findingType = z.enum(INSIGHT_TYPES);

/** What was saved was checked before; a row that is otherwise was changed by another hand and is a defect. */
function acknowledgmentFromRow(row: Selectable<AcknowledgmentRow>): Acknowledgment {
  return {
    id: row.id,
    host: row.host,
    containerId: row.container_id,
    containerName: row.container_name,
    type: findingType.parse(row.finding_type),
    key: row.finding_key,
    by: row.acknowledged_by,
    reason: row.reason,
    at: new Date(row.acknowledged_at),
  };
}

function acknowledgmentToRow(acknowledgment: Omit<Acknowledgment, "id">): Omit<AcknowledgmentRow, "id"> {
  return {
    host: acknowledgment.host,
    container_id: acknowledgment.containerId,
    container_name: acknowledgment.containerName,
    finding_type: acknowledgment.type,
    finding_key: acknowledgment.key,
    acknowledged_by: acknowledgment.by,
    reason: acknowledgment.reason,
    acknowledged_at: acknowledgment.at.getTime(),
  };
}
