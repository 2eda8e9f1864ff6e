import { createHash, type Hash } from "node:crypto";
import { StartError } from "../../platform/errors.ts";
import { encodeRow } from "./backup-file.ts";
import { copiedTablesOf, type Row, type Table } from "./table.ts";
import type { Progress, Target, Source } from "./target.ts";

export interface Copied {
  tables: number;
  rows: number;
  /** Rows that an interrupted copy had copied already. */
  resumedRows: number;
  /** Where the earlier database is kept; null when there was none. */
  kept: string | null;
}

/** The rows of an interrupted copy differ from the first rows of the source. */
class SourceChanged extends Error {}

/**
 * Copies all rows of a source into a target and, if the counts are equal, puts it in place. With a revocation, access that the source grants is
 * withdrawn first. Throws a StartError; then nothing was changed.
 */
export async function restoreInto(target: Target, source: Source, revocation?: Revocation): Promise<Copied> {
  await target.begin({ migrations: source.migrations, resume: false });
  return finish(source, target, { ...(await transfer(source, target, undefined)), revocation });
}

/**
 * The same into a target that must be empty, over several runs if one is interrupted: rows that are there already are compared with those of the
 * source by their SHA-256. Calls `onRestart` when the source has changed since, and the copy starts again.
 */
export async function copyInto(target: Target, source: Source, onRestart: () => void): Promise<Copied> {
  if (await target.isTaken()) throw new StartError(`There is a database already: ${target.where}. Name one that is empty.`);
  const begin = { migrations: source.migrations, resume: true };
  try {
    return await finish(source, target, await transfer(source, target, await target.begin(begin)));
  } catch (error) {
    if (!(error instanceof SourceChanged)) throw error;
    onRestart();
    await target.begin({ ...begin, resume: false });
    return finish(source, target, await transfer(source, target, undefined));
  }
}

interface Transferred {
  counts: Record<string, number>;
  resumedRows: number;
  revocation?: Revocation | undefined;
}

/** `known` is the progress of an interrupted copy; undefined for a copy in one run. */
async function transfer(source: Source, target: Target, known: ReadonlyMap<string, Progress> | undefined): Promise<Transferred> {
  const counts: Record<string, number> = {};
  let resumedRows = 0;
  let hash: Hash | undefined;
  let current: Table | undefined;
  for await (const { table, rows } of source.read()) {
    if (table !== current) {
      current = table;
      hash = known && createHash("sha256");
    }
    const before = counts[table.name] ?? 0;
    counts[table.name] = before + rows.length;
    const there = known?.get(table.name);
    const passed = Math.min(Math.max((there?.rows ?? 0) - before, 0), rows.length);
    feed(hash, rows.slice(0, passed));
    resumedRows += passed;
    if (there !== undefined && passed > 0 && before + passed === there.rows && digestOf(hash) !== there.sha256) throw new SourceChanged();
    const added = rows.slice(passed);
    if (added.length === 0) continue;
    feed(hash, added);
    await target.insert(table, added, hash && { rows: before + rows.length, sha256: digestOf(hash) });
  }
  for (const [name, { rows }] of known ?? []) if ((counts[name] ?? 0) < rows) throw new SourceChanged();
  return { counts, resumedRows };
}

async function finish(source: Source, target: Target, { counts, resumedRows, revocation }: Transferred): Promise<Copied> {
  const tables = copiedTablesOf(source.migrations);
  const found = await target.counts(tables);
  for (const { name } of tables) {
    const wanted = counts[name] ?? 0;
    if (found[name] !== wanted)
      throw new StartError(`The table ${name} has ${found[name]} rows after the copy in place of ${wanted}. Nothing was changed.`);
  }
  if (revocation !== undefined) await target.amend(revocationStatements(tables, revocation));
  const kept = await target.finish(await source.counters());
  const rows = Object.values(counts).reduce((sum, each) => sum + each, 0);
  return { tables: tables.length, rows, resumedRows, kept };
}

function feed(hash: Hash | undefined, rows: readonly Row[]): void {
  if (hash !== undefined) for (const row of rows) hash.update(encodeRow(row)).update("\n");
}

function digestOf(hash: Hash | undefined): string {
  return hash?.copy().digest("hex") ?? "";
}

/** The time before which everything that a backup still grants access to is revoked. */
interface Revocation {
  at: Date;
  /** When the last cookie of a session that began before that expires. */
  sessionsEndAt: Date;
}

/**
 * SQL for both databases that revokes access which may have been used up, ended or deleted since the backup: sessions of the login form, connections
 * of assistants, and open enrollment tokens. Tables that an old backup does not have are left out.
 */
function revocationStatements(tables: readonly Table[], { at, sessionsEndAt }: Revocation): string[] {
  const nowMs = at.getTime();
  const statements = {
    ended_sessions: [
      "DELETE FROM ended_sessions WHERE id = '*'",
      `INSERT INTO ended_sessions (id, ended_at, expires_at) VALUES ('*', ${nowMs}, ${sessionsEndAt.getTime()})`,
    ],
    mcp_connections: [`UPDATE mcp_connections SET revoked_at = ${nowMs} WHERE revoked_at IS NULL AND expires_at > ${nowMs}`],
    mcp_tokens: ["DELETE FROM mcp_tokens"],
    mcp_codes: ["DELETE FROM mcp_codes"],
    enrollment_tokens: [`UPDATE enrollment_tokens SET expires_at = ${nowMs} WHERE consumed_at IS NULL AND expires_at > ${nowMs}`],
  };
  return Object.entries(statements).flatMap(([name, texts]) => (tables.some((table) => table.name === name) ? texts : []));
}
