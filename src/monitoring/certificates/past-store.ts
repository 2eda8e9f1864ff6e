import { sql } from "kysely";
import { HOUR_MS, MINUTE_MS, toDate } from "../../contract/time.ts";
import type { CertificateStatus } from "../../events.ts";
import type { PastChanges, Whose } from "../../platform/look-back.ts";
import type { Database } from "../../storage/database.ts";
import { isOf, pastChanges } from "../../storage/look-back.ts";
import { inBatches } from "../../storage/statements.ts";
import type { CertificateAt } from "./certificate.ts";
import { nameOf } from "./changes.ts";
import { type Facts, factsFromText, type CertificateTables } from "./rows.ts";
import { wrongWith } from "./verdict.ts";

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

export type MomentOfCertificates = (at: Date, whose: Whose) => Promise<CertificateAt[]>;

/** Rows that are asked for by one statement. */
const BATCH = 2_000;

export function createMomentStore(database: Database): MomentOfCertificates {
  const tables = database.tables<CertificateTables>();

  async function checksOf(ids: readonly number[]) {
    const found = [];
    for (const some of inBatches(ids, BATCH))
      found.push(
        ...(await tables.read
          .selectFrom("certificate_checks")
          .leftJoin("certificate_facts", "certificate_facts.id", "certificate_checks.facts_id")
          .select(["certificate_checks.id", "status", "error", "checked_at", "facts"])
          .where("certificate_checks.id", "in", some)
          .execute()),
      );
    return new Map(found.map(({ facts, ...row }) => [row.id, { ...row, facts: facts === null ? null : factsFromText(facts) }]));
  }

  /** The checks that saw a certificate last before some that saw none, by those. A certificate has few facts, each with its entry of the index. */
  async function seenBefore(ids: readonly number[]): Promise<Map<number, number>> {
    const seen = new Map<number, number>();
    for (const some of inBatches(ids, BATCH)) {
      const rows = await tables.read
        .selectFrom("certificate_checks as unseen")
        .innerJoin("certificate_facts as facts", "facts.certificate_id", "unseen.certificate_id")
        .select("unseen.id")
        .select(
          sql<number | null>`MAX((SELECT MAX(past.id) FROM certificate_checks AS past
            WHERE past.facts_id = facts.id AND past.id < unseen.id))`.as("seen_id"),
        )
        .where("unseen.id", "in", some)
        .groupBy("unseen.id")
        .execute();
      for (const { id, seen_id: seenId } of rows) if (seenId !== null) seen.set(id, seenId);
    }
    return seen;
  }

  return async (at, whose) => {
    const atMs = at.getTime();
    const rows = await tables.read
      .selectFrom("certificates")
      .select(["id", "agent_id", "domain", "port", "server_name", "check_interval_ms"])
      .select(
        sql<number | null>`(SELECT past.id FROM certificate_checks AS past WHERE past.certificate_id = certificates.id
          AND past.checked_at <= ${atMs} ORDER BY past.checked_at DESC, past.id DESC LIMIT 1)`.as("check_id"),
      )
      .select(
        sql<number | null>`(SELECT MIN(past.checked_at) FROM certificate_checks AS past WHERE past.certificate_id = certificates.id)`.as(
          "first_at",
        ),
      )
      .where("created_at", "<=", atMs)
      .where(isOf("agent_id", whose))
      .orderBy("id")
      .execute();
    const checks = await checksOf(rows.flatMap(({ check_id: id }) => id ?? []));
    const seenIds = await seenBefore([...checks.values()].filter(({ facts }) => facts === null).map(({ id }) => id));
    const seen = await checksOf([...seenIds.values()]);
    return rows.map((row) => {
      const check = row.check_id === null ? undefined : checks.get(row.check_id);
      const speaks = check !== undefined && atMs - check.checked_at <= longestMs(row.check_interval_ms);
      const peer = { domain: row.domain, port: row.port, serverName: row.server_name };
      const shown = speaks ? check.facts : null;
      // This column holds what saveCheck wrote.
      const status = speaks ? (check.status as CertificateStatus) : "unknown";
      const known = check?.facts ?? seen.get(seenIds.get(check?.id ?? 0) ?? 0)?.facts;
      return {
        id: row.id,
        agentId: row.agent_id,
        name: nameOf(peer),
        peer,
        status,
        message: shown !== null ? wrongWith(status, shown, at) : speaks ? check.error : null,
        isTrusted: shown && shown.chainValid && shown.hostnameMatch !== false,
        lastCheckAt: toDate(check?.checked_at ?? null),
        error: check?.error ?? null,
        expiresAt: known?.leaf?.expiresAt ?? null,
        knownSince: toDate(row.first_at),
      };
    });
  };
}

/** How long one check speaks for its certificate: until the next is saved, which may be late. Scans that show nothing new are saved once an hour. */
function longestMs(intervalMs: number): number {
  return 1.5 * Math.max(intervalMs, HOUR_MS) + MINUTE_MS;
}
