import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { temporaryFolder } from "./program.ts";
import type { Place } from "./series-writer.ts";

export type { Place } from "./series-writer.ts";

/** The database at a place, for programs that get one. */
export function openPlace(place: Place): Database {
  const parts = { clock: systemClock, log: silentLog };
  return "path" in place ? openSqlite({ ...parts, path: place.path }) : openPostgres({ ...parts, url: place.url, redactedUrl: place.url });
}

/** The place that a story's variables name: a database of a server, or a new file. */
export function placeOf({ SERVICE_DATABASE_URL: url }: Readonly<Record<string, string>>): Place {
  return url === undefined ? { path: join(temporaryFolder(), "story.db") } : { url };
}
