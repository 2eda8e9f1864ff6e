/** A release as its forge describes it, cleaned. */
export interface Release {
  tag: string;
  title: string;
  url: string | null;
  publishedAt: string | null;
  text: string;
  prerelease: boolean;
}

export interface Wanted {
  currentTag: string | null;
  availableTag: string;
}

export interface Selection {
  /** After the current version up to the available one, newest first. */
  releases: Release[];
  /** The tags of both versions, where both have a release. */
  ends: { from: string; to: string } | undefined;
  /** The available version has a release. */
  isComplete: boolean;
}

interface Versioned {
  release: Release;
  version: ReadVersion;
}

/** The releases that lie between two tags of an image. */
export function selectReleases(all: readonly Release[], { currentTag, availableTag }: Wanted): Selection {
  const to = readVersion(availableTag);
  const from = currentTag === null ? undefined : readVersion(currentTag);
  if (to === undefined) return selectByOrder(all, currentTag, availableTag);
  const series = seriesFor(all, to, from);
  // A floating tag would stand for all versions there are: what lies before the available one is then not known.
  const asked = to.prerelease !== null || from?.prerelease != null;
  const between = series.filter(({ release, version }) => {
    if (!asked && (release.prerelease || version.prerelease !== null)) return false;
    const toAvailable = compareToTag(version, to);
    return from === undefined ? toAvailable === 0 : toAvailable <= 0 && compareToTag(version, from) > 0;
  });
  const exact = (version: ReadVersion): Release | undefined => series.find((each) => compareVersions(each.version, version) === 0)?.release;
  const ends = { from: from && exact(from), to: exact(to) };
  return {
    releases: between.toSorted((a, b) => compareVersions(b.version, a.version)).map(({ release }) => release),
    ends: ends.from === undefined || ends.to === undefined ? undefined : { from: ends.from.tag, to: ends.to.tag },
    isComplete: between.some(({ version }) => compareToTag(version, to) === 0),
  };
}

/** Whether older releases cannot matter any more: one of the current version, or older, is among these, and none of the last page is newer. */
export function isEnough(lastPage: readonly Release[], { currentTag }: Wanted): boolean {
  const from = currentTag === null ? undefined : readVersion(currentTag);
  if (from === undefined) return lastPage.some(({ tag }) => tag === currentTag);
  const read = lastPage.flatMap(({ tag }) => readVersion(tag) ?? []);
  return read.length > 0 && read.every((version) => compareToTag(version, from) <= 0);
}

/**
 * Of a repository with several products, each with its own prefix before its versions, the releases of one: that has the available version, else
 * the current one, else those without a prefix.
 */
function seriesFor(all: readonly Release[], to: ReadVersion, from: ReadVersion | undefined): Versioned[] {
  const versioned = all.flatMap((release) => {
    const version = readVersion(release.tag);
    return version === undefined ? [] : [{ release, version }];
  });
  const series = Map.groupBy(versioned, ({ version }) => version.prefix);
  const rank = ([prefix, members]: [string, Versioned[]]): number => {
    const has = (wanted: ReadVersion | undefined): boolean =>
      wanted !== undefined && members.some(({ version }) => compareVersions(version, wanted) === 0);
    const isPlain = /^(?:release|version|rel)?[-_/]?$/.test(prefix);
    return (has(to) ? 8 : 0) + (has(from) ? 4 : 0) + (prefix === to.prefix && !isPlain ? 2 : 0) + (isPlain ? 1 : 0);
  };
  const ranked = [...series].map((each) => ({ rank: rank(each), members: each[1] })).sort((a, b) => b.rank - a.rank);
  const [best] = ranked;
  // Several products, none of which has anything to do with these tags: better nothing than the wrong one.
  return best === undefined || (best.rank === 0 && ranked.length > 1) ? [] : best.members;
}

/** Tags that are no versions are followed in the order in which they were published. */
function selectByOrder(all: readonly Release[], currentTag: string | null, availableTag: string): Selection {
  const newestFirst = all.toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""));
  const last = newestFirst.findIndex(({ tag }) => tag === availableTag);
  const first = newestFirst.findIndex(({ tag }) => tag === currentTag);
  if (last === -1 || first === -1 || first <= last) return { releases: [], ends: undefined, isComplete: false };
  const releases = newestFirst.slice(last, first).filter(({ prerelease, tag }) => !prerelease || tag === availableTag);
  return { releases, ends: { from: currentTag ?? "", to: availableTag }, isComplete: true };
}

/** A version inside of a tag. */
interface ReadVersion {
  /** What stands before it: `name-`, `server/v`, without the `v`. */
  prefix: string;
  numbers: readonly number[];
  /** `rc.1`; null for a release, whatever variant of the image it is. */
  prerelease: string | null;
}

const VERSION = /^(.*?)(?<![0-9.])v?(\d{1,12}(?:\.\d{1,12}){0,5})(?![0-9.]*\d)(.*)$/i;
const PRERELEASE =
  /^[-._+]?((?:alpha|beta|rc|pre|preview|dev|nightly|canary|snapshot|next|milestone|m|a|b)(?:[-._]?\d+)*(?:[-.][0-9a-z]+)*)(?:$|[-+])/i;
const LONGEST_TAG = 255;

/** The version that a tag names; undefined when it names none. */
export function readVersion(tag: string): ReadVersion | undefined {
  if (tag.length > LONGEST_TAG) return undefined;
  const found = VERSION.exec(tag);
  if (found === null) return undefined;
  const [, prefix = "", digits = "", rest = ""] = found;
  return {
    prefix: prefix.toLowerCase(),
    numbers: digits.split(".").map(Number),
    prerelease: PRERELEASE.exec(rest)?.[1]?.toLowerCase() ?? null,
  };
}

/**
 * Below zero when a release comes before what an image's tag means. The tag `1.25` means all of 1.25, so only as many numbers are compared as it has.
 */
function compareToTag(release: ReadVersion, tag: ReadVersion): number {
  for (const [place, wanted] of tag.numbers.entries()) {
    const difference = (release.numbers[place] ?? 0) - wanted;
    if (difference !== 0) return difference;
  }
  return release.numbers.length > tag.numbers.length ? 0 : comparePrereleases(release.prerelease, tag.prerelease);
}

/** In full, to put releases in order; 0 of one version, however many zeros both end with. */
function compareVersions(a: ReadVersion, b: ReadVersion): number {
  for (let place = 0; place < Math.max(a.numbers.length, b.numbers.length); place += 1) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a.localeCompare(b, "en", { numeric: true });
}
