import { type Kysely, sql } from "kysely";
import { MINUTE_MS } from "../../contract/time.ts";
import type { CertificateStatus } from "../../events.ts";
import type { CertificateScan } from "../../observations.ts";
import type { Database } from "../../storage/database.ts";
import { columnOf, updateRows, inBatches, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import type { Certificate, SavedCertificate } from "./certificate.ts";
import {
  certificateFromRow,
  certificateToRow,
  factsFromText,
  factsToText,
  type SavedCheck,
  CERTIFICATE_TYPES,
  type CertificateTables,
} from "./rows.ts";

export interface CheckPage {
  certificateId: number;
  since: Date;
  until: Date;
  limit: number;
  offset: number;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 500;
/** Certificates purged by one statement; each may have a thousand checks. */
const PURGED_CERTIFICATES = 10;

export type CertificateStore = ReturnType<typeof createCertificateStore>;

/** Added to its interval: a claim sets the next check a minute ahead. */
const MOST_AHEAD_MS = MINUTE_MS;

/** Saves in the same unit what follows. */
type Also = (unit: object) => Promise<void>;

export function createCertificateStore(database: Database) {
  const tables = database.tables<CertificateTables>();

  const insert = keptRows((tx: Kysely<CertificateTables>, rows: readonly ReturnType<typeof certificateToRow>[]) =>
    tx
      .insertInto("certificates")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id"),
  );
  const update = keptRows((tx: Kysely<CertificateTables>, rows: readonly (ReturnType<typeof certificateToRow> & { id: number })[]) =>
    updateRows(tx, {
      table: "certificates",
      types: CERTIFICATE_TYPES,
      rows,
      condition: sql`AND NOT EXISTS (SELECT 1 FROM certificates AS other WHERE other.id <> certificates.id AND other.agent_id IS NULL
        AND other.domain = CAST(${columnOf(rows, "domain")} AS TEXT) AND other.port = CAST(${columnOf(rows, "port")} AS BIGINT)
        AND other.server_name = CAST(${columnOf(rows, "server_name")} AS TEXT))`,
    }),
  );

  function checks() {
    return tables.read
      .selectFrom("certificate_checks")
      .leftJoin("certificate_facts", "certificate_facts.id", "certificate_checks.facts_id")
      .select(["certificate_checks.id", "status", "error", "checked_at", "facts"]);
  }

  return {
    async load(): Promise<SavedCertificate[]> {
      const rows = await tables.read.selectFrom("certificates").selectAll().orderBy("id").execute();
      return rows.map(certificateFromRow);
    },

    /** Answers the identifier; undefined when the same peer is watched already. */
    async insert(certificate: Certificate, also: (unit: object, id: number) => Promise<void>): Promise<number | undefined> {
      return tables.write(async (tx) => {
        const [row] = await insert(tx, [certificateToRow(certificate)]);
        if (row !== undefined) await also(tx, row.id);
        return row?.id;
      });
    },

    /** Saves new ones and changed ones of the local host together; `also` gets the new identifiers in the order given. False when another has the same peer or key. */
    async setUp(
      { created, changed }: { created: readonly Certificate[]; changed: readonly SavedCertificate[] },
      also: (unit: object, ids: readonly number[]) => Promise<void>,
    ): Promise<boolean> {
      try {
        await tables.write(async (tx) => {
          const updated = await update(
            tx,
            changed.map(({ id, ...certificate }) => ({ ...certificateToRow(certificate), id })),
          );
          const rows = await insert(tx, created.map(certificateToRow));
          if (updated.length < changed.length || rows.length < created.length) throw new TakenError();
          // The rows of a statement are numbered in their order, and may be returned in another.
          const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
          await also(tx, ids);
        });
        return true;
      } catch (error) {
        if (error instanceof TakenError) return false;
        throw error;
      }
    },

    /** False when another is watching the same peer. */
    async update({ id, ...certificate }: SavedCertificate, also: Also): Promise<boolean> {
      return tables.write(async (tx) => {
        const { domain, port, serverName, agentId } = certificate;
        const other = await tx
          .selectFrom("certificates")
          .select("id")
          .where("domain", "=", domain)
          .where("port", "=", port)
          .where("server_name", "=", serverName)
          .where("agent_id", agentId === null ? "is" : "=", agentId)
          .where("id", "!=", id)
          .executeTakeFirst();
        if (other !== undefined) return false;
        await tx.updateTable("certificates").set(certificateToRow(certificate)).where("id", "=", id).execute();
        await also(tx);
        return true;
      });
    },

    /** Saves a check with what it makes of the certificate; answers the check's identifier. */
    async saveCheck(
      { id, ...certificate }: SavedCertificate,
      { scan, at }: { scan: CertificateScan; at: Date },
      also: Also,
    ): Promise<number> {
      return tables.write(async (tx) => {
        await also(tx);
        await tx.updateTable("certificates").set(certificateToRow(certificate)).where("id", "=", id).execute();
        const row = await tx
          .insertInto("certificate_checks")
          .values({
            certificate_id: id,
            facts_id: await keepFacts(tx, id, scan),
            status: certificate.state.status,
            error: certificate.state.lastError,
            checked_at: at.getTime(),
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return row.id;
      });
    },

    async remove(id: number, also: Also): Promise<void> {
      await tables.write(async (tx) => {
        await tx.deleteFrom("certificates").where("id", "=", id).execute();
        await also(tx);
      });
    },

    /** Deletes an agent's certificates with their checks, inside of a unit; a bounded number of rows a statement. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<CertificateTables>(unit);
      const rows = await tx
        .selectFrom("certificates")
        .select("id")
        .where(sql<string>`COALESCE(agent_id, '')`, "=", agentId)
        .execute();
      const ids = rows.map(({ id }) => id);
      for (const some of inBatches(ids, PURGED_CERTIFICATES)) await tx.deleteFrom("certificates").where("id", "in", some).execute();
    },

    /** Those of the local host whose time has come, the longest overdue first; all that are further ahead than their interval too: the clock was set back. */
    async due(now: Date): Promise<{ id: number; dueAt: Date }[]> {
      const rows = await tables.read
        .selectFrom("certificates")
        .select(["id", "next_check_at"])
        .where("agent_id", "is", null)
        .where(({ eb, or }) =>
          or([
            eb("next_check_at", "<=", now.getTime()),
            eb("next_check_at", ">", eb(eb.ref("check_interval_ms"), "+", now.getTime() + MOST_AHEAD_MS)),
          ]),
        )
        .orderBy("next_check_at")
        .execute();
      return rows.map((row) => ({ id: row.id, dueAt: new Date(row.next_check_at) }));
    },

    /** Takes a check that was due then; false when somebody else has. If its taker dies it is due again at `againAt`. */
    async claim(id: number, dueAt: Date, againAt: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("certificates")
          .set({ next_check_at: againAt.getTime() })
          .where("id", "=", id)
          .where("next_check_at", "=", dueAt.getTime())
          .executeTakeFirst();
        return Number(numUpdatedRows) === 1;
      });
    },

    async latestCheck(certificateId: number): Promise<SavedCheck | undefined> {
      const row = await checks()
        .where("certificate_checks.certificate_id", "=", certificateId)
        .orderBy("checked_at", "desc")
        .orderBy("certificate_checks.id", "desc")
        .executeTakeFirst();
      return row === undefined ? undefined : checkFromRow(row);
    },

    async checks({ certificateId, since, until, limit, offset }: CheckPage): Promise<{ checks: SavedCheck[]; total: number }> {
      const { total } = await tables.read
        .selectFrom("certificate_checks")
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .where("certificate_id", "=", certificateId)
        .where("checked_at", ">=", since.getTime())
        .where("checked_at", "<=", until.getTime())
        .executeTakeFirstOrThrow();
      const rows = await checks()
        .where("certificate_checks.certificate_id", "=", certificateId)
        .where("checked_at", ">=", since.getTime())
        .where("checked_at", "<=", until.getTime())
        .orderBy("checked_at", "desc")
        .orderBy("certificate_checks.id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      return { checks: rows.map(checkFromRow), total: Number(total) };
    },

    /** Deletes checks before a time, and facts that no check shows any more, a bounded number of rows a call; true while there is more. */
    async prune(before: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("certificate_checks")
          .select("id")
          .where("checked_at", "<", before.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        const ids = old.map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("certificate_checks").where("id", "in", ids).execute();
        // Also those whose checks others deleted.
        await tx
          .deleteFrom("certificate_facts")
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("certificate_checks").select("facts_id").whereRef("certificate_checks.facts_id", "=", "certificate_facts.id"),
              ),
            ),
          )
          .execute();
        return old.length === PRUNE_BATCH;
      });
    },
  };
}

/** Ends a unit of which nothing is to be kept. */
class TakenError extends Error {}

/** What a scan showed is kept once for each certificate. */
async function keepFacts(tx: Kysely<CertificateTables>, certificateId: number, scan: CertificateScan): Promise<number | null> {
  const text = factsToText(scan);
  if (text === undefined) return null;
  const known = await tx
    .selectFrom("certificate_facts")
    .select("id")
    .where("certificate_id", "=", certificateId)
    .where("digest", "=", text.digest)
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const { id } = await tx
    .insertInto("certificate_facts")
    .values({ certificate_id: certificateId, ...text })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

function checkFromRow(row: { id: number; status: string; error: string | null; checked_at: number; facts: string | null }): SavedCheck {
  return {
    id: row.id,
    // This column holds what saveCheck wrote.
    status: row.status as CertificateStatus,
    error: row.error,
    facts: row.facts === null ? null : factsFromText(row.facts),
    at: new Date(row.checked_at),
  };
}
