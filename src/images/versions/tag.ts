/** What the name of a tag says: which version, of which line of tags. */

/**
 * How the numbers of a tag are meant. Tags of different schemes are never compared: `2024.5.0` is not newer than `1.27.3`.
 * `short` is a year and a month as in `22.04`.
 */
export type Scheme = "number" | "year" | "short" | "date";

/** A step before a release, `rc.2`: which step, and its numbers. Only numbered ones; `-rc` without a number is part of the family. */
export interface Prerelease {
  stage: number;
  numbers: readonly number[];
}

/** A tag up to the end of its version, which is all that most tags of a list need be read. */
export interface TagHead {
  text: string;
  /** What stands before the version; a day written together says how many digits it has. */
  prefix: string;
  scheme: Scheme;
  parts: readonly number[];
  /** The parts as written: `04` is another habit than `4`. */
  written: readonly string[];
  /** What stands behind the version, not yet read. */
  suffix: string;
}

/** A tag that can be compared with others of its family. */
export interface VersionTag extends TagHead {
  /** What stands before and after the version, without the digits that may differ within a family: `v`, `-alpine#.#`. */
  family: string;
  prerelease: Prerelease | null;
  /** What counts the builds of one version: `-ls123`, `-r3`, `_9`. */
  counters: readonly number[];
  /** The release of the distribution below, `3.20` of `-alpine3.20`. */
  base: readonly number[];
}

/** What registries accept as a tag. Source: OCI distribution specification 1.1, pulling manifests. */
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const MAX_DIGITS = 14;
const MOST_ENDINGS = 1000;

/** A day, perhaps with a time: `2024-01-02`, `2024-01-02T03-04-05Z`. */
const DAY = /(?<=^|[-_.])((?:19|20)\d\d)-(0\d|1[0-2])-([0-2]\d|3[01])(?:T(\d\d)-(\d\d)-(\d\d)Z)?(?![0-9A-Za-z])/;
const MAYBE_DAY = /\d{4}-\d\d-\d\d/;
/** The same without separators, of 8, 12 or 14 digits. */
const COMPACT_DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3]){0,1}(?:[0-5]\d){0,2}$/;
const YEAR = /^(?:19|20)\d\d$/;
const AT_START = /^\d+(?:\.\d+)*/;
const NUMBERS = /\d+(?:\.\d+)*/g;
/** What may stand before a version: nothing, a separator, or a `v`, `r` or `b` behind one of them. */
const BEFORE_VERSION = /(?:^|[-_.])[vVrb]?\.?$/;

/** A commit's short or long name. Digits alone are too, where they are many and no date. */
const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/i;
const LONG_NUMBER = /^\d{7,}$/;
const BEFORE_HASH = /(?:^|[-_.])(?:sha|sha1|sha256|git|commit|g|rev)[-_.]$/i;

/** In the order in which they come before a release; what is in one line means the same. */
const STAGES: readonly (readonly string[])[] = [
  ["dev", "nightly", "snapshot", "canary"],
  ["alpha", "a"],
  ["beta", "b"],
  ["m", "milestone", "ea", "pre", "preview"],
  ["rc", "c", "cr"],
];
const STAGE =
  /(?:[-._]|^)(dev|nightly|snapshot|canary|alpha|beta|milestone|preview|pre|ea|rc|cr)[-._]?(\d+(?:\.\d+)*)(?![A-Za-z0-9])|^([abc])(\d+)(?![A-Za-z0-9])|^[-.]?(m)(\d+)(?![A-Za-z0-9])/i;

/** A separate number right behind the version: `1.2.3-1`, `17.0.9_9`. */
const FIRST_COUNTER = /^([-_.])(\d+)(?![A-Za-z0-9.])/;
const COUNTER = /([-_.]|^)(ls|r|rev|build-?|b|u|p)(\d+)(?![A-Za-z0-9])/g;
/** Of these the release may change from one version to the next. Of all others (`-php8.2`, `-pg16`, `-arm32v7`) it says what is inside. */
const BASE = /([-_.])(alpine|debian-?|ubuntu-?|ubi-?|el|fedora-?|rocky-?|alma-?|ol-?|photon-?)(\d+(?:\.\d+)*)(?![A-Za-z0-9])/g;

/** What stands behind a version, read. */
interface Ending {
  kind: string;
  prerelease: Prerelease | null;
  counters: readonly number[];
  base: readonly number[];
}

/** Reads a tag; undefined when it names no version (`latest`, `bookworm-slim`), or none that is safe to compare (a commit's name). */
export function readTag(text: string): VersionTag | undefined {
  const head = readHead(text);
  return head && createEndReader()(head);
}

/** Reads a tag up to the end of its version; undefined as above. */
export function readHead(text: string): TagHead | undefined {
  if (!TAG.test(text)) return undefined;
  const found = readDay(text) ?? readNumbers(text);
  if (found === undefined || found.written.some((part) => part.length > MAX_DIGITS)) return undefined;
  return { text, ...found, parts: found.written.map(Number) };
}

/** Reads the rest of tags, of which many end alike. */
export function createEndReader(): (head: TagHead) => VersionTag {
  const endings = new Map<string, Ending>();
  return (head) => {
    let ending = endings.get(head.suffix);
    if (ending === undefined) {
      ending = readEnding(head.suffix);
      // Tags with many different endings gain nothing from it.
      if (endings.size < MOST_ENDINGS) endings.set(head.suffix, ending);
    }
    const { kind, prerelease, counters, base } = ending;
    return { ...head, family: `${head.prefix}|${kind}`, prerelease, counters, base };
  };
}

function readEnding(suffix: string): Ending {
  if (suffix === "") return { kind: "", prerelease: null, counters: [], base: [] };
  const prerelease = STAGE.exec(suffix);
  const counters: number[] = [];
  const base: number[] = [];
  const count = (whole: string, digits: string, kind: string): string => {
    if (digits.length > MAX_DIGITS) return whole;
    counters.push(Number(digits));
    return kind;
  };
  const kind = (prerelease === null ? suffix : suffix.replace(prerelease[0], ""))
    .replace(FIRST_COUNTER, (whole, separator: string, digits: string) =>
      count(whole, digits, `${separator}${isDay(digits) ? `day${digits.length}` : "#"}`),
    )
    .replace(COUNTER, (whole, separator: string, word: string, digits: string) => count(whole, digits, `${separator}${word}#`))
    .replace(BASE, (_, separator: string, word: string, digits: string) => {
      base.push(...numbersOf(digits));
      return `${separator}${word}${digits.replace(/\d+/g, "#")}`;
    });
  return { kind, prerelease: prerelease === null ? null : prereleaseOf(prerelease), counters, base };
}

type Found = Omit<TagHead, "text" | "parts">;

function readDay(text: string): Found | undefined {
  const match = MAYBE_DAY.test(text) ? DAY.exec(text) : null;
  if (match === null) return undefined;
  const [whole, ...written] = match;
  return {
    prefix: text.slice(0, match.index),
    scheme: "date",
    written: written.filter((part) => part !== undefined),
    suffix: text.slice(match.index + whole.length),
  };
}

function readNumbers(text: string): Found | undefined {
  const match = versionIn(text);
  if (match === undefined) return undefined;
  const prefix = text.slice(0, match.index);
  const suffix = text.slice(match.index + match[0].length);
  const written = match[0].split(".");
  if (prefix !== "" && BEFORE_HASH.test(prefix)) return undefined;
  if (written.length === 1 && HASH.test(/^[0-9A-Za-z]*/.exec(text.slice(match.index))?.[0] ?? "")) return undefined;
  if (written.length === 1 && isDay(match[0])) {
    // Distinguished by its length: a day is not compared with a minute.
    return { prefix: `${prefix}${match[0].length}:`, scheme: "date", written: compactDay(match[0]), suffix };
  }
  if (written.length === 1 && prefix === "" && LONG_NUMBER.test(match[0])) return undefined;
  return { prefix, scheme: schemeOf(written), written, suffix };
}

/** The numbers that are the version: those that the tag begins with (or has behind a `v`), else the first with a point (`arm64v8-5.0.1`), else the first. */
function versionIn(text: string): RegExpExecArray | undefined {
  const plain = AT_START.exec(text);
  if (plain !== null) return plain;
  let first: RegExpExecArray | undefined;
  for (const match of text.matchAll(NUMBERS)) {
    if (!BEFORE_VERSION.test(text.slice(Math.max(0, match.index - 3), match.index))) continue;
    if (match.index === 1 || match[0].includes(".")) return match;
    first ??= match;
  }
  return first;
}

function compactDay(digits: string): string[] {
  return [digits.slice(0, 4), ...(digits.slice(4).match(/\d\d/g) ?? [])];
}

function schemeOf([first = "", second = ""]: readonly string[]): Scheme {
  if (first.length === 4 && YEAR.test(first)) return "year";
  return second.startsWith("0") && mayBeShort([first, second]) ? "short" : "number";
}

/** Whether numbers could be a year of two digits and a month. */
export function mayBeShort([year = "", month = ""]: readonly string[]): boolean {
  return /^[1-9]\d$/.test(year) && /^(?:0[1-9]|1[0-2])$/.test(month);
}

/** Whether a part of a version is a day, `20240101`. */
export function isDay(part: string): boolean {
  return part.length >= 8 && COMPACT_DAY.test(part);
}

function prereleaseOf([, word, wordNumbers, letter, letterNumber, m, mNumber]: RegExpExecArray): Prerelease {
  const name = (word ?? letter ?? m ?? "").toLowerCase();
  return {
    stage: STAGES.findIndex((names) => names.includes(name)),
    numbers: numbersOf(wordNumbers ?? letterNumber ?? mNumber ?? ""),
  };
}

function numbersOf(digits: string): number[] {
  return digits.split(".").map(Number);
}
