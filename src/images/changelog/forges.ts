import { z } from "zod";
import { cleanName } from "../../platform/text.ts";
import type { Release } from "./release.ts";
import type { Forge, Source } from "./source.ts";
import { cleanMarkdown } from "./text.ts";

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

const text = z.string().nullish();
const githubLike = z.object({
  tag_name: z.string().min(1),
  name: text,
  body: text,
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  html_url: text,
  published_at: text,
});
const gitlab = z.object({
  tag_name: z.string().min(1),
  name: text,
  description: text,
  released_at: text,
  upcoming_release: z.boolean().nullish(),
  _links: z.object({ self: text }).nullish(),
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
        return cleaned({ ...data, text: data.description, url: data._links?.self, publishedAt: data.released_at, prerelease: false });
      },
    },
  };
}

function readGithubLike(given: unknown): Release | undefined {
  const { data } = githubLike.safeParse(given);
  if (data === undefined || data.draft === true) return undefined;
  return cleaned({ ...data, text: data.body, url: data.html_url, publishedAt: data.published_at, prerelease: data.prerelease === true });
}

interface Told {
  tag_name: string;
  name?: string | null | undefined;
  text: string | null | undefined;
  url: string | null | undefined;
  publishedAt: string | null | undefined;
  prerelease: boolean;
}

function cleaned(told: Told): Release | undefined {
  const tag = cleanName(told.tag_name, LONGEST_NAME);
  if (tag === "") return undefined;
  const published = Date.parse(told.publishedAt ?? "");
  return {
    tag,
    title: cleanName(told.name ?? "", LONGEST_NAME) || tag,
    url: webAddress(told.url),
    publishedAt: Number.isNaN(published) ? null : new Date(published).toISOString(),
    text: cleanMarkdown(told.text ?? "", LONGEST_TEXT),
    prerelease: told.prerelease,
  };
}

/** It becomes a link, so only a web address will do. */
function webAddress(address: string | null | undefined): string | null {
  const url = address == null || address.length > LONGEST_URL ? null : URL.parse(address);
  return url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" ? null : url.href;
}
