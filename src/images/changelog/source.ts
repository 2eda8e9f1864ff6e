/** Where an image says that its source is: a repository on a forge. */
export interface Source {
  /** What kind of forge it is; undefined when its host does not tell. */
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
