/** The columns of this feature's table; see storage/migrations/014-status-settings.ts for their meaning. */
export interface SettingsTables {
  status_settings: SettingsRow;
}

export interface SettingsRow extends SettingsColumns {
  id: number;
  feed_id: string;
}

export interface SettingsColumns {
  title: string;
  description: string;
  accent: string;
  logo: Buffer | null;
  logo_type: string | null;
  homepage_url: string | null;
  support_url: string | null;
  published: number;
  show_uptime: number;
  updated_at: number | null;
}
