import type { UpdateStatus, UpdateType } from "../../../../src/events.ts";
import type { Cves, UpdateRecord, UpdateSummary } from "../../../../src/monitoring/updates/answers.ts";
import type { SortKey } from "../../../../src/monitoring/updates/api.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { asSentence } from "../../format/sentence.ts";
import type { Level } from "../../ui/level-mark.tsx";

type RiskLevel = NonNullable<UpdateRecord["risk_level"]>;
type CveSeverity = NonNullable<Cves["vulnerabilities"][number]["severity"]>;

/** How large a step is, and what that means. */
export const TYPE_WORDS: Readonly<Record<UpdateType, { word: string; means: string }>> = {
  major: { word: "Major", means: "Major version: may contain breaking changes" },
  minor: { word: "Minor", means: "Minor version: new features, backward compatible" },
  patch: { word: "Patch", means: "Patch version: bug fixes" },
  digest: { word: "Digest", means: "Same tag, new digest" },
};

/** Columns that the list can be sorted by. */
export const SORT_WORDS: Readonly<Record<SortKey, string>> = {
  name: "Container",
  image: "Image",
  update_type: "Kind",
  published: "Age",
  risk: "Risk",
  fixed: "Vulnerabilities fixed",
};

/** A status in a word, and what it means for alerts. */
export const STATUS_WORDS: Readonly<Record<UpdateStatus, { word: string; means: string }>> = {
  available: { word: "Update available", means: "" },
  pinned: { word: "Pinned", means: "stay at their version; no alerts for newer images" },
  excluded: { word: "Excluded", means: "excluded from checks by image or label" },
  unknown: { word: "Unknown", means: "not checked yet, or the registry did not respond" },
  up_to_date: { word: "Up to date", means: "no newer version allowed by their labels" },
};

const RISK_WORDS: Readonly<Record<RiskLevel, { level: Level; word: string }>> = {
  critical: { level: 4, word: "Critical" },
  high: { level: 3, word: "High" },
  medium: { level: 2, word: "Medium" },
  low: { level: 1, word: "Low" },
};

interface RiskWords {
  level: Level;
  word: string;
  /** Whether it may be higher, since something was not seen. */
  isOpen: boolean;
  /** `12 of 100`, and how high it may be. */
  score: string;
}

/** The risk of what runs, in words; undefined where none is judged. */
export function riskWords({ risk_level: least, risk_level_at_most: most, risk_score: score }: UpdateRecord): RiskWords | undefined {
  if (least === null || most === null || score === null) return undefined;
  const isOpen = least !== most;
  const open = isOpen ? `, up to ${RISK_WORDS[most].word.toLowerCase()} since not everything is known` : "";
  return { ...RISK_WORDS[least], isOpen, score: `${score} of 100${open}` };
}

/** From the worst to the mildest. */
export const CVE_WORDS: Readonly<Record<CveSeverity | "unknown", { level: Level; word: string }>> = {
  critical: { level: 4, word: "Critical" },
  high: { level: 3, word: "High" },
  medium: { level: 2, word: "Medium" },
  low: { level: 1, word: "Low" },
  none: { level: 0, word: "None" },
  unknown: { level: 0, word: "Not rated" },
};
// The keys of a typed record are its type's.
const CVE_SEVERITIES = Object.keys(CVE_WORDS) as (CveSeverity | "unknown")[];

/** What makes up a risk, as a person calls it. */
export const RISK_PART_WORDS: Readonly<Record<NonNullable<UpdateRecord["risk_parts"]>[number]["name"], string>> = {
  update_type: "Version jump",
  worst_cve: "Worst vulnerability",
  exposure: "Exposure",
  restarts: "Restarts",
  age: "Image age",
};

/** Of all containers, how many can be updated. */
export function totalsOf({ major, minor, patch, digest, pinned, excluded, up_to_date, unknown }: UpdateSummary["counts"]): {
  available: number;
  total: number;
} {
  const available = major + minor + patch + digest;
  return { available, total: available + pinned + excluded + up_to_date + unknown };
}

/** What is known of all containers: `6 of 41 containers can be updated`; empty where there is no container. */
export function summaryWords({ counts, last_scan_at }: Pick<UpdateSummary, "counts" | "last_scan_at">): string {
  const { available, total } = totalsOf(counts);
  if (total === 0) return "";
  if (counts.unknown === total) return `${countOf(total, "container")} ${uncheckedWords(last_scan_at)}`;
  const open = counts.unknown === 0 ? "" : `; ${formatCount(counts.unknown)} unknown`;
  if (available === 0) return `${countOf(total - counts.unknown, "container")} up to date${open}`;
  return `${formatCount(available)} of ${countOf(total, "container")} can be updated${open}`;
}

/** Not known, before the first scan and after one. */
function uncheckedWords(lastScanAt: string | null): string {
  return lastScanAt === null ? "not checked yet" : "could not be checked";
}

/** The line on the Overview: `4 updates available, 1 fixes critical vulnerabilities`, or why none is. */
export function overviewWords({
  counts,
  fixing_critical,
  last_scan_at,
}: Pick<UpdateSummary, "counts" | "fixing_critical" | "last_scan_at">): string {
  const { available, total } = totalsOf(counts);
  if (available === 0) {
    if (counts.unknown === 0) return "No updates available";
    const unchecked = uncheckedWords(last_scan_at);
    return counts.unknown === total ? `Updates ${unchecked}` : `No updates known, ${countOf(counts.unknown, "container")} ${unchecked}`;
  }
  const fixing = fixing_critical ?? 0;
  const fixes = fixing === 0 ? "" : `, ${formatCount(fixing)} ${fixing === 1 ? "fixes" : "fix"} critical vulnerabilities`;
  return `${countOf(available, "update")} available${fixes}`;
}

/** `4 available`; where some were not checked, that. */
export function availableWords({ counts, last_scan_at }: Pick<UpdateSummary, "counts" | "last_scan_at">): string {
  const { available, total } = totalsOf(counts);
  if (available > 0 || counts.unknown === 0) return `${formatCount(available)} available`;
  const unchecked = uncheckedWords(last_scan_at);
  return counts.unknown === total ? unchecked : `0 available, ${formatCount(counts.unknown)} ${unchecked}`;
}

/** How far a scan is: `12 of 34 images asked, 3 newer found`. */
export function scanWords({ total, scanned, updates_found }: { total: number; scanned: number; updates_found: number }): string {
  if (total === 0) return "Preparing the scan";
  return `${formatCount(scanned)} of ${countOf(total, "image")} checked, ${formatCount(updates_found)} newer found`;
}

/** What is looked for once it is known what is newer. */
export function studyWords({ total, done }: { total: number; done: number }): string {
  return `Loading release notes and vulnerabilities: ${formatCount(done)} of ${countOf(total, "image")}`;
}

/** The beginning of a digest, long enough to distinguish two. */
export function shortDigest(digest: string | null): string | null {
  return digest === null ? null : digest.replace(/^sha(256|512):/, "").slice(0, 8);
}

type Step = Pick<UpdateRecord, "current_tag" | "current_digest" | "available_tag" | "available_digest" | "update_type">;

/** What runs and what could run, by tags, or by contents where the tag stays; null where nothing is available. */
export function stepOf({ current_tag, current_digest, available_tag, available_digest, update_type }: Step): {
  from: string;
  to: string | null;
} {
  const from = current_tag ?? shortDigest(current_digest) ?? "not known";
  if (update_type === null) return { from, to: null };
  if (update_type !== "digest") return { from, to: available_tag ?? shortDigest(available_digest) ?? "not known" };
  const old = shortDigest(current_digest);
  const tag = current_tag === null || old === null ? "" : `${current_tag} `;
  return { from: `${tag}${old ?? from}`, to: shortDigest(available_digest) ?? available_tag ?? "not known" };
}

/** A step as one sentence, for titles and screen readers. */
export function stepWords(update: Step): string {
  const { from, to } = stepOf(update);
  if (to === null || update.update_type === null) return `current ${from}`;
  const { word } = TYPE_WORDS[update.update_type];
  return `${from} to ${to}, ${word.toLowerCase()}`;
}

/** What a container's own page says in one line; undefined where there is nothing to do. */
export function containerLine(update: Pick<UpdateRecord, "status" | "comparison"> & Step): { text: string; isWorse: boolean } | undefined {
  const { status, comparison } = update;
  const available = status === "available" ? `Update available: ${stepWords(update)}.` : "";
  if (comparison?.verdict === "worse") {
    const worse = comparison.changes.filter((change) => change.worse).map(({ text }) => asSentence(text));
    return { text: ["Worse since its image changed.", ...worse, available].join(" ").trim(), isWorse: true };
  }
  return available === "" ? undefined : { text: available, isWorse: false };
}

/** How many vulnerabilities an image has, the worst first: `2 critical, 36 in all`. */
export function cveWords({ known, counts }: Pick<Cves, "known" | "counts">): { level: Level; text: string } {
  const total = CVE_SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
  if (total === 0) return known ? { level: 0, text: "None known" } : { level: 0, text: "Unknown" };
  const worst = CVE_SEVERITIES.find((severity) => counts[severity] > 0) ?? "unknown";
  const { level, word } = CVE_WORDS[worst];
  const rest = counts[worst] === total ? "" : `, ${formatCount(total)} in all`;
  return { level, text: `${known ? "" : "At least "}${formatCount(counts[worst])} ${word.toLowerCase()}${rest}` };
}

/** How many vulnerabilities the update fixes: `12 of 36`; how many there are where that is not known. */
export function fixWords(cves: Pick<Cves, "known" | "counts" | "fixed_by_update">): { level: Level; text: string } {
  const words = cveWords(cves);
  if (cves.fixed_by_update === null) return words;
  const total = CVE_SEVERITIES.reduce((sum, severity) => sum + cves.counts[severity], 0);
  return total === 0 ? words : { ...words, text: `${formatCount(cves.fixed_by_update)} of ${formatCount(total)}` };
}

/** Of one that is up to date: what keeps that from being sure comes with it. */
export function upToDateWords(reason: string | null): string {
  return reason === null ? "Runs the newest version allowed by its labels." : `Runs the newest known version. ${asSentence(reason)}`;
}

/** Where only the worst are listed; empty where all are. `listed`: how many are. */
export function listedWords({ counts }: Pick<Cves, "counts">, listed: number): string {
  const total = CVE_SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
  return listed < total ? `Showing the worst ${formatCount(listed)}.` : "";
}

/** An address that a browser may follow; whatever else a registry names as one is not. */
export function webAddress(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined;
}
