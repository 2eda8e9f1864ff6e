import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../../platform/outbound.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import { type Asked, createAskForge } from "./asking.ts";
import { GITHUB_API } from "./forges.ts";
import type { Wanted } from "./release.ts";
import { readSource, type Source, type Changelog, changelogOf, emptyChangelog } from "./source.ts";
import { createChangelogStore, type KeptChangelog } from "./store.ts";

export type { Changelog } from "./source.ts";

export interface Changelogs {
  /** Never throws but for the signal; undefined when the image does not say where its source is. */
  between(
    image: { sourceUrl: string | null; currentTag: string | null; availableTag: string },
    signal: AbortSignal,
  ): Promise<Changelog | undefined>;
}

export interface ChangelogsDependencies {
  outbound: Pick<Outbound, "open">;
  /** For GitHub's API, and sent nowhere else. */
  token: string | undefined;
  database: Database;
  clock: Clock;
  log: Log;
  /** Where GitHub's API is. */
  githubApi?: string;
}

/** How long releases are kept, and how long it is kept that there are none. */
const FOUND_MS = 7 * DAY_MS;
const NOTHING_MS = DAY_MS;
/** Beyond that it is asked for again, by its ETag while it is still here. */
const KEPT_MS = 14 * DAY_MS;
const MOST_KEPT = 2000;
const LONGEST_TAG = 255;

/** Release notes between two versions of an image, from where its source is. */
export function createChangelogs(dependencies: ChangelogsDependencies): Changelogs & { prune(signal: AbortSignal): Promise<void> } {
  const { outbound, token, database, clock, log, githubApi = GITHUB_API } = dependencies;
  const store = createChangelogStore(database);
  const ask = createAskForge({ outbound, githubApi, token, clock });
  const serial = createSerial();

  /** Without a database every question is new. */
  async function find(source: Source, wanted: Wanted): Promise<KeptChangelog | undefined> {
    try {
      return await store.find(source.url, wanted);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) return undefined;
      throw error;
    }
  }

  async function keep(source: Source, wanted: Wanted, kept: Omit<KeptChangelog, "fetchedAt">): Promise<Changelog> {
    try {
      await store.save(source.url, wanted, { ...kept, fetchedAt: clock.now() });
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
    }
    return kept.changelog;
  }

  async function read(source: Source, wanted: Wanted, signal: AbortSignal): Promise<Changelog> {
    signal.throwIfAborted();
    const kept = await find(source, wanted);
    const ageMs = kept === undefined ? Infinity : clock.now().getTime() - kept.fetchedAt.getTime();
    if (kept !== undefined && ageMs < (kept.found ? FOUND_MS : NOTHING_MS)) return kept.changelog;
    return settle(source, wanted, kept, await ask(source, wanted, { etag: kept?.etag ?? null, signal }));
  }

  async function settle(source: Source, wanted: Wanted, kept: KeptChangelog | undefined, asked: Asked): Promise<Changelog> {
    switch (asked.kind) {
      case "unchanged":
        return keep(source, wanted, kept ?? { changelog: emptyChangelog(source, "The forge sent no releases."), found: false, etag: null });
      case "none": {
        const note = `The releases of ${source.url} could not be found.`;
        return keep(source, wanted, { changelog: emptyChangelog(source, note), found: false, etag: null });
      }
      case "releases": {
        const changelog = changelogOf({ ...source, forge: asked.forge }, wanted, asked);
        return keep(source, wanted, { changelog, found: changelog.entries.length > 0, etag: asked.etag });
      }
      case "failed": {
        log.debug({ source: source.url, reason: asked.sentence }, "release notes could not be read");
        // What was known once is better than nothing.
        if (kept?.found === true) return kept.changelog;
        const changelog = emptyChangelog(source, `The release notes could not be read: ${asked.sentence}`);
        return asked.isPassing ? { ...changelog, isPassing: true } : keep(source, wanted, { changelog, found: false, etag: null });
      }
    }
  }

  return {
    async between({ sourceUrl, currentTag, availableTag }, signal) {
      const source = readSource(sourceUrl);
      if (source === undefined) return undefined;
      if (availableTag === currentTag)
        return emptyChangelog(source, "The tag stays the same, so its name does not say which versions lie between.");
      if (availableTag.length > LONGEST_TAG || (currentTag?.length ?? 0) > LONGEST_TAG) return undefined;
      // A host is asked one question after another; who asks the same meanwhile finds the answer.
      return serial(source.origin, () => read(source, { currentTag, availableTag }, signal));
    },
    async prune(signal) {
      const before = new Date(clock.now().getTime() - KEPT_MS);
      while (!signal.aborted && (await store.prune({ before, most: MOST_KEPT })));
    },
  };
}
