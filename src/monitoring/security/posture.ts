/** How safe things stand, from 0 to 100. Source: contract, section 10, Posture. */
import { MINUTE_MS } from "../../contract/time.ts";
import type { InsightSeverity, InsightType } from "../../events.ts";
import { INSIGHTS } from "./insight.ts";

const CATEGORIES = ["network", "configuration", "updates"] as const;
type Category = (typeof CATEGORIES)[number];

const WEIGHTS: Readonly<Record<Category, number>> = { network: 45, configuration: 30, updates: 25 };

export type PostureSeverity = InsightSeverity | "low";
const DEDUCTIONS: Readonly<Record<PostureSeverity, number>> = { critical: 35, high: 20, medium: 10, low: 5 };

export type Grade = "A" | "B" | "C" | "D" | "F";
const LEAST: readonly [Grade, number][] = [
  ["A", 90],
  ["B", 80],
  ["C", 70],
  ["D", 60],
];

/** What counts against a container: what is found of it and not acknowledged, and of its updates where something is known of them. */
export interface Counting {
  findings: readonly { type: InsightType }[];
  /** By severity; undefined: nothing is known of its updates, and they do not count. */
  updates: readonly PostureSeverity[] | undefined;
}

export interface CategoryScore {
  name: Category;
  /** 0 to 100, not rounded. */
  score: number;
  weight: number;
  findings: number;
}

export interface Score {
  /** 0 to 100, not rounded. */
  score: number;
  /** Those that apply. */
  categories: readonly CategoryScore[];
}

/** A container's score: the weighted mean of its categories, each 100 minus what its findings deduct. */
export function scoreOf({ findings, updates }: Counting): Score {
  const categories: CategoryScore[] = [];
  for (const name of CATEGORIES) {
    if (name === "updates" && updates === undefined) continue;
    const severities =
      name === "updates"
        ? (updates ?? [])
        : findings.filter(({ type }) => INSIGHTS[type].category === name).map(({ type }) => INSIGHTS[type].severity);
    const lost = severities.reduce((sum, severity) => sum + DEDUCTIONS[severity], 0);
    categories.push({ name, score: Math.max(0, 100 - lost), weight: WEIGHTS[name], findings: severities.length });
  }
  return { score: weightedMean(categories), categories };
}

/** What the score of many is made of; kept apart so that a change of it can be predicted without counting again. */
export interface Losses {
  squares: number;
  count: number;
}

export function lossesOf(scores: Iterable<number>): Losses {
  let squares = 0;
  let count = 0;
  for (const score of scores) {
    squares += squareOf(score);
    count += 1;
  }
  return { squares, count };
}

/**
 * The score of many: 100 minus the quadratic mean of what each lacks of 100. A mean in which the worst weigh most, and which never falls when one
 * of them rises (as it would if their scores were weighted by how bad they are). Of none: undefined.
 */
export function meanOf({ squares, count }: Losses): number | undefined {
  return count === 0 ? undefined : 100 - Math.sqrt(Math.max(0, squares) / count);
}

/** By how much the score of all would rise if one container's did. */
export function gainOf({ squares, count }: Losses, before: number, after: number): number {
  const then = meanOf({ squares: squares - squareOf(before) + squareOf(after), count });
  return (then ?? 0) - (meanOf({ squares, count }) ?? 0);
}

/** The categories of many, each the mean of the same kind over those to which it applies. */
export function categoriesOf(scores: readonly Score[]): CategoryScore[] {
  return CATEGORIES.flatMap((name) => {
    const applying = scores.flatMap(({ categories }) => categories.filter((category) => category.name === name));
    const score = meanOf(lossesOf(applying.map((category) => category.score)));
    if (score === undefined) return [];
    return [{ name, score, weight: WEIGHTS[name], findings: applying.reduce((sum, { findings }) => sum + findings, 0) }];
  });
}

function squareOf(score: number): number {
  return (100 - score) ** 2;
}

export function gradeOf(score: number): Grade {
  return LEAST.find(([, least]) => Math.round(score) >= least)?.[0] ?? "F";
}

function weightedMean(categories: readonly CategoryScore[]): number {
  const weights = categories.reduce((sum, { weight }) => sum + weight, 0);
  return categories.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights;
}

/** How long a posture has to stay on the other side of its threshold to count. */
export const POSTURE_DEBOUNCE_MS = 5 * MINUTE_MS;

/** How the posture of one host stands to its threshold. */
export interface PostureLevel {
  /** Below for the whole debounce, and not yet back for as long. */
  below: boolean;
  /** Since when it has been on the other side, without a break; null while it is not. */
  pendingSinceMs: number | null;
  /** The last score on the side where it stands; null when none is known. */
  lastScore: number | null;
}

interface PostureStep {
  level: PostureLevel;
  /** Whether it came to stand on the other side. */
  changed: boolean;
  /** The last score on the side where it stood before; null when none is known. */
  previousScore: number | null;
}

/** As it is found when the program starts: what is low then has been so for a while, and its alert must not end. */
export function firstLevel(score: number, threshold: number): PostureLevel {
  return { below: score < threshold, pendingSinceMs: null, lastScore: score };
}

/** What is known of a host that was not there before. */
export const UNKNOWN_LEVEL: PostureLevel = { below: false, pendingSinceMs: null, lastScore: null };

/**
 * One more evaluation. It is low when its score was strictly below the threshold at every evaluation for the whole debounce, and well again when it
 * was not for as long. `score` null: nothing runs there, and nothing is low.
 */
export function stepPosture(level: PostureLevel, { score, atMs }: { score: number | null; atMs: number }, threshold: number): PostureStep {
  const { below, lastScore } = level;
  const isBelow = score !== null && score < threshold;
  if (isBelow === below) {
    return { level: { below, pendingSinceMs: null, lastScore: score ?? lastScore }, changed: false, previousScore: null };
  }
  const sinceMs = level.pendingSinceMs ?? atMs;
  if (atMs - sinceMs < POSTURE_DEBOUNCE_MS) {
    return { level: { ...level, pendingSinceMs: sinceMs }, changed: false, previousScore: null };
  }
  return { level: { below: isBelow, pendingSinceMs: null, lastScore: score }, changed: true, previousScore: lastScore };
}
