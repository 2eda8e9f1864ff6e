import { HOUR_MS } from "../../contract/time.ts";
import {
  type Changelog,
  type ImageReference,
  type PackageList,
  parsePlatform,
  type PlatformImage,
  RegistryError,
  type ImageReaders,
  type VulnerabilityList,
} from "../../images/index.ts";
import { type Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/lanes.ts";
import type { Log } from "../../platform/log.ts";
import { ecosystemOfConfig } from "../security/index.ts";
import { changelogRecord, compareVulnerabilities, type EnrichmentDetails, type Outline } from "./enrichment.ts";
import { type Available, repositoryText } from "./known-image.ts";
import { KEPT_MS, type Outlines } from "./outlines.ts";
import { caseKey, type Entry, type UpdateProjection } from "./projection.ts";
import type { UpdateStore } from "./store.ts";
import type { Watch } from "./watch.ts";

/** Capabilities of editions; each stands alone. */
export interface Grants {
  cves: boolean;
  risk: boolean;
  changelog: boolean;
}

/** What runs in containers, against what it could become. */
interface Case {
  key: string;
  reference: ImageReference;
  platform: string | null;
  digest: string | null;
  available: Available | null;
}

/** Finds out what updates mend and bring; it takes long, so that it goes on after a scan. */
export interface Enricher {
  details(key: string): Promise<EnrichmentDetails | undefined>;
  /** In the place of the round that is under way. */
  begin(): void;
  /** Goes on with what is due: what a stop, a crash or a registry that was away left, and what the edition grants since. */
  resume(): void;
  /** How far the round that is under way is. */
  progress(): { total: number; done: number } | undefined;
  stop(): Promise<void>;
}

export interface EnricherParts {
  store: Pick<UpdateStore, "details">;
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
const NOTHING_READ: PackageList = { source: null, packages: [], complete: false, note: null };

export function createEnricher({ store, outlines, projection, watch, imageReaders, grants, clock, log }: EnricherParts): Enricher {
  let round: { abort: AbortController; ended: Promise<void>; total: number; done: number } | undefined;
  let before: Promise<void> = Promise.resolve();
  let stopped = false;

  function isDue(key: string, { cves, risk, changelog }: Grants): boolean {
    const known = outlines.get(key);
    if (known === undefined || clock.now().getTime() - known.checkedAt.getTime() >= ASK_AGAIN_MS) return true;
    // Granted since, or a forge wanted to be left alone: what was not looked for is.
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
    const wantsCves = granted.cves || granted.risk;
    const running = wantsCves && each.digest !== null ? await imageOf(each, each.digest, readers, signal) : undefined;
    const config = running?.image && (await readers.registries.config(running.image, signal).catch(passRegistryError));
    const found = wantsCves ? await vulnerabilitiesOf(each, running, readers, signal) : undefined;
    const changelog = granted.changelog ? await changelogOf(each, readers, signal) : undefined;
    const outline: Outline = {
      cves: found?.cves ?? null,
      builtAt: config?.createdAt?.getTime() ?? null,
      ecosystem: config ? ecosystemOfConfig(config) : undefined,
      changelogUrl: granted.changelog && changelog?.isPassing !== true ? (changelog?.url ?? null) : undefined,
    };
    const details = {
      vulnerabilities: found?.vulnerabilities ?? [],
      changelog: changelog === undefined ? null : changelogRecord(changelog),
    };
    if (knowsLess(outline, outlines.get(each.key)?.outline)) {
      log.info({ image: repositoryText(each.reference), note: outline.cves?.note }, "less is known of an image than before: that is kept");
      return;
    }
    await outlines.save(each.key, outline, details);
  }

  async function vulnerabilitiesOf(each: Case, running: FoundImage | undefined, readers: ImageReaders, signal: AbortSignal) {
    const here = await readImage(running ?? { image: undefined, note: "Its host knows no digest of a registry for it." }, readers, signal);
    const available = each.available && (await imageOf(each, each.available.digest, readers, signal));
    const there = available ? await readImage(available, readers, signal) : undefined;
    return compareVulnerabilities({ packages: here.packages, running: here.list, available: there });
  }

  async function readImage(
    { image, note }: FoundImage,
    readers: ImageReaders,
    signal: AbortSignal,
  ): Promise<{ packages: PackageList; list: VulnerabilityList }> {
    if (image === undefined)
      return { packages: { ...NOTHING_READ, note }, list: { known: false, vulnerabilities: [], note: null, checkedAt: clock.now() } };
    const packages = await readers.packages.packagesOf(image, signal);
    return { packages, list: await readers.vulnerabilities.find(packages, signal) };
  }

  async function changelogOf(
    { available, reference }: Case,
    { changelogs }: ImageReaders,
    signal: AbortSignal,
  ): Promise<Changelog | undefined> {
    if (available === null) return undefined;
    return changelogs.between({ sourceUrl: available.sourceUrl, currentTag: reference.tag, availableTag: available.tag }, signal);
  }

  /** A registry or database that is away for a while says nothing new, and takes nothing back: not an alert either. It is asked again soon. */
  function knowsLess({ cves }: Outline, known: Outline | undefined): boolean {
    if (!cves || !known?.cves?.known || clock.now().getTime() - Date.parse(known.cves.checked_at) > KEPT_MS) return false;
    return !cves.known || (cves.fixed_by_update === null && known.cves.fixed_by_update !== null);
  }

  async function run(signal: AbortSignal): Promise<void> {
    const granted = grants();
    if (!granted.cves && !granted.risk && !granted.changelog) return;
    const { due, keys } = cases(granted);
    if (due.length > 0) {
      const readers = await imageReaders();
      if (round !== undefined) round.total = due.length;
      const lanes = { laneOf: ({ reference }: Case) => reference.registry, perLane: PER_REGISTRY, atOnce: AT_ONCE, signal };
      await workInLanes(due, lanes, async (each) => {
        try {
          await study(each, granted, readers, signal);
          watch.refresh(idsOf(each));
        } catch (error) {
          if (!signal.aborted)
            log.warn({ image: repositoryText(each.reference), reason: messageOf(error) }, "an image could not be studied");
        }
        if (round !== undefined) round.done += 1;
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
    const abort = new AbortController();
    const ended = before.then(async () => {
      if (abort.signal.aborted) return;
      try {
        await run(abort.signal);
      } catch (error) {
        if (!abort.signal.aborted) log.warn({ reason: messageOf(error) }, "images could not be studied");
      } finally {
        if (round?.abort === abort) round = undefined;
      }
    });
    before = ended;
    round = { abort, ended, total: 0, done: 0 };
  }

  return {
    details: (key) => store.details(key),
    begin,
    resume() {
      if (round === undefined) begin();
    },
    progress: () => (round === undefined || round.total === 0 ? undefined : { total: round.total, done: round.done }),
    async stop() {
      stopped = true;
      round?.abort.abort();
    },
  };
}

interface FoundImage {
  image: PlatformImage | undefined;
  /** Why it was not found. */
  note: string | null;
}

/** The image that a digest stands for; that its registry does not have it, or does not answer, is said in the note. */
async function imageOf(
  { reference, platform }: Case,
  digest: string,
  { registries }: ImageReaders,
  signal: AbortSignal,
): Promise<FoundImage> {
  try {
    return { image: await registries.image(reference, { digest }, parsePlatform(platform), signal), note: null };
  } catch (error) {
    passRegistryError(error);
    return { image: undefined, note: `The image could not be read from its registry: ${messageOf(error)}` };
  }
}

function passRegistryError(error: unknown): undefined {
  if (!(error instanceof RegistryError)) throw error;
}
