import type { SettingsRecord } from "./answers.ts";
import { addressOf, type LogoType, type PageSettings, toLogo } from "./settings.ts";

/** The columns of this feature's table; see storage/migrations, 014-status-settings.ts and 051-status-domain.ts, for their meaning. */
export interface SettingsTables {
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

export function settingsFromRow(row: SettingsRow): PageSettings {
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
    updatedAt: row.updated_at === null ? null : new Date(row.updated_at),
    feedId: row.feed_id,
  };
}

export function settingsToRow(settings: Omit<PageSettings, "feedId">): SettingsColumns {
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

export function settingsRecord(settings: PageSettings, baseUrl: string): SettingsRecord {
  return {
    title: settings.title,
    description: settings.description,
    accent: settings.accent,
    has_logo: settings.logo !== null,
    logo_url: settings.logo === null ? null : `/status/logo?v=${settings.logo.version}`,
    homepage_url: settings.homepageUrl,
    support_url: settings.supportUrl,
    domain: settings.domain,
    published: settings.published,
    show_uptime: settings.showUptime,
    public_url: addressOf(settings, baseUrl).page,
    updated_at: settings.updatedAt?.toISOString() ?? null,
  };
}
