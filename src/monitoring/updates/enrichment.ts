import {
  type Changelog,
  type PackageList,
  SEVERITIES,
  type SeverityName,
  type Vulnerability,
  type VulnerabilityList,
} from "../../images/index.ts";
import type { ChangelogRecord, Cves, VulnerabilityRecord } from "./answers.ts";

/** The part of an enrichment that is kept in memory: enough for lists, alerts and scores. */
export interface Outline {
  /** null: not looked for. */
  cves: KnownCves | null;
  /** When the image that runs was built, in milliseconds. */
  builtAt: number | null;
  /** What its software is made with, by its configuration. */
  ecosystem?: string | undefined;
  /** undefined: not looked for. */
  changelogUrl: string | null | undefined;
}

interface KnownCves extends Omit<Cves, "vulnerabilities"> {
  top: readonly VulnerabilityRecord[];
  worstFixed: SeverityName | null;
  /** No package or record was left out; undefined in what older versions stored. */
  complete?: boolean;
}

/** What is read when somebody asks for all. */
export interface EnrichmentDetails {
  vulnerabilities: readonly VulnerabilityRecord[];
  changelog: ChangelogRecord | null;
}

/** Kept of one image. */
export const MOST_VULNERABILITIES = 500;
/** Of a list of updates. */
const SHOWN_IN_LISTS = 5;
const SUMMARY_IN_LISTS = 300;

export interface ComparedImages {
  packages: PackageList;
  running: VulnerabilityList;
  /** Of the available image; undefined: none is, or it could not be read. */
  available: { packages: PackageList; list: VulnerabilityList } | undefined;
}

/** What the vulnerabilities of the image that runs are against those of the one that is available: the same one is known of both under its id. */
export function compareVulnerabilities({ packages, running, available }: ComparedImages): {
  cves: KnownCves;
  vulnerabilities: VulnerabilityRecord[];
} {
  const compared = available?.list.known === true && running.known;
  const isLeft = compared ? judgeOf(available, packages) : () => undefined;
  const isHere = judgeOf({ packages, list: running }, available?.packages);
  const all = running.vulnerabilities.toSorted(compareWorst).map((each) => {
    const left = isLeft(each);
    return vulnerabilityRecord(each, left === undefined ? null : !left);
  });
  const fixed = all.filter(({ fixed_by_update }) => fixed_by_update === true);
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const { severity } of all) counts[severity ?? "unknown"] += 1;
  const there = available === undefined ? [] : [available.packages.note, available.list.note].filter((note) => note !== null);
  const notes = [packages.note, running.note, ...new Set(there.map((note) => `For the available image: ${note}`))].filter(
    (note) => note !== null,
  );
  return {
    cves: {
      known: running.known,
      source: packages.source,
      packages: packages.packages.length,
      note: notes.length === 0 ? null : [...new Set(notes)].join(" "),
      counts,
      fixed_by_update: compared ? fixed.length : null,
      new_in_update: compared
        ? new Set(available.list.vulnerabilities.filter((each) => isHere(each) === false).map(vulnerabilityKey)).size
        : null,
      checked_at: running.checkedAt.toISOString(),
      top: all.slice(0, SHOWN_IN_LISTS).map((each) => ({ ...each, summary: each.summary.slice(0, SUMMARY_IN_LISTS) })),
      complete: packages.complete && running.known && !running.absent?.length && !running.unread?.length,
      worstFixed: SEVERITIES.find((severity) => fixed.some((each) => each.severity === severity)) ?? null,
    },
    vulnerabilities: all.slice(0, MOST_VULNERABILITIES),
  };
}

export function changelogRecord({ entries, url, note }: Changelog): ChangelogRecord {
  return {
    entries: entries.map(({ version, title, url: entryUrl, publishedAt, text, breaking }) => ({
      version,
      title,
      url: entryUrl,
      published_at: publishedAt,
      text,
      breaking: [...breaking],
    })),
    url,
    note,
  };
}

/**
 * Answers whether an image has a vulnerability of the other image, whose packages are given; undefined where what is known of it does not allow to say
 * that it has not.
 */
function judgeOf(
  { packages, list }: { packages: PackageList; list: VulnerabilityList },
  other: PackageList | undefined,
): (each: Vulnerability) => boolean | undefined {
  const has = new Set(list.vulnerabilities.map(vulnerabilityKey));
  const absent = new Set(list.absent?.map(familyOf));
  const read = new Set(packages.packages.map(({ ecosystem, name }) => `${familyOf(ecosystem)}\n${name}`));
  const isUnread = unreadAmong(list, other);
  return (each) => {
    const family = familyOf(each.ecosystem);
    if (has.has(vulnerabilityKey(each))) return true;
    if (absent.has(family) || isUnread(each)) return undefined;
    // What an incomplete list does not name may be there all the same.
    return packages.complete || each.package.split(", ").some((name) => read.has(`${family}\n${name}`)) ? false : undefined;
  };
}

/** Whether an image's list may lack a vulnerability of the other image, since not all records of that package could be read. */
function unreadAmong({ unread = [] }: VulnerabilityList, other: PackageList | undefined): (each: Vulnerability) => boolean {
  if (unread.length === 0) return () => false;
  const keys = new Set(unread.flatMap(({ ecosystem, names }) => names.map((name) => `${familyOf(ecosystem)}\n${name}`)));
  // What a source is made into is called otherwise in the next release of a distribution.
  const sources = new Map(other?.packages.map(({ ecosystem, name, source }) => [`${familyOf(ecosystem)}\n${name}`, source?.name ?? name]));
  return (each) => {
    const family = familyOf(each.ecosystem);
    return each.package.split(", ").some((name) => {
      const key = `${family}\n${name}`;
      return keys.has(key) || keys.has(`${family}\n${sources.get(key) ?? name}`);
    });
  };
}

/**
 * Not by the package: that is a list of names where several are made of one source, and the lists of two images differ. Nor by the release of a
 * distribution: a newer image is often built on the next one.
 */
function vulnerabilityKey({ ecosystem, id }: Vulnerability): string {
  return `${familyOf(ecosystem)}\n${id}`;
}

/** `Debian` of `Debian:12`. */
function familyOf(ecosystem: string): string {
  return ecosystem.split(":", 1).join("");
}

function compareWorst(a: Vulnerability, b: Vulnerability): number {
  return (
    rankOf(a) - rankOf(b) || (b.score ?? -1) - (a.score ?? -1) || a.id.localeCompare(b.id, "en") || a.package.localeCompare(b.package, "en")
  );
}

function rankOf({ severity }: Vulnerability): number {
  return severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity);
}

function vulnerabilityRecord(each: Vulnerability, fixedByUpdate: boolean | null): VulnerabilityRecord {
  return {
    id: each.id,
    osv_id: each.osvId,
    package: each.package,
    ecosystem: each.ecosystem,
    version: each.version,
    score: each.score,
    vector: each.vector,
    severity: each.severity,
    fixed_in: each.fixedIn,
    fixed_by_update: fixedByUpdate,
    summary: each.summary,
    url: each.url,
    published_at: each.publishedAt,
  };
}
