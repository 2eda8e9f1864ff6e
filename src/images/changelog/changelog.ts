import { breakingSentences } from "./breaking.ts";
import { type Release, selectReleases, type Wanted } from "./release.ts";
import { pageOf, type Source } from "./source.ts";

/** What changed between two versions, as its authors tell. */
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
  /** It was asked too often just now: an hour later there may be more. */
  isPassing?: boolean;
}

const MOST_ENTRIES = 50;
/** Of all entries of one changelog together. */
const MOST_TEXT = 300_000;

/** What of a repository's releases lies between two tags, and what is missing of it. `isWhole`: these are all that could matter. */
export function changelogOf(
  source: Source,
  wanted: Wanted,
  { releases, isWhole }: { releases: readonly Release[]; isWhole: boolean },
): Changelog {
  const { releases: between, ends, isComplete } = selectReleases(releases, wanted);
  const url = pageOf(source, ends);
  if (releases.length === 0) return emptyChangelog(source, `${source.path} publishes no releases.`);
  if (between.length === 0)
    return { entries: [], url, note: `None of the releases of ${source.path} tells of ${wanted.availableTag ?? "this version"}.` };
  const shown = between.slice(0, MOST_ENTRIES);
  const missing: string[] = [];
  if (shown.length < between.length) missing.push(`Only the newest ${shown.length} of ${between.length} versions are shown.`);
  if (!isComplete) missing.push(`There is no release for ${wanted.availableTag ?? "the available version"} itself.`);
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
