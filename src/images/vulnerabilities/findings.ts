import { cleanName } from "../../platform/text.ts";
import { LEAST_SCORES, type Package, type SeverityName, type UnreadPackages, type Vulnerability } from "../image.ts";
import { earliest, entriesFor, judge, type Subject } from "./affected.ts";
import { orderOf, namesSources, packageKey } from "./ecosystem.ts";
import type { OsvRecord } from "./record.ts";
import { ratingAmong, type Score, scoreOf, severityOf, severityOfRating } from "./severity.ts";

/** A question to a database about packages of an image. */
export interface Question extends Subject {
  packages: readonly Package[];
}

/** Packages that are asked about, of one image. */
const MOST_QUESTIONS = 20_000;
const NAMES_SHOWN = 3;

/** One question for all packages that come of one source; `left` are those too many to ask. */
export function questionsOf(packages: readonly Package[]): { questions: Question[]; left: number } {
  const questions = new Map<string, Question & { packages: Package[] }>();
  let left = 0;
  for (const item of packages) {
    const { name, version } = (namesSources(item.ecosystem) ? item.source : null) ?? item;
    const key = `${packageKey(item.ecosystem, name)}\n${version}`;
    const known = questions.get(key);
    if (known !== undefined) known.packages.push(item);
    else if (questions.size < MOST_QUESTIONS) questions.set(key, { ecosystem: item.ecosystem, name, version, packages: [item] });
    else left += 1;
  }
  return { questions: [...questions.values()], left };
}

export function unreadPackages({ ecosystem, name, packages }: Question): UnreadPackages {
  return { ecosystem, names: [...new Set([name, ...packages.map((item) => item.name)])] };
}

/** How the packages of a question are named and which version is shown: the installed one where there is one. */
function namedPackages({ packages, version }: Question): { package: string; version: string } {
  const names = [...new Set(packages.map(({ name }) => cleanName(name)))].sort();
  const versions = new Set(packages.map((item) => item.version));
  const shown = names.length <= NAMES_SHOWN ? names : [...names.slice(0, NAMES_SHOWN), `${names.length - NAMES_SHOWN} more`];
  const [only = version] = versions;
  return { package: shown.join(", "), version: cleanName(versions.size === 1 ? only : version) };
}

/** Records of one vulnerability of one question: several databases describe the same. */
export interface Finding {
  question: Question;
  /** The CVE, where it has one. */
  cve: string | null;
  /** In the order of their ids, not empty. */
  records: readonly OsvRecord[];
  score: Score | undefined;
}

const CVE = /^CVE-\d{4}-\d{4,}$/;
/** How distributions name their view of a CVE. */
const VIEW_OF_CVE = /^[A-Z]+-(CVE-\d{4}-\d{4,})$/;

/** What the records that hold for a question's packages come to: each vulnerability once. */
export function findingsOf(question: Question, records: readonly OsvRecord[]): Finding[] {
  const groups = together([...records].filter(({ withdrawn }) => !withdrawn).sort((a, b) => (a.id < b.id ? -1 : 1)));
  const shown = new Set(groups.flatMap((group) => cveAmong(group) ?? []));
  return groups.flatMap((group) => {
    const cve = cveAmong(group);
    // An advisory on several, which are all listed one by one as well.
    const covered = cve === null && group.every(({ upstream }) => upstream.length > 0 && upstream.every((name) => shown.has(name)));
    return covered ? [] : { question, cve, records: group, score: bestScore(question, group) };
  });
}

/** Those that call themselves, or each other, by one name. */
function together(records: readonly OsvRecord[]): OsvRecord[][] {
  const groups = new Set<Group>();
  /** A kernel has thousands of records: each finds its group by its names, and looks at no other. */
  const byName = new Map<string, Group>();
  for (const [place, record] of records.entries()) {
    const own = cveOf(record);
    const names = [record.id, ...record.aliases, ...(own === null ? [] : [own])];
    const same = new Set(names.flatMap((name) => byName.get(name) ?? []));
    const [first = { place, names: [], records: [] }, ...others] = [...same].sort((a, b) => a.place - b.place);
    groups.add(first);
    first.records.push(record);
    first.names.push(...names);
    for (const other of others) {
      first.records.push(...other.records);
      first.names.push(...other.names);
      groups.delete(other);
    }
    for (const name of others.length === 0 ? names : first.names) byName.set(name, first);
  }
  return [...groups].map((group) => group.records);
}

interface Group {
  place: number;
  names: string[];
  records: OsvRecord[];
}

function cveAmong(records: readonly OsvRecord[]): string | null {
  const [first = null] = records.flatMap((record) => cveOf(record) ?? []).sort();
  return first;
}

function cveOf({ id, aliases, upstream }: OsvRecord): string | null {
  if (CVE.test(id)) return id;
  const [alias] = aliases.filter((name) => CVE.test(name)).sort();
  if (alias !== undefined) return alias;
  const view = VIEW_OF_CVE.exec(id)?.[1];
  if (view !== undefined) return view;
  const [only, ...others] = upstream.filter((name) => CVE.test(name));
  return only !== undefined && others.length === 0 ? only : null;
}

function bestScore(question: Question, records: readonly OsvRecord[]): Score | undefined {
  return scoreOf(records.flatMap((record) => [...entriesFor(record, question).flatMap(({ severity }) => severity), ...record.severity]));
}

/** A finding as it is shown. */
export function vulnerabilityOf({ question, cve, records, score }: Finding): Vulnerability {
  const osvId = (records.find(({ severity }) => severity.length > 0) ?? records[0])?.id ?? "";
  const [publishedAt = null] = records.flatMap(({ published }) => published ?? []).sort();
  return {
    id: cve ?? osvId,
    osvId,
    ...namedPackages(question),
    ecosystem: cleanName(question.ecosystem),
    score: score?.score ?? null,
    vector: score?.vector ?? null,
    severity: score === undefined ? ratedBy(question, records) : severityOf(score.score),
    fixedIn: fixedIn(question, records),
    summary: records.find(({ summary }) => summary !== "")?.summary ?? "",
    url: `https://osv.dev/vulnerability/${encodeURIComponent(osvId)}`,
    publishedAt,
  };
}

function ratedBy(question: Question, records: readonly OsvRecord[]): SeverityName | null {
  for (const record of records) {
    const entries = entriesFor(record, question);
    const stated = [
      ...entries.flatMap(({ severity, rating }) => [ratingAmong(severity), rating]),
      ratingAmong(record.severity),
      record.rating,
    ];
    for (const rating of stated) {
      const severity = severityOfRating(rating);
      if (severity !== null) return severity;
    }
  }
  return null;
}

/** The earliest of what the records say. */
function fixedIn(question: Question, records: readonly OsvRecord[]): string | null {
  const fixes = records.flatMap((record) => judge(record, question).fixedIn ?? []);
  return earliest(fixes, orderOf(question.ecosystem));
}

/** Worst first; those that nobody rates last. */
export function worstFirst(a: Vulnerability, b: Vulnerability): number {
  return weightOf(b) - weightOf(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.package < b.package ? -1 : 1);
}

function weightOf({ score, severity }: Vulnerability): number {
  return score ?? (severity === null ? -1 : LEAST_SCORES[severity]);
}
