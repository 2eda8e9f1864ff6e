import { type Kysely, sql } from "kysely";
import { listApplied, waitingMigrations } from "./applied-migrations.ts";
import type { Capabilities } from "./capabilities.ts";
import { MIGRATIONS } from "./migrate.ts";
import { sealedKeyIds } from "./secrets/index.ts";

/** How a database stands, looked at without changing anything. */
export interface Inspection {
  engine: Capabilities["engine"];
  /** Nothing of ours is there yet: the first start makes it. */
  isNew: boolean;
  /** Names of the migrations that the next start applies, in their order. */
  waiting: string[];
  /** Ids of the keys that stored secrets are sealed with. */
  sealedWith: string[];
}

export interface InspectOptions {
  database: Kysely<never>;
  capabilities: Capabilities;
  /** How a sentence names the database. */
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
