/** The oldest API that is understood, and the newest whose answers were read while writing this. */
export const OLDEST_API = "1.40";
export const NEWEST_API = "1.51";

/**
 * The API version to speak with an engine: the newest that both know. An engine that no longer speaks ours is asked in its own oldest,
 * since the few fields that are read have been stable. Undefined when the engine is too old or says no version.
 */
export function negotiateVersion(engine: { newest: string; oldest: string | undefined }): string | undefined {
  if (!isVersion(engine.newest) || compareVersions(engine.newest, OLDEST_API) < 0) return undefined;
  if (compareVersions(engine.newest, NEWEST_API) <= 0) return engine.newest;
  const oldest = engine.oldest !== undefined && isVersion(engine.oldest) ? engine.oldest : NEWEST_API;
  return compareVersions(oldest, NEWEST_API) > 0 ? oldest : NEWEST_API;
}

function isVersion(text: string): boolean {
  return /^\d{1,4}\.\d{1,4}$/.test(text);
}

function compareVersions(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split(".").map(Number);
  const [rightMajor = 0, rightMinor = 0] = right.split(".").map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}
