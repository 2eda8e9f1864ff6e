import { sql } from "kysely";
import { MOST_ROWS, readCursor, writeCursor } from "../../http/cursor.ts";
import type { Database } from "../../storage/database.ts";
import type { ListFilter, ListQuery } from "./api.ts";
import { place, placeOf, type PlaceInList } from "./list.ts";
import { containerFromRow, type ContainerTables, type SavedContainer } from "./rows.ts";

interface ArchivedPage {
  containers: SavedContainer[];
  /** Of all pages. */
  total: number;
}

/** The groups of those without one come last. As the database orders text, which is the same for each page. */
const ORDER = sql`CASE group_source WHEN 'default' THEN 1 ELSE 0 END, group_name, group_source, name, id`;

/** Removed containers. There may be tens of thousands, so only a page of them is ever read. */
export function createArchivedStore(database: Database) {
  const tables = database.tables<ContainerTables>();

  function fitting({ state, health, group, search, ignored, agent_id: host }: ListFilter) {
    let rows = tables.read.selectFrom("containers").where("archived_at", "is not", null);
    if (!ignored) rows = rows.where("is_ignored", "=", 0);
    if (state !== undefined) rows = rows.where("state", "=", state);
    if (health !== undefined) rows = health === "none" ? rows.where("health", "is", null) : rows.where("health", "=", health);
    if (group !== undefined) rows = rows.where("group_name", "=", group);
    if (host !== undefined) rows = host === "local" ? rows.where("agent_id", "is", null) : rows.where("agent_id", "=", host);
    if (search === undefined) return rows;
    const wanted = search.toLowerCase();
    // Not LIKE: what is looked for may have its signs.
    return rows.where(
      sql<boolean>`(REPLACE(LOWER(name), ${wanted}, '') <> LOWER(name) OR REPLACE(LOWER(image), ${wanted}, '') <> LOWER(image))`,
    );
  }

  async function count(filter: ListFilter): Promise<number> {
    const { total } = await fitting(filter)
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return Number(total);
  }

  return {
    /** A page behind a cursor. Throws `unusable_values` for one that is none. */
    async pageBehind({ limit = MOST_ROWS, cursor, ...filter }: ListQuery): Promise<ArchivedPage & { next: string | null }> {
      const after = readCursor(cursor, place);
      let rows = fitting(filter);
      if (after !== undefined) {
        const [source, group, name, id] = after;
        const rank = source === "default" ? 1 : 0;
        rows = rows.where(
          sql<boolean>`(CASE group_source WHEN 'default' THEN 1 ELSE 0 END, group_name, group_source, name, id) > (${rank}, ${group}, ${source}, ${name}, ${id})`,
        );
      }
      const [found, total] = await Promise.all([
        rows
          .selectAll()
          .orderBy(ORDER)
          .limit(limit + 1)
          .execute(),
        count(filter),
      ]);
      const containers = found.slice(0, limit).map(containerFromRow);
      const last = containers.at(-1);
      return { containers, total, next: last === undefined || found.length <= limit ? null : writeCursor(placeOf(last)) };
    },

    async pageAt(filter: ListFilter, { offset, limit }: PlaceInList): Promise<ArchivedPage> {
      const [found, total] = await Promise.all([
        fitting(filter).selectAll().orderBy(ORDER).limit(limit).offset(offset).execute(),
        count(filter),
      ]);
      return { containers: found.map(containerFromRow), total };
    },
  };
}

export type ArchivedStore = ReturnType<typeof createArchivedStore>;
