import { createHash } from "node:crypto";
import { STATUS_PAGE_BOUNDS } from "../../../contract/status-page.ts";
import { wireTime } from "../../../contract/time.ts";
import { ServiceError } from "../../../platform/errors.ts";
import type { SettingsRecord } from "./answers.ts";
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
  /** A host name in lower case, under which the page is shown; see `domainOf`. */
  domain: string | null;
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

const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export const DEFAULTS: Omit<PageSettings, "feedId"> = {
  title: "Status",
  description: "",
  accent: "#2257c5",
  logo: null,
  homepageUrl: null,
  supportUrl: null,
  domain: null,
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
    domain: body.domain === undefined ? before.domain : (body.domain?.toLowerCase() ?? null),
    published: body.published ?? before.published,
    showUptime: body.show_uptime ?? before.showUptime,
    updatedAt: now,
  };
}

/** The domain as it applies: the host of the server itself must not be taken from the app, also if it came to be the same later. */
export function domainOf({ domain }: Pick<PageSettings, "domain">, baseUrl: string): string | null {
  return domain === new URL(baseUrl).hostname ? null : domain;
}

/** Where the public finds the page. */
export interface PageAddress {
  /** With which every address of the page begins. */
  origin: string;
  page: string;
}

export function addressOf(settings: Pick<PageSettings, "domain">, baseUrl: string): PageAddress {
  const domain = domainOf(settings, baseUrl);
  const origin = domain === null ? baseUrl.replace(/\/$/, "") : `https://${domain}`;
  return { origin, page: domain === null ? `${origin}/status/` : `${origin}/` };
}

/** As it stands in JSON. */
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
    updated_at: wireTime(settings.updatedAt),
  };
}

/** Why a domain would take the app from those who use it; undefined when it does not. `names` are those that the request was sent to. */
export function clashOf(
  domain: string,
  { baseUrl, names }: { baseUrl: string; names: readonly (string | undefined)[] },
): string | undefined {
  if (domain === new URL(baseUrl).hostname) return "Must not be the host of SERVICE_BASE_URL: only the status page is answered there";
  if (names.includes(domain)) return "Must not be the host that you use now: only the status page is answered there";
  return undefined;
}

/** How files of a type begin: bytes at offsets. */
const SIGNATURES: Record<LogoType, readonly (readonly [offset: number, hex: string])[]> = {
  "image/png": [[0, "89504e470d0a1a0a"]],
  "image/jpeg": [[0, "ffd8ff"]],
  "image/webp": [
    [0, "52494646"],
    [8, "57454250"],
  ],
};

/** The picture in a `data:` URL. Its bytes decide its type, not its sender: the answer's type is never another. Throws `unusable_values`. */
export function readLogo(dataUrl: string): Logo {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
  if (bytes.length > STATUS_PAGE_BOUNDS.logoBytes) throw unusable(`Must be at most ${STATUS_PAGE_BOUNDS.logoBytes / 1000} kB`);
  const mediaType = LOGO_TYPES.find((type) =>
    SIGNATURES[type].every(([at, hex]) => bytes.toString("hex", at, at + hex.length / 2) === hex),
  );
  if (mediaType === undefined) throw unusable("Must be a PNG, JPEG or WebP picture");
  return toLogo(bytes, mediaType);
}

function unusable(message: string): ServiceError {
  return new ServiceError("unusable_values", `The body cannot be used: logo: ${message}.`, [{ path: "logo", message }]);
}

export function toLogo(bytes: Buffer, mediaType: LogoType): Logo {
  return { bytes, mediaType, version: createHash("sha256").update(bytes).digest("hex").slice(0, 12) };
}
