import { orderOf, packageKey } from "./ecosystem.ts";
import { type VersionOrder, compareSemver } from "./orders/order.ts";
import type { Affected, OsvRecord, Range, RangeEvent } from "./record.ts";

/** A package whose vulnerabilities are asked for, as the database knows it. */
export interface Subject {
  ecosystem: string;
  name: string;
  version: string;
}

export interface Verdict {
  affected: boolean;
  /** The first version without it, of those after this one; null when nobody says. */
  fixedIn: string | null;
  /** A range could not be compared with the version, and nothing else shows that it is affected. */
  undecided: boolean;
}

/** Whether a record holds for a version of a package. Source: OSV schema, section Evaluation. */
export function judge(record: OsvRecord, subject: Subject): Verdict {
  const order = orderOf(subject.ecosystem);
  const verdicts = entriesFor(record, subject).map((entry) => judgeEntry(entry, subject.version, order));
  const holding = verdicts.filter((verdict) => verdict.affected);
  // The caller may know from elsewhere that it is affected: then any later fix counts.
  const fixes = (holding.length > 0 ? holding : verdicts).flatMap(({ fixedIn }) => fixedIn ?? []);
  return {
    affected: holding.length > 0,
    fixedIn: earliest(fixes, order),
    undecided: holding.length === 0 && verdicts.some((verdict) => verdict.undecided),
  };
}

/** The parts of a record about a package. */
export function entriesFor(record: OsvRecord, subject: Subject): Affected[] {
  const key = packageKey(subject.ecosystem, subject.name);
  return record.affected.filter((entry) => packageKey(entry.ecosystem, entry.name) === key);
}

function judgeEntry(entry: Affected, version: string, order: VersionOrder | undefined): Verdict {
  const listed = entry.versions.includes(version);
  const ranges = entry.ranges.map((range) => judgeRange(range, version, range.semver ? compareSemver : order));
  const holding = ranges.filter(({ affected }) => affected);
  const affected = listed || holding.length > 0;
  const fixes = (holding.length > 0 ? holding : ranges).flatMap(({ fixedIn }) => fixedIn ?? []);
  return { affected, fixedIn: earliest(fixes, order), undecided: !affected && ranges.some(({ undecided }) => undecided) };
}

const UNDECIDED: Verdict = { affected: false, fixedIn: null, undecided: true };

function judgeRange({ events }: Range, version: string, order: VersionOrder | undefined): Verdict {
  if (order === undefined || order(version, version) === undefined) return UNDECIDED;
  const compared: { event: RangeEvent; position: number }[] = [];
  for (const event of events) {
    const position = positionOf(event, version, order);
    if (position === undefined) return UNDECIDED;
    compared.push({ event, position });
  }
  const fixes = compared.filter(({ event, position }) => event.kind === "fixed" && position < 0).map(({ event }) => event.version);
  const verdict = { fixedIn: earliest(fixes, order), undecided: false };
  const limits = compared.filter(({ event }) => event.kind === "limit");
  if (limits.length > 0 && !limits.some(({ position }) => position < 0)) return { ...verdict, affected: false };
  return { ...verdict, affected: isWithin(compared, order) };
}

/** Where the version stands to an event: below 0 when it is older. */
function positionOf({ kind, version: at }: RangeEvent, version: string, order: VersionOrder): number | undefined {
  if (kind === "introduced" && at === "0") return 1;
  if (kind === "limit" && at.includes("*")) return -1;
  return order(version, at);
}

/** The last event before the version decides. */
function isWithin(compared: readonly { event: RangeEvent; position: number }[], order: VersionOrder): boolean {
  const past = compared
    .filter(({ event: { kind }, position }) => (kind === "last_affected" ? position > 0 : kind !== "limit" && position >= 0))
    .map(({ event }) => event)
    .sort((a, b) => orderEvents(a, b, order));
  return past.at(-1)?.kind === "introduced";
}

function orderEvents(a: RangeEvent, b: RangeEvent, order: VersionOrder): number {
  const first = Number(isBeginning(b)) - Number(isBeginning(a));
  return first !== 0 ? first : isBeginning(a) ? 0 : (order(a.version, b.version) ?? 0);
}

function isBeginning({ kind, version }: RangeEvent): boolean {
  return kind === "introduced" && version === "0";
}

/** The first of versions in their order; null of none. */
export function earliest(versions: readonly string[], order: VersionOrder | undefined): string | null {
  const [first = null, ...others] = versions;
  return others.reduce((best, other) => (best !== null && order !== undefined && (order(other, best) ?? 0) < 0 ? other : best), first);
}
