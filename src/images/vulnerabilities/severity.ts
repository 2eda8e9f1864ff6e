import cvss from "ae-cvss-calculator";
import type { SeverityName } from "../image.ts";
import type { Severity } from "./record.ts";

export interface Score {
  score: number;
  vector: string;
}

/** From the version that is preferred to the one that is not. */
const VERSIONS = [
  { prefix: "CVSS:4.0/", type: "CVSS_V4", read: (vector: string) => new cvss.Cvss4P0(vector) },
  { prefix: "CVSS:3.1/", type: "CVSS_V3", read: (vector: string) => new cvss.Cvss3P1(vector) },
  { prefix: "CVSS:3.0/", type: "CVSS_V3", read: (vector: string) => new cvss.Cvss3P0(vector) },
  { prefix: "", type: "CVSS_V2", read: (vector: string) => new cvss.Cvss2(vector) },
] as const;

/**
 * The score of the newest kind of vector; undefined when there is none that can be read. Computed here by FIRST's formulas: the base score, and
 * for version 4 with what the vector says of threats.
 */
export function scoreOf(severities: readonly Severity[]): Score | undefined {
  for (const { prefix, type, read } of VERSIONS) {
    for (const severity of severities) {
      if (severity.type !== type || !severity.score.startsWith(prefix)) continue;
      const score = computed(severity.score, read);
      if (score !== undefined) return { score, vector: severity.score };
    }
  }
  return undefined;
}

const SHAPE = /^(?:CVSS:[34]\.[01]\/)?[A-Za-z]{1,3}:[A-Za-z]{1,6}(?:\/[A-Za-z]{1,3}:[A-Za-z]{1,6}){5,40}$/;

function computed(vector: string, read: (typeof VERSIONS)[number]["read"]): number | undefined {
  const metrics = vector.split("/").map((metric) => metric.split(":")[0]);
  if (!SHAPE.test(vector) || new Set(metrics).size !== metrics.length) return undefined;
  const parsed = read(vector);
  if (!parsed.isBaseFullyDefined()) return undefined;
  const { base } = parsed.calculateScores();
  return base === undefined || !(base >= 0 && base <= 10) ? undefined : base;
}

/** In words. Source: FIRST, CVSS 3.1, section 5; version 2 has no words for critical and none. */
export function severityOf(score: number): SeverityName {
  if (score >= 9) return "critical";
  if (score >= 7) return "high";
  if (score >= 4) return "medium";
  return score > 0 ? "low" : "none";
}

/**
 * What databases and distributions say in one word, where there is no vector. Debian's `unimportant` is a fault that is no danger there;
 * Ubuntu's `negligible` is one in theory. All other words, as `not yet assigned`, `end-of-life` and `untriaged`, say nothing of it.
 */
const RATINGS: ReadonlyMap<string, SeverityName> = new Map([
  ["critical", "critical"],
  ["high", "high"],
  ["important", "high"],
  ["medium", "medium"],
  ["moderate", "medium"],
  ["low", "low"],
  ["negligible", "low"],
  ["unimportant", "none"],
]);

export function severityOfRating(rating: string | null): SeverityName | null {
  // Debian marks with a star or two what it rated without looking closely.
  return rating === null
    ? null
    : (RATINGS.get(
        rating
          .trim()
          .toLowerCase()
          .replace(/\*{1,2}$/, ""),
      ) ?? null);
}

/** Ubuntu's own rating is among the severities of its records. */
export function ratingAmong(severities: readonly Severity[]): string | null {
  return severities.find(({ type }) => type === "Ubuntu")?.score ?? null;
}
