/** Which of two tags is newer, and by how large a step. */
import { isDay, mayBeShort, type Scheme, type VersionTag } from "./tag.ts";

/** The first number of a version that changes. */
export type VersionStep = "major" | "minor" | "patch";

/** Majors farther apart than this, or than double, with nothing in between are taken for another numbering. */
const WIDEST_GAP = 10;

/** Whether two tags share a numbering, so that one can be newer than the other: the same family, scheme and number of parts. */
export function isComparable(current: VersionTag, other: VersionTag): boolean {
  return (
    current.family === other.family &&
    current.parts.length === other.parts.length &&
    agreeOnScheme(current, other) &&
    current.written.every((part, index) => writtenAlike(part, other.written[index] ?? ""))
  );
}

/** `24.10` looks like any version; beside `22.04` it is a year and a month. */
function agreeOnScheme(current: VersionTag, other: VersionTag): boolean {
  if (current.scheme === other.scheme) return true;
  const isOf = (scheme: Scheme): boolean => current.scheme === scheme || other.scheme === scheme;
  return isOf("short") && isOf("number") && mayBeShort(current.written) && mayBeShort(other.written);
}

/** Where one is filled up with zeros both have as many digits; a day stands only beside a day. */
function writtenAlike(one: string, other: string): boolean {
  const filled = (part: string): boolean => part.length > 1 && part.startsWith("0");
  return ((!filled(one) && !filled(other)) || one.length === other.length) && isDay(one) === isDay(other);
}

/**
 * Negative when the first is older. Only for comparable tags. Builds are counted separately for each base: `-alpine3.19-r4` and `-alpine3.20-r1` of one
 * version are alike, and another base alone makes nothing newer.
 */
export function compareTags(one: VersionTag, other: VersionTag): number {
  const versions = compareVersions(one, other);
  return versions !== 0 || compareNumbers(one.base, other.base) !== 0 ? versions : compareNumbers(one.counters, other.counters);
}

/** The same without counting builds: numbers, and what comes before a release. */
export function compareVersions(one: VersionTag, other: VersionTag): number {
  const numbers = compareNumbers(one.parts, other.parts);
  if (numbers !== 0) return numbers;
  if (one.prerelease === null || other.prerelease === null) return Number(other.prerelease !== null) - Number(one.prerelease !== null);
  const stages = one.prerelease.stage - other.prerelease.stage;
  return stages !== 0 ? stages : compareNumbers(one.prerelease.numbers, other.prerelease.numbers);
}

export function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? -1) - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** By the first number that differs, of calendar versions too: nothing promises that a step of theirs is small. */
export function stepBetween(current: VersionTag, newer: VersionTag): VersionStep {
  const first = current.parts.findIndex((part, index) => part !== newer.parts[index]);
  return first === 0 ? "major" : first === 1 ? "minor" : "patch";
}

/** The largest major that can be reached from the current one over those that there are, without a gap too wide to be believed. */
export function reachableMajor(current: VersionTag, majors: Iterable<number>): number {
  const start = current.parts[0] ?? 0;
  if (current.scheme === "date" || current.scheme === "year") return Number.POSITIVE_INFINITY;
  let reached = start;
  for (const major of Float64Array.from(majors).sort()) {
    if (major <= reached) continue;
    if (major - reached > Math.max(WIDEST_GAP, reached)) break;
    reached = major;
  }
  return reached;
}
