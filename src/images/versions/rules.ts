/** Which tags a container's image is compared with, and which of them is offered. Source: contract, section 9, Tags. */
import type { UpdateSettings } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";
import type { ImageReference } from "../image.ts";
import { compareNumbers, compareTags, compareVersions, isComparable, reachableMajor, type VersionStep, stepBetween } from "./order.ts";
import type { ReadPatterns } from "./patterns.ts";
import { createEndReader, readHead, readTag, type TagHead, type VersionTag } from "./tag.ts";

/** Which newer tag there is, by the rules of versions. */
export interface TagChoice {
  tag: string;
  type: VersionStep;
}

/** How the tags of a container's image are to be read: by version, or only by what its own tag contains. */
export interface TagPlan {
  mode: "semver" | "digest";
  /** A sentence on which tags count, as a person reads it. */
  candidatesFilter: string;
  /** Nothing is asked, and why; null when it is. */
  skippedReason: string | null;
}

const SHOWN_TAG = 128;
/** What a container without a tag runs. */
const DEFAULT_TAG = "latest";
const STEPS: readonly VersionStep[] = ["major", "minor", "patch"];

/** How the tags of an image are to be read. A tag that names a version counts as floating too: what it contains is compared as well. */
export function planTags({ tag, digest }: ImageReference, settings: UpdateSettings, readPatterns: ReadPatterns): TagPlan {
  if (!settings.enabled) return skipped("The label service.update.enabled says not to ask.");
  if (tag === null && digest !== null) return skipped("It is pinned by its digest and has no tag that could be compared.");
  const name = cleanName(tag ?? DEFAULT_TAG, SHOWN_TAG);
  if (settings.pin !== null) {
    const pin = cleanName(settings.pin, SHOWN_TAG);
    return byDigest(name, `the label service.update.pin holds it${pin === name ? " there" : `, at ${pin}`}`);
  }
  if (settings.digestOnly) return byDigest(name, "the label service.update.digest_only says so");
  if (settings.track === "digest") return byDigest(name, "the label service.update.track says so");

  // A wrong expression matters only where tags are chosen from.
  const patterns = readPatterns(settings);
  if ("error" in patterns) return skipped(patterns.error);
  const current = readTag(name);
  if (current === undefined) return byDigest(name, "it names no version");
  return { mode: "semver", candidatesFilter: filterSentence(current, settings), skippedReason: null };
}

/** Steps between two pauses: a few milliseconds, whatever the tags are called. */
const STEPS_AT_ONCE = 400;

/**
 * The newest of the tags that the settings allow, at most so many, the best first; none when none is newer than the current one. Never throws. It
 * pauses now and then, so that others get their turn among very many tags.
 */
export function* chooseTags(
  currentText: string,
  tags: readonly string[],
  settings: UpdateSettings,
  { most, readPatterns }: { most: number; readPatterns: ReadPatterns },
): Generator<undefined, TagChoice[]> {
  const current = readTag(currentText);
  const patterns = readPatterns(settings);
  const onlyItsOwn = !settings.enabled || settings.pin !== null || settings.digestOnly || settings.track === "digest";
  if (current === undefined || "error" in patterns || onlyItsOwn) return [];
  const allowed = allowedSteps(settings);
  const readEnd = createEndReader();
  let left = STEPS_AT_ONCE;

  /** By their first number, since how far of those is believed shows only at the end. */
  const best = new Map<number, VersionTag[]>();
  const majors = new Set<number>();
  for (const text of tags) {
    left -= 1;
    if (left <= 0) left = yield* pause();
    const head = readHead(text);
    if (head === undefined || !mayBeNewer(current, head)) continue;
    const tag = readEnd(head);
    if (!isComparable(current, tag)) continue;
    const major = tag.parts[0] ?? 0;
    majors.add(major);
    if (compareTags(tag, current) <= 0 || !isOfSameLine(current, tag) || !allowed.includes(stepBetween(current, tag))) continue;
    const offers = best.get(major) ?? [];
    const worse = offers.findIndex((other) => compareOffers(current, tag, other) > 0);
    if (worse === -1 && offers.length >= most) continue;
    if (!patterns.none) {
      left -= patterns.steps;
      if (!patterns.admits(text)) continue;
    }
    offers.splice(worse === -1 ? offers.length : worse, 0, tag);
    if (offers.length > most) offers.pop();
    best.set(major, offers);
  }

  const highest = reachableMajor(current, majors);
  const offers: VersionTag[] = [];
  for (const major of Float64Array.from(best.keys()).sort().reverse()) {
    if (offers.length >= most) break;
    if (major <= highest) offers.push(...(best.get(major) ?? []));
  }
  return offers.slice(0, most).map((tag) => ({ tag: tag.text, type: stepBetween(current, tag) }));
}

function* pause(): Generator<undefined, number> {
  yield;
  return STEPS_AT_ONCE;
}

/** By what is read first: the rest of older tags and of other kinds is not worth reading. */
function mayBeNewer(current: TagHead, { prefix, parts }: TagHead): boolean {
  return prefix === current.prefix && parts.length === current.parts.length && compareNumbers(parts, current.parts) >= 0;
}

/** What comes before a release is offered only to who runs what comes before the same release; its release, and newer ones, are too. */
function isOfSameLine(current: VersionTag, tag: VersionTag): boolean {
  return tag.prerelease === null || (current.prerelease !== null && compareNumbers(tag.parts, current.parts) === 0);
}

/** Positive when the first is the better offer: newer, else on the base that runs, else built later. Total, so that the order of tags is all one. */
function compareOffers(current: VersionTag, one: VersionTag, other: VersionTag): number {
  const keepsBase = (tag: VersionTag): number => Number(compareNumbers(tag.base, current.base) === 0);
  return (
    compareVersions(one, other) ||
    keepsBase(one) - keepsBase(other) ||
    compareNumbers(one.base, other.base) ||
    compareNumbers(one.counters, other.counters) ||
    (one.text < other.text ? -1 : 1)
  );
}

function allowedSteps({ track, ignoreMajor }: UpdateSettings): readonly VersionStep[] {
  const largest = track === null || track === "digest" ? 0 : STEPS.indexOf(track);
  return STEPS.slice(Math.max(largest, ignoreMajor ? 1 : 0));
}

function filterSentence(current: VersionTag, settings: UpdateSettings): string {
  const steps = allowedSteps(settings);
  const kinds = steps.length === STEPS.length ? "any step" : steps.length === 1 ? "patch steps" : "minor and patch steps";
  const before = current.prerelease === null ? "no prereleases" : "prereleases only of the same version";
  const matching = settings.tagInclude === null ? [] : ["matching service.update.tag-include"];
  const not = settings.tagExclude === null ? [] : ["not matching service.update.tag-exclude"];
  return [`tags like ${current.text}`, "newer", before, kinds, ...matching, ...not].join(", ");
}

function byDigest(tag: string, why: string): TagPlan {
  return { mode: "digest", candidatesFilter: `only its own tag ${tag}, by what it contains: ${why}`, skippedReason: null };
}

function skipped(skippedReason: string): TagPlan {
  return { mode: "digest", candidatesFilter: "none", skippedReason };
}
