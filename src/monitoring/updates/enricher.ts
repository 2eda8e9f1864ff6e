import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { ImageReaders } from "../../images/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/queues.ts";
import type { Log } from "../../platform/log.ts";
import type { EnrichmentDetails, Outline } from "./enrichment.ts";
import { repositoryText } from "./known-image.ts";
import { caseKey, type Entry, type UpdateProjection } from "./projection.ts";
import type { KeptOutline } from "./rows.ts";
import type { UpdateStore } from "./store.ts";
import { type Case, type Grants, studyImage } from "./study.ts";
import type { Watch } from "./watch.ts";

/** Looks up what updates fix and bring; it takes long, so it continues after a scan. */
export interface Enricher {
  /** In the place of the round that is under way. */
  begin(): void;
  /** Continues with what is due: what was left by a stop, a crash or an unreachable registry, and what the edition has granted since. */
  resume(): void;
  /** How far the round that is under way is. */
  progress(): { total: number; done: number } | undefined;
  stop(): void;
}

export interface EnricherParts {
  outlines: Outlines;
  projection: Pick<UpdateProjection, "all">;
  watch: Pick<Watch, "refresh">;
  imageReaders(): Promise<ImageReaders>;
  grants(): Grants;
  clock: Clock;
  log: Log;
}

/** New vulnerabilities of the same packages become known. A little less than a day, so that a daily scan finds it due. */
const ASK_AGAIN_MS = 20 * HOUR_MS;
const AT_ONCE = 3;
const PER_REGISTRY = 2;

/** Each counts for itself: what an aborted one still does ends beside the next. */
interface Round {
  abort: AbortController;
  total: number;
  done: number;
}

export function createEnricher({ outlines, projection, watch, imageReaders, grants, clock, log }: EnricherParts): Enricher {
  let round: Round | undefined;
  let before: Promise<void> = Promise.resolve();
  let stopped = false;

  function isDue(key: string, { cves, risk, changelog }: Grants): boolean {
    const known = outlines.get(key);
    if (known === undefined || clock.now().getTime() - known.checkedAt.getTime() >= ASK_AGAIN_MS) return true;
    // Granted since, or a forge could not answer: what was not looked for is.
    return ((cves || risk) && known.outline.cves === null) || (changelog && known.outline.changelogUrl === undefined);
  }

  function cases(granted: Grants): { due: Case[]; keys: Set<string> } {
    const due = new Map<string, Case>();
    const keys = new Set<string>();
    for (const { container, known, standing } of projection.all()) {
      if (known === undefined || known.reference === null || standing.status === "excluded") continue;
      const key = caseKey(container, known, standing);
      keys.add(key);
      if (due.has(key) || !isDue(key, granted)) continue;
      const { imageDigest: digest, imagePlatform: platform } = container;
      due.set(key, { key, reference: known.reference, platform, digest, available: standing.available });
    }
    return { due: [...due.values()], keys };
  }

  async function study(each: Case, granted: Grants, readers: ImageReaders, signal: AbortSignal): Promise<void> {
    const { outline, details } = await studyImage(each, { granted, readers, now: () => clock.now(), signal });
    if (knowsLess(outline, outlines.get(each.key)?.outline)) {
      log.info({ image: repositoryText(each.reference), note: outline.cves?.note }, "less is known of an image than before: that is kept");
      return;
    }
    await outlines.save(each.key, outline, details);
  }

  /** A registry or database that is away for a while says nothing new, and takes nothing back: not an alert either. It is asked again soon. */
  function knowsLess({ cves }: Outline, known: Outline | undefined): boolean {
    if (!cves || !known?.cves?.known || clock.now().getTime() - Date.parse(known.cves.checked_at) > KEPT_MS) return false;
    return !cves.known || (cves.fixed_by_update === null && known.cves.fixed_by_update !== null);
  }

  async function run(own: Round): Promise<void> {
    const { signal } = own.abort;
    const granted = grants();
    if (!granted.cves && !granted.risk && !granted.changelog) return;
    const { due, keys } = cases(granted);
    if (due.length > 0) {
      const readers = await imageReaders();
      own.total = due.length;
      const lanes = { laneOf: ({ reference }: Case) => reference.registry, perLane: PER_REGISTRY, atOnce: AT_ONCE, signal };
      await workInLanes(due, lanes, async (each) => {
        try {
          await study(each, granted, readers, signal);
          watch.refresh(idsOf(each));
        } catch (error) {
          if (!signal.aborted)
            log.warn({ image: repositoryText(each.reference), reason: messageOf(error) }, "an image could not be studied");
        }
        own.done += 1;
      });
    }
    if (!signal.aborted) await outlines.prune(keys);
  }

  function idsOf({ key }: Case): number[] {
    const isOf = ({ container, known, standing }: Entry): boolean => known !== undefined && caseKey(container, known, standing) === key;
    return [...projection.all()].filter(isOf).map(({ container }) => container.id);
  }

  function begin(): void {
    if (stopped) return;
    round?.abort.abort();
    const own: Round = { abort: new AbortController(), total: 0, done: 0 };
    round = own;
    before = before.then(async () => {
      const { signal } = own.abort;
      if (signal.aborted) return;
      try {
        await run(own);
      } catch (error) {
        if (!signal.aborted) log.warn({ reason: messageOf(error) }, "images could not be studied");
      } finally {
        if (round === own) round = undefined;
      }
    });
  }

  return {
    begin,
    resume() {
      if (round === undefined) begin();
    },
    progress: () => (round === undefined || round.total === 0 ? undefined : { total: round.total, done: round.done }),
    stop() {
      stopped = true;
      round?.abort.abort();
    },
  };
}

/** What a study found in short, and when that was. */
type KnownOutline = Omit<KeptOutline, "subject">;

/** What studies of images found, in memory. The details of each are in the database only. */
export interface Outlines {
  load(): Promise<void>;
  get(key: string): KnownOutline | undefined;
  save(key: string, outline: Outline, details: EnrichmentDetails): Promise<void>;
  /** Forgets what no container has needed for a week. */
  prune(needed: ReadonlySet<string>): Promise<void>;
}

interface OutlinesParts {
  store: Pick<UpdateStore, "outlines" | "saveEnrichment" | "forget">;
  clock: Clock;
}

/** How long something is kept that is not needed, or that a later study could not find again. */
const KEPT_MS = 7 * DAY_MS;

export function createOutlines({ store, clock }: OutlinesParts): Outlines {
  const outlines = new Map<string, KnownOutline>();
  return {
    async load() {
      for (const { subject, outline, checkedAt } of await store.outlines()) outlines.set(subject, { outline, checkedAt });
    },
    get: (key) => outlines.get(key),
    async save(key, outline, details) {
      await store.saveEnrichment(key, outline, details, clock.now());
      outlines.set(key, { outline, checkedAt: clock.now() });
    },
    async prune(needed) {
      const limit = clock.now().getTime() - KEPT_MS;
      const old = [...outlines].filter(([key, { checkedAt }]) => !needed.has(key) && checkedAt.getTime() < limit).map(([key]) => key);
      await store.forget("update_enrichments", old);
      for (const key of old) outlines.delete(key);
    },
  };
}
