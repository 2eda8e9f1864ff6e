import { toDate } from "../../../contract/time.ts";
import type { Database } from "../../../storage/database.ts";
import { type LogoType, type PageSettings, toLogo } from "./settings.ts";

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

/** The columns of this feature's table; see storage/migrations, 014-status-settings.ts and 051-status-domain.ts, for their meaning. */
interface SettingsTables {
  status_settings: SettingsRow;
}

interface SettingsRow extends SettingsColumns {
  id: number;
  feed_id: string;
}

interface SettingsColumns {
  title: string;
  description: string;
  accent: string;
  logo: Buffer | null;
  logo_type: string | null;
  homepage_url: string | null;
  support_url: string | null;
  domain: string | null;
  published: number;
  show_uptime: number;
  updated_at: number | null;
}

function settingsFromRow(row: SettingsRow): PageSettings {
  return {
    title: row.title,
    description: row.description,
    accent: row.accent,
    // Only known types are written.
    logo: row.logo === null ? null : toLogo(Buffer.from(row.logo), row.logo_type as LogoType),
    homepageUrl: row.homepage_url,
    supportUrl: row.support_url,
    domain: row.domain,
    published: row.published === 1,
    showUptime: row.show_uptime === 1,
    updatedAt: toDate(row.updated_at),
    feedId: row.feed_id,
  };
}

function settingsToRow(settings: Omit<PageSettings, "feedId">): SettingsColumns {
  return {
    title: settings.title,
    description: settings.description,
    accent: settings.accent,
    logo: settings.logo?.bytes ?? null,
    logo_type: settings.logo?.mediaType ?? null,
    homepage_url: settings.homepageUrl,
    support_url: settings.supportUrl,
    domain: settings.domain,
    published: settings.published ? 1 : 0,
    show_uptime: settings.showUptime ? 1 : 0,
    updated_at: settings.updatedAt?.getTime() ?? null,
  };
}
