import type { Database } from "../../../storage/database.ts";
import { settingsFromRow, settingsToRow, type SettingsTables } from "./rows.ts";
import type { PageSettings } from "./settings.ts";

/** There is one page. */
const ID = 1;

export function createSettingsStore(database: Database) {
  const tables = database.tables<SettingsTables>();
  return {
    /** What was saved; at the first start, what is given, which is saved then. */
    async load(first: PageSettings): Promise<PageSettings> {
      const saved = await tables.read.selectFrom("status_settings").selectAll().where("id", "=", ID).executeTakeFirst();
      if (saved !== undefined) return settingsFromRow(saved);
      await tables.write((tx) =>
        tx
          .insertInto("status_settings")
          .values({ id: ID, feed_id: first.feedId, ...settingsToRow(first) })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute(),
      );
      return settingsFromRow(await tables.read.selectFrom("status_settings").selectAll().where("id", "=", ID).executeTakeFirstOrThrow());
    },

    async save(settings: PageSettings): Promise<void> {
      await tables.write((tx) => tx.updateTable("status_settings").set(settingsToRow(settings)).where("id", "=", ID).execute());
    },
  };
}
