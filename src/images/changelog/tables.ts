/** The columns of this feature's table; see storage/migrations/021-changelogs.ts for their meaning. */
export interface ChangelogTables {
  changelogs: {
    source: string;
    current_tag: string;
    available_tag: string;
    changelog: string;
    found: number;
    etag: string | null;
    fetched_at: number;
  };
}
