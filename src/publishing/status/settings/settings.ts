import type { SettingsUpdate } from "./api.ts";

/** How the public page looks, and whether there is one. */
export interface PageSettings {
  title: string;
  description: string;
  /** #rrggbb, as it was chosen. */
  accent: string;
  logo: Logo | null;
  homepageUrl: string | null;
  supportUrl: string | null;
  /** When false, the public routes of the page answer 404. */
  published: boolean;
  showUptime: boolean;
  /** Null before the first change. */
  updatedAt: Date | null;
  /** UUID; stays when everything else changes, so that entries of the feed keep their ids. */
  feedId: string;
}

export interface Logo {
  bytes: Buffer;
  mediaType: LogoType;
  /** Changes with the picture; part of its address, so that browsers may keep it. */
  version: string;
}

export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export const DEFAULTS: Omit<PageSettings, "feedId"> = {
  title: "Status",
  description: "",
  accent: "#2257c5",
  logo: null,
  homepageUrl: null,
  supportUrl: null,
  published: true,
  showUptime: true,
  updatedAt: null,
};

/** The settings after a change; what is left out stays. `logo` is what was made of the body's. */
export function changed(
  before: PageSettings,
  { body, logo, now }: { body: SettingsUpdate; logo: Logo | null | undefined; now: Date },
): PageSettings {
  return {
    ...before,
    title: body.title ?? before.title,
    description: body.description ?? before.description,
    accent: body.accent?.toLowerCase() ?? before.accent,
    logo: logo === undefined ? before.logo : logo,
    homepageUrl: body.homepage_url === undefined ? before.homepageUrl : body.homepage_url,
    supportUrl: body.support_url === undefined ? before.supportUrl : body.support_url,
    published: body.published ?? before.published,
    showUptime: body.show_uptime ?? before.showUptime,
    updatedAt: now,
  };
}
