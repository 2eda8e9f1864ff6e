import { matchesGlob } from "node:path";

/** Whether a path matches one of the patterns. */
export function matches(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesGlob(path, pattern));
}
