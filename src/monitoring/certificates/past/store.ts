import { sql } from "kysely";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { Database } from "../../../storage/database.ts";
import { isOf, pastChanges } from "../../../storage/look-back.ts";
import { type Facts, factsFromText } from "../rows.ts";
import type { CertificateTables } from "../tables.ts";

/** A check that showed what was not seen of its peer before: another certificate, or another chain to it. */
export interface CertificateChange {
  /** Of the check. */
  id: number;
  at: Date;
  certificateId: number;
  domain: string;
  agentId: string | null;
  shown: Facts;
  /** What was new before it; null for the first. */
  before: Facts | null;
}

/** When peers showed something new, newest first. What comes back after something else is not new. */
export function createPastStore(database: Database): PastChanges<CertificateChange> {
  const tables = database.tables<CertificateTables>();
  return pastChanges({
    from: (_since, whose) =>
      tables.read
        .selectFrom("certificate_facts as facts")
        .innerJoin("certificates", "certificates.id", "facts.certificate_id")
        .innerJoin("certificate_checks as first", (join) =>
          join.on("first.id", "=", sql<number>`(SELECT MIN(id) FROM certificate_checks WHERE facts_id = facts.id)`),
        )
        .where(isOf("certificates.agent_id", whose)),
    at: "first.checked_at",
    id: "first.id",
    select: (query) =>
      query
        .select(["first.id", "first.checked_at", "facts.certificate_id", "facts.facts", "certificates.domain", "certificates.agent_id"])
        .select(
          sql<string | null>`(SELECT older.facts FROM certificate_facts older
            WHERE older.certificate_id = facts.certificate_id AND older.id < facts.id ORDER BY older.id DESC LIMIT 1)`.as("before"),
        ),
    read: (row) => ({
      id: row.id,
      at: new Date(row.checked_at),
      certificateId: row.certificate_id,
      domain: row.domain,
      agentId: row.agent_id,
      shown: factsFromText(row.facts),
      before: row.before === null ? null : factsFromText(row.before),
    }),
  });
}
