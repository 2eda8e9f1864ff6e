import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

const FOLDER = join(import.meta.dirname, "../../fixtures/schemas");

/** What a filled database held when it was recorded. */
export interface Expected {
  /** Rows by table. */
  counts: Readonly<Record<string, number>>;
  /** What the API answered, by path. */
  answers: Readonly<Record<string, unknown>>;
}

/** The names of the recorded databases, which are those of the last migrations of their schemas; the newest last. */
export function fixtureNames(): string[] {
  return readdirSync(FOLDER).sort();
}

export function readExpected(name: string): Expected {
  return JSON.parse(readFileSync(join(FOLDER, name, "expected.json"), "utf8")) as Expected;
}

export function writeExpected(name: string, expected: Expected): void {
  mkdirSync(join(FOLDER, name), { recursive: true });
  writeFileSync(join(FOLDER, name, "expected.json"), `${JSON.stringify(expected, null, 1)}\n`);
}

export function writeSql(name: string, engine: "sqlite" | "postgresql", text: string): void {
  mkdirSync(join(FOLDER, name), { recursive: true });
  writeFileSync(sqlPath(name, engine), text);
}

/** Makes a SQLite file of a recorded database. */
export function loadIntoSqlite(name: string, path: string): void {
  const file = new DatabaseSync(path);
  file.exec(readFileSync(sqlPath(name, "sqlite"), "utf8"));
  file.close();
}

/** Puts a recorded database into an empty one of PostgreSQL. */
export async function loadIntoPostgres(name: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readFileSync(sqlPath(name, "postgresql"), "utf8"));
  } finally {
    await client.end();
  }
}

function sqlPath(name: string, engine: string): string {
  return join(FOLDER, name, `${engine}.sql`);
}
