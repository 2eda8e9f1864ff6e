import { breakingSentences } from "./breaking.ts";
import { type Release, selectReleases, type Wanted } from "./release.ts";

/** Where an image says that its source is: a repository on a forge. */
export interface Source {
  /** What kind of forge it is; undefined when its host does not show it. */
  forge: Forge | undefined;
  /** `https://github.com`. */
  origin: string;
  /** `owner/name`; on GitLab groups may be nested. */
  path: string;
  /** Names the repository in the cache, and is where a person finds it. */
  url: string;
}

export type Forge = "github" | "gitlab" | "gitea";

const LONGEST = 1000;
const MOST_PARTS = 12;
const PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
/** Pages of a repository rather than part of its name. */
const PAGES: ReadonlySet<string> = new Set(["-", "tree", "blob", "src", "releases", "tags", "commit", "commits", "wiki", "issues", "raw"]);
/** `git@github.com:owner/name.git`. */
const SECURE_COPY = /^(?:ssh:\/\/)?git@([A-Za-z0-9.-]+)[:/]([^:]+)$/;

/** Takes the label org.opencontainers.image.source apart; undefined for what is no repository, or tries to be something else. */
export function readSource(label: string | null): Source | undefined {
  if (label === null || label.length > LONGEST || /[\p{Cc}\p{Cf}\p{Z}\\]/u.test(label.trim())) return undefined;
  const text = label.trim().replace(/^git\+/, "");
  const copied = SECURE_COPY.exec(text);
  const address = copied === null ? withScheme(text) : `https://${copied[1]}/${copied[2]}`;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hostname === "" || url.port === "0") return undefined;
  const parts = repositoryParts(url.pathname);
  if (parts === undefined) return undefined;
  const host = url.hostname.replace(/^www\./, "").replace(/\.$/, "");
  const forge = forgeOf(host);
  // On GitHub and Gitea a repository has an owner and a name; what follows is a page of it.
  const path = (forge === "gitlab" || forge === undefined ? parts : parts.slice(0, 2)).join("/");
  const origin = isPublic(host) ? `https://${host}` : url.origin;
  return { forge, origin, path, url: `${origin}/${path}` };
}

/** `github.com/owner/name` is meant as it is understood. */
function withScheme(text: string): string {
  if (text.startsWith("git://")) return text.replace(/^git:/, "https:");
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\//i.test(text) ? `https://${text}` : text;
}

function repositoryParts(pathname: string): string[] | undefined {
  const parts = pathname.split("/").filter((part) => part !== "");
  const end = parts.findIndex((part, index) => index >= 2 && PAGES.has(part));
  const named = (end === -1 ? parts : parts.slice(0, end)).map((part, index, all) =>
    index === all.length - 1 ? part.replace(/\.git$/, "") : part,
  );
  const isFit = named.length >= 2 && named.length <= MOST_PARTS && named.every((part) => PART.test(part) && !part.includes(".."));
  return isFit ? named : undefined;
}

function isPublic(host: string): boolean {
  return host === "github.com" || host === "gitlab.com" || host === "codeberg.org";
}

function forgeOf(host: string): Forge | undefined {
  if (host === "github.com") return "github";
  if (host === "codeberg.org" || /^(?:gitea|forgejo)\./.test(host)) return "gitea";
  return host === "gitlab.com" || host.startsWith("gitlab.") ? "gitlab" : undefined;
}

/** Where a person reads the releases; between two of them where both are known. */
export function pageOf({ forge, url }: Pick<Source, "forge" | "url">, between?: { from: string; to: string }): string {
  const pages = forge === "gitlab" ? `${url}/-` : url;
  if (between === undefined) return `${pages}/releases`;
  return `${pages}/compare/${encodeURIComponent(between.from)}...${encodeURIComponent(between.to)}`;
}

/** What changed between two versions, as its authors describe it. */
export interface Changelog {
  entries: readonly {
    version: string;
    title: string;
    url: string | null;
    publishedAt: string | null;
    text: string;
    breaking: readonly string[];
  }[];
  url: string | null;
  /** A sentence on what is missing; null when nothing is. */
  note: string | null;
  /** The forge could not answer just now, or was asked too often: an hour later there may be more. */
  isPassing?: boolean;
}

const MOST_ENTRIES = 50;
/** Of all entries of one changelog together. */
const MOST_TEXT = 300_000;

/** The releases of a repository between two tags, and what is missing of them. `isWhole`: these are all that could matter. */
export function changelogOf(
  source: Source,
  wanted: Wanted,
  { releases, isWhole }: { releases: readonly Release[]; isWhole: boolean },
): Changelog {
  const { releases: between, ends, isComplete } = selectReleases(releases, wanted);
  const url = pageOf(source, ends);
  if (releases.length === 0) return emptyChangelog(source, `${source.path} publishes no releases.`);
  if (between.length === 0) return { entries: [], url, note: `None of the releases of ${source.path} mentions ${wanted.availableTag}.` };
  const shown = between.slice(0, MOST_ENTRIES);
  const missing: string[] = [];
  if (shown.length < between.length) missing.push(`Only the newest ${shown.length} of ${between.length} versions are shown.`);
  if (!isComplete) missing.push(`There is no release for ${wanted.availableTag} itself.`);
  if (!isWhole) missing.push("Only the newest releases of the repository were read.");
  let left = MOST_TEXT;
  const entries = shown.map(({ tag, title, url: entryUrl, publishedAt, text }) => {
    const kept = text.length <= left ? text : "";
    left -= kept.length;
    return { version: tag, title, url: entryUrl, publishedAt, text: kept, breaking: breakingSentences(text) };
  });
  if (entries.some(({ text }, index) => text === "" && shown[index]?.text !== ""))
    missing.push("The notes of the oldest versions are left out, since all together are too long.");
  return { entries, url, note: missing.length === 0 ? null : missing.join(" ") };
}

/** None, with the reason. */
export function emptyChangelog(source: Source, note: string): Changelog {
  return { entries: [], url: pageOf(source), note };
}
