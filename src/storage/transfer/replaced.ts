import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sql } from "kysely";
import type { Tables } from "../database.ts";
import { quoted } from "./table.ts";
import { BEFORE_RESTORE, SCHEMA_COMMENT } from "./target.ts";

/** Removes files that restores of a SQLite file replaced, and those of interrupted ones; answers their names. */
export function removeReplacedFiles(path: string): string[] {
  const beginnings = [`${basename(path)}.${BEFORE_RESTORE}-`, `${basename(path)}.incoming`];
  const found = readdirSync(dirname(path)).filter((name) => beginnings.some((beginning) => name.startsWith(beginning)));
  for (const name of found) rmSync(join(dirname(path), name), { force: true });
  return found;
}

/** The same for the schemas of a PostgreSQL database. Schemas of another Binnacle there, whose names begin in the same way, stay. */
export async function removeReplacedSchemas({ read, write }: Tables<object>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT nspname AS name FROM pg_namespace
    WHERE obj_description(oid, 'pg_namespace') = ${SCHEMA_COMMENT} AND (
      nspname = current_schema() || '_incoming' OR (
        starts_with(nspname, current_schema() || '_before_restore_')
        AND substr(nspname, length(current_schema() || '_before_restore_') + 1) ~ '^[0-9]{8}t[0-9]{6}z$'))`.execute(read);
  for (const { name } of rows) await write((tx) => sql.raw(`DROP SCHEMA ${quoted(name)} CASCADE`).execute(tx));
  return rows.map(({ name }) => name);
}
