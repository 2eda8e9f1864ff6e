import { type Kysely, sql } from "kysely";
import { listApplied, waitingMigrations } from "./applied-migrations.ts";
import type { Capabilities } from "./capabilities.ts";
import { MIGRATIONS } from "./migrate.ts";
import { sealedKeyIds } from "./secrets/index.ts";

/** The state of a database, read without changing anything. */
export interface Inspection {
  engine: Capabilities["engine"];
  /** Whether it has none of our tables yet: the first start makes them. */
  isNew: boolean;
  /** Names of the migrations that the next start applies, in order. */
  waiting: string[];
  /** Ids of the keys with which stored secrets are sealed. */
  sealedWith: string[];
}

export interface InspectOptions {
  database: Kysely<never>;
  capabilities: Capabilities;
  /** The name of the database in a sentence. */
  where: string;
}

/** Reads which migrations wait. Throws a StartError when this program may not use the database; see `waitingMigrations`. */
export async function inspect({ database, capabilities, where }: InspectOptions): Promise<Inspection> {
  const { rows } = await sql<{ found: number }>`${sql.raw(capabilities.hasMigrations)}`.execute(database);
  const isNew = Number(rows[0]?.found) === 0;
  const applied = isNew ? [] : (await listApplied(database)).applied;
  const waiting = waitingMigrations(applied, { migrations: MIGRATIONS, capabilities, where });
  const sealedWith = await sealedKeyIds(database, new Set(applied.map(({ name }) => name)));
  return { engine: capabilities.engine, isNew, waiting: waiting.map(({ name }) => name), sealedWith };
}
