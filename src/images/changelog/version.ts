/** A version inside of a tag. */
export interface ReadVersion {
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
export function compareToTag(release: ReadVersion, tag: ReadVersion): number {
  for (const [place, wanted] of tag.numbers.entries()) {
    const difference = (release.numbers[place] ?? 0) - wanted;
    if (difference !== 0) return difference;
  }
  return release.numbers.length > tag.numbers.length ? 0 : comparePrereleases(release.prerelease, tag.prerelease);
}

/** In full, to put releases in order. */
export function compareVersions(a: ReadVersion, b: ReadVersion): number {
  for (let place = 0; place < Math.max(a.numbers.length, b.numbers.length); place += 1) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** Whether both are the same version, however many zeros they end with. */
export function isSameVersion(a: ReadVersion, b: ReadVersion): boolean {
  return compareVersions(a, b) === 0;
}

function comparePrereleases(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a.localeCompare(b, "en", { numeric: true });
}
