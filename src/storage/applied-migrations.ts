import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { capitalise } from "../contract/words.ts";
import { StartError } from "../platform/errors.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Migration } from "./migrations/migration.ts";

export interface AppliedRow {
  name: string;
  /** null when a version without checksums applied the migration. */
  checksum: string | null;
}

/** A string literal of SQL, whose spaces count, or whitespace, which does not count. */
const LITERAL_OR_SPACE = /'(?:[^']|'')*'|\s+/g;

/** The SHA-256 of the statements that a migration runs on a database, whatever the layout of their text. */
export function checksumOf(migration: Migration, capabilities: Capabilities): string {
  const hash = createHash("sha256");
  for (const statement of migration.statements(capabilities)) {
    const text = statement.trim().replaceAll(LITERAL_OR_SPACE, (part) => (part.startsWith("'") ? part : " "));
    hash.update(`${text};\n`);
  }
  return hash.digest("hex");
}

/** Creates the table of applied migrations if it is missing, and returns its rows. */
export async function readApplied(connection: Kysely<never>): Promise<AppliedRow[]> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL, checksum TEXT
  )`.execute(connection);
  const { applied, hasChecksums } = await listApplied(connection);
  if (!hasChecksums) await sql`ALTER TABLE schema_migrations ADD COLUMN checksum TEXT`.execute(connection);
  return applied;
}

/** The rows of the table of applied migrations, which must exist; changes nothing. */
export async function listApplied(connection: Kysely<never>): Promise<{ applied: AppliedRow[]; hasChecksums: boolean }> {
  const { rows } = await sql<AppliedRow>`SELECT * FROM schema_migrations ORDER BY name`.execute(connection);
  return {
    applied: rows.map(({ name, checksum }) => ({ name, checksum: checksum ?? null })),
    // The table of a version without checksums is never empty, since its first rows were written with it.
    hasChecksums: rows[0] === undefined || "checksum" in rows[0],
  };
}

export async function recordApplied(connection: Kysely<never>, row: { name: string; appliedAt: Date; checksum: string }): Promise<void> {
  await sql`INSERT INTO schema_migrations (name, applied_at, checksum) VALUES (${row.name}, ${row.appliedAt.getTime()}, ${row.checksum})`.execute(
    connection,
  );
}

export interface ExpectedMigrations {
  migrations: readonly Migration[];
  capabilities: Capabilities;
  /** The name of the database in a sentence. */
  where: string;
}

/**
 * The migrations that are still to be applied. Throws a StartError that names each migration which this program does not know or which was applied in
 * another form.
 */
export function waitingMigrations(applied: readonly AppliedRow[], { migrations, capabilities, where }: ExpectedMigrations): Migration[] {
  const unknown = applied.filter((row) => !migrations.some(({ name }) => name === row.name));
  if (unknown.length > 0) throw newerDatabase(capitalise(where), namesOf(unknown));
  const expected = checksumsOf(migrations, capabilities);
  const changed = applied.filter(({ name, checksum }) => checksum !== null && checksum !== expected.get(name));
  if (changed.length > 0) throw changedMigration(capitalise(where), namesOf(changed));
  return migrations.filter(({ name }) => applied.every((row) => row.name !== name));
}

/** Adds checksums to migrations that a version without checksums applied. */
export async function fillChecksums(
  connection: Kysely<never>,
  applied: readonly AppliedRow[],
  { migrations, capabilities }: ExpectedMigrations,
): Promise<void> {
  const expected = checksumsOf(migrations, capabilities);
  for (const { name, checksum } of applied)
    if (checksum === null)
      await sql`UPDATE schema_migrations SET checksum = ${expected.get(name)} WHERE name = ${name}`.execute(connection);
}

function checksumsOf(migrations: readonly Migration[], capabilities: Capabilities): Map<string, string> {
  return new Map(migrations.map((migration) => [migration.name, checksumOf(migration, capabilities)]));
}

function namesOf(rows: readonly AppliedRow[]): string {
  return rows.map(({ name }) => name).join(", ");
}

function newerDatabase(where: string, names: string): StartError {
  return new StartError(
    `${where} was written by a newer version of the program (it has ${names}). Start that version, or restore a backup made before it.`,
  );
}

function changedMigration(where: string, names: string): StartError {
  return new StartError(
    `${where} was prepared by another form of the migration ${names} than this program has, so its tables may not be what this program expects. ` +
      "Nothing was changed. Start the version that used it last, or a released one; otherwise restore a backup of a released version.",
  );
}
