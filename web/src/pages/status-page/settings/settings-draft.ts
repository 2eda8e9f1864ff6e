/** The settings of the status page as they are being changed, and what is wrong with them. */
import { domainFault } from "../../../../../src/contract/status-page.ts";
import type { SettingsUpdate } from "../../../../../src/publishing/status/settings/api.ts";
import type { SettingsRecord } from "../../../../../src/publishing/status/settings/answers.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { isAccent } from "../contrast.ts";

export interface SettingsDraft {
  title: string;
  description: string;
  accent: string;
  /** A new one as `data:`; null takes it away; undefined: as it is. */
  logo: string | null | undefined;
  homepage: string;
  support: string;
  domain: string;
  published: boolean;
  showUptime: boolean;
}

export const SETTINGS_FIELDS = ["title", "description", "accent", "logo", "homepage_url", "support_url", "domain"];

export function draftOf(saved: SettingsRecord): SettingsDraft {
  return {
    title: saved.title,
    description: saved.description,
    accent: saved.accent,
    logo: undefined,
    homepage: saved.homepage_url ?? "",
    support: saved.support_url ?? "",
    domain: saved.domain ?? "",
    published: saved.published,
    showUptime: saved.show_uptime,
  };
}

/** What was typed so far; undefined is what nobody touched. */
export type SettingsChanges = { [Field in keyof SettingsDraft]?: SettingsDraft[Field] | undefined };

export const NO_CHANGES: SettingsChanges = {
  title: undefined,
  description: undefined,
  accent: undefined,
  logo: undefined,
  homepage: undefined,
  support: undefined,
  domain: undefined,
  published: undefined,
  showUptime: undefined,
};

/** No change any more where what was sent was saved and nobody typed since. */
export function savedOf(changes: SettingsChanges, sent: SettingsChanges): SettingsChanges {
  const fields = Object.keys(NO_CHANGES) as (keyof SettingsChanges)[];
  return Object.fromEntries(fields.filter((field) => changes[field] === sent[field]).map((field) => [field, undefined]));
}

/** The settings with what was typed: what nobody touched here follows what others save meanwhile. */
export function withChanges(saved: SettingsRecord, changes: SettingsChanges): SettingsDraft {
  const touched = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...draftOf(saved), ...touched };
}

/** Only what is other than what is saved, so that what somebody else changed meanwhile stays. */
export function readSettings(draft: SettingsDraft, saved: SettingsRecord): { body: SettingsUpdate } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const title = draft.title.trim();
  const accent = draft.accent.trim().toLowerCase();
  const homepage = readUrl(draft.homepage);
  const support = readUrl(draft.support);
  const domain = draft.domain.trim().toLowerCase();
  const wrongDomain = domain === "" ? undefined : domainFault(domain);
  if (title === "") faults["title"] = "Enter a title.";
  if (!isAccent(accent)) faults["accent"] = "Enter # and six hex digits, such as #2257c5.";
  if (homepage === undefined) faults["homepage_url"] = "Enter an address that starts with https:// or http://, or leave empty.";
  if (support === undefined) faults["support_url"] = "Enter an address that starts with https:// or http://, or leave empty.";
  if (wrongDomain !== undefined) faults["domain"] = wrongDomain;
  if (Object.keys(faults).length > 0 || homepage === undefined || support === undefined) return { faults };
  return {
    body: {
      ...(title !== saved.title && { title }),
      ...(draft.description.trim() !== saved.description && { description: draft.description.trim() }),
      ...(accent !== saved.accent.toLowerCase() && { accent }),
      ...(draft.logo !== undefined && { logo: draft.logo }),
      ...(homepage !== saved.homepage_url && { homepage_url: homepage }),
      ...(support !== saved.support_url && { support_url: support }),
      ...(domain !== (saved.domain ?? "") && { domain: domain === "" ? null : domain }),
      ...(draft.published !== saved.published && { published: draft.published }),
      ...(draft.showUptime !== saved.show_uptime && { show_uptime: draft.showUptime }),
    },
  };
}

/** Null for nothing, undefined for what is no address. */
function readUrl(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (!URL.canParse(trimmed) || !/^https?:$/.test(new URL(trimmed).protocol)) return undefined;
  return trimmed;
}

/** Whether anything is other than saved. */
export function isChanged(draft: SettingsDraft, saved: SettingsRecord): boolean {
  const read = readSettings(draft, saved);
  return "faults" in read || Object.keys(read.body).length > 0;
}
