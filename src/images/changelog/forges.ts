import { z } from "zod";
import { cleanName, withoutColours } from "../../platform/text.ts";
import type { Release } from "./release.ts";
import type { Forge, Source } from "./source.ts";

/** How the releases of a repository are asked for on one kind of forge. */
export interface ForgeShape {
  forge: Forge;
  /** Of one page, counted from 1. */
  url(source: Source, page: number): string;
  headers: Readonly<Record<string, string>>;
  /** Undefined for what is no release, or not published. */
  read(given: unknown): Release | undefined;
}

export const PAGE_SIZE = 50;
/** Kept of the notes of one release. */
export const LONGEST_TEXT = 20_000;
const LONGEST_NAME = 255;
const LONGEST_URL = 1000;
export const GITHUB_API = "https://api.github.com";

const optionalText = z.string().nullish();
const githubLike = z.object({
  tag_name: z.string().min(1),
  name: optionalText,
  body: optionalText,
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  html_url: optionalText,
  published_at: optionalText,
});
const gitlab = z.object({
  tag_name: z.string().min(1),
  name: optionalText,
  description: optionalText,
  released_at: optionalText,
  upcoming_release: z.boolean().nullish(),
  _links: z.object({ self: optionalText }).nullish(),
});

/** The kinds of forges; `githubApi` is where GitHub's API is. */
export function forgeShapes(githubApi: string): Record<Forge, ForgeShape> {
  return {
    github: {
      forge: "github",
      url: ({ path }, page) => `${githubApi}/repos/${path}/releases?per_page=${PAGE_SIZE}&page=${page}`,
      headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
      read: readGithubLike,
    },
    gitea: {
      forge: "gitea",
      url: ({ origin, path }, page) =>
        `${origin}/api/v1/repos/${path.split("/").slice(0, 2).join("/")}/releases?limit=${PAGE_SIZE}&page=${page}`,
      headers: { accept: "application/json" },
      read: readGithubLike,
    },
    gitlab: {
      forge: "gitlab",
      url: ({ origin, path }, page) => `${origin}/api/v4/projects/${encodeURIComponent(path)}/releases?per_page=${PAGE_SIZE}&page=${page}`,
      headers: { accept: "application/json" },
      read(given) {
        const { data } = gitlab.safeParse(given);
        if (data === undefined || data.upcoming_release === true) return undefined;
        return cleanRelease({ ...data, text: data.description, url: data._links?.self, publishedAt: data.released_at, prerelease: false });
      },
    },
  };
}

function readGithubLike(given: unknown): Release | undefined {
  const { data } = githubLike.safeParse(given);
  if (data === undefined || data.draft === true) return undefined;
  return cleanRelease({
    ...data,
    text: data.body,
    url: data.html_url,
    publishedAt: data.published_at,
    prerelease: data.prerelease === true,
  });
}

/** What all forges say of a release. */
interface GivenRelease {
  tag_name: string;
  name?: string | null | undefined;
  text: string | null | undefined;
  url: string | null | undefined;
  publishedAt: string | null | undefined;
  prerelease: boolean;
}

function cleanRelease(given: GivenRelease): Release | undefined {
  const tag = cleanName(given.tag_name, LONGEST_NAME);
  if (tag === "") return undefined;
  const published = Date.parse(given.publishedAt ?? "");
  return {
    tag,
    title: cleanName(given.name ?? "", LONGEST_NAME) || tag,
    url: webAddress(given.url),
    publishedAt: Number.isNaN(published) ? null : new Date(published).toISOString(),
    text: cleanMarkdown(given.text ?? "", LONGEST_TEXT),
    prerelease: given.prerelease,
  };
}

/** It becomes a link, so only a web address will do. */
function webAddress(address: string | null | undefined): string | null {
  const url = address == null || address.length > LONGEST_URL ? null : URL.parse(address);
  return url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" ? null : url.href;
}

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Markdown from outside: its characters that cannot be seen, and those that turn the direction of text, are out, comments too; indents stay, since
 * they mean something.
 */
export function cleanMarkdown(text: string, maxLength: number): string {
  // Twice the length is enough to cut from, and no more is worked through.
  const cleaned = withoutColours(text.slice(0, maxLength * 2))
    .replace(/\r\n|[\r\u2028\u2029\u0085]/g, "\n")
    .replace(UNSEEN, "")
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const characters = [...cleaned];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : cleaned;
}
