import { MINUTE_MS } from "../../contract/time.ts";

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

export interface PostureStep {
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
 * One look more. It is low when its score was strictly below the threshold at every look for the whole debounce, and well again when it was not for
 * as long. `score` null: nothing runs there, and nothing is low.
 */
export function stepPosture(
  level: PostureLevel,
  { score, atMs }: { score: number | null; atMs: number },
  { threshold }: { threshold: number },
): PostureStep {
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
