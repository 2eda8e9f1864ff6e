import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { StartError } from "../platform/errors.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Migration } from "./migrations/migration.ts";

interface AppliedRow {
  name: string;
  /** Null when a version without checksums applied the migration. */
  checksum: string | null;
}

/** A string literal of SQL, which counts as it is written, or whitespace, which does not. */
const LITERAL_OR_SPACE = /'(?:[^']|'')*'|\s+/g;

/** SHA-256 of the statements that a migration runs on a database; the layout of their text does not change it. */
export function checksumOf(migration: Migration, capabilities: Capabilities): string {
  const hash = createHash("sha256");
  for (const statement of migration.statements(capabilities)) {
    const text = statement.trim().replaceAll(LITERAL_OR_SPACE, (part) => (part.startsWith("'") ? part : " "));
    hash.update(`${text};\n`);
  }
  return hash.digest("hex");
}

/** Creates the table of applied migrations where it is missing, and returns its rows. */
export async function readApplied(connection: Kysely<never>): Promise<AppliedRow[]> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL, checksum TEXT
  )`.execute(connection);
  const { rows } = await sql<AppliedRow>`SELECT * FROM schema_migrations ORDER BY name`.execute(connection);
  // The table of a version without checksums has rows, since it was created together with them.
  if (rows[0] !== undefined && !("checksum" in rows[0]))
    await sql`ALTER TABLE schema_migrations ADD COLUMN checksum TEXT`.execute(connection);
  return rows.map(({ name, checksum }) => ({ name, checksum: checksum ?? null }));
}

export async function recordApplied(connection: Kysely<never>, row: { name: string; appliedAt: Date; checksum: string }): Promise<void> {
  await sql`INSERT INTO schema_migrations (name, applied_at, checksum) VALUES (${row.name}, ${row.appliedAt.getTime()}, ${row.checksum})`.execute(
    connection,
  );
}

export interface VerifyOptions {
  migrations: readonly Migration[];
  capabilities: Capabilities;
  /** The name of the database at the beginning of a sentence. */
  where: string;
}

/**
 * Compares the checksums of applied migrations with those of the program, and fills in the missing ones. Throws a StartError that names each
 * migration that differs.
 */
export async function verifyApplied(
  connection: Kysely<never>,
  applied: readonly AppliedRow[],
  { migrations, capabilities, where }: VerifyOptions,
): Promise<void> {
  const expected = new Map(migrations.map((migration) => [migration.name, checksumOf(migration, capabilities)]));
  const changed = applied.filter(({ name, checksum }) => checksum !== null && checksum !== expected.get(name));
  if (changed.length > 0) throw changedMigration(where, changed.map(({ name }) => name).join(", "));
  for (const { name, checksum } of applied)
    if (checksum === null)
      await sql`UPDATE schema_migrations SET checksum = ${expected.get(name)} WHERE name = ${name}`.execute(connection);
}

function changedMigration(where: string, names: string): StartError {
  return new StartError(
    `${where} was prepared by another form of the migration ${names} than this program has, so its tables may not be what this program expects. ` +
      "Nothing was changed. Start the version that used it last, or a released one; otherwise restore a backup of a released version.",
  );
}
