import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { RegistryError, type ImageReaders } from "../../images/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/queues.ts";
import { cleanName } from "../../platform/text.ts";
import type { PresentContainers, SavedContainer } from "../containers/index.ts";
import { checkImage, unanswered } from "./check-image.ts";
import type { KnownImage, Scan } from "./known-image.ts";
import type { UpdateProjection } from "./projection.ts";
import { type Question, surveyOf, type Unaskable } from "./questions.ts";
import type { ScanSteps } from "./scans.ts";
import { whyLeftOut } from "./standing.ts";
import type { UpdateStore } from "./store.ts";
import type { Watch } from "./watch.ts";

/** One registry has so many of these: it can always be asked as much as it is asked at once. */
const PER_REGISTRY = 4;
const AT_ONCE = 16;
/** However slow a registry trickles. */
const CHECK_WITHIN_MS = 2 * MINUTE_MS;
const LONGEST_ERROR = 500;
/** What no container needs any more is kept for a while: it may come back. */
const KEPT_MS = 7 * DAY_MS;

export interface ScanWorkParts {
  store: UpdateStore;
  projection: UpdateProjection;
  watch: Pick<Watch, "refresh">;
  present: PresentContainers;
  imageReaders(): Promise<ImageReaders>;
  clock: Clock;
}

/** Containers that are asked about, and those that people keep out. */
export function containersToCheck(
  present: Pick<PresentContainers, "ids" | "get">,
  projection: UpdateProjection,
): { asked: SavedContainer[]; leftOut: [SavedContainer, string][] } {
  const asked: SavedContainer[] = [];
  const leftOut: [SavedContainer, string][] = [];
  for (const id of present.ids()) {
    const container = present.get(id);
    if (container === undefined || container.settings.ignored) continue;
    const exclusion = projection.exclusionOf(container.image);
    const why = whyLeftOut(container.settings.updates, { exclusion });
    if (why === undefined) asked.push(container);
    else leftOut.push([container, why]);
  }
  return { asked, leftOut };
}

/** Asks registries about all images of a scan, each on its own: an error of one is reported for that one. */
export function createScanWork({ store, projection, watch, present, imageReaders, clock }: ScanWorkParts) {
  async function keep(subjects: readonly string[], known: KnownImage): Promise<void> {
    await store.saveImages(subjects, known);
    for (const subject of subjects) projection.putImage(subject, known);
    watch.refresh(subjects.flatMap(projection.idsOf), { asked: known.error === null });
  }

  function remembered({ subjects }: Pick<Question, "subjects">): KnownImage | undefined {
    for (const subject of subjects) {
      const known = projection.image(subject);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  async function ask(question: Question, parts: { readers: ImageReaders; scan: Scan; signal: AbortSignal }): Promise<string | null> {
    const before = remembered(question);
    const at = { scanId: parts.scan.scanId, now: clock.now().getTime() };
    const abort = new AbortController();
    const late = clock.after(CHECK_WITHIN_MS, () =>
      abort.abort(new RegistryError("timeout", "The registry took longer than two minutes.")),
    );
    const signal = AbortSignal.any([parts.signal, abort.signal]);
    try {
      await keep(question.subjects, await checkImage({ readers: parts.readers, question, before, at, signal }));
      return null;
    } catch (error) {
      if (parts.signal.aborted) throw error;
      const reason = abort.signal.aborted ? abort.signal.reason : error;
      if (!(reason instanceof RegistryError)) throw error;
      const sentence = cleanName(messageOf(reason), LONGEST_ERROR);
      const own = isOwnImage(question, reason);
      const note = own ? `It may have been built or loaded on its host, which knows no registry that it came from: ${sentence}` : null;
      await keep(question.subjects, unanswered(question, before, { ...at, error: own ? null : sentence, note }));
      return own ? null : sentence;
    } finally {
      late.cancel();
    }
  }

  async function keepUnaskable(unaskable: Unaskable, scan: Scan): Promise<void> {
    const error = unaskable.error && cleanName(unaskable.error, LONGEST_ERROR);
    const at = { scanId: scan.scanId, now: clock.now().getTime(), error, note: unaskable.note };
    await keep(unaskable.subjects, unanswered(unaskable, remembered(unaskable), at));
  }

  /** Forgets images that no container has had for long. */
  async function prune(): Promise<void> {
    const before = clock.now().getTime() - KEPT_MS;
    const old = [...projection.subjects()].filter((subject) => {
      const known = projection.image(subject);
      return projection.idsOf(subject).length === 0 && known !== undefined && known.checkedAt < before;
    });
    await store.forget("update_images", old);
    for (const subject of old) projection.removeImage(subject);
  }

  async function askAll(
    asked: readonly SavedContainer[],
    scan: Scan,
    { steps, signal }: { steps: ScanSteps; signal: AbortSignal },
  ): Promise<void> {
    const readers = await imageReaders();
    const { questions, unaskable } = surveyOf(asked, readers);
    steps.begun(questions.length + unaskable.filter(({ error }) => error !== null).length);
    for (const each of unaskable) {
      if (signal.aborted) return;
      await keepUnaskable(each, scan);
      if (each.error !== null) steps.done({ image: each.image, found: false, error: each.error });
    }
    let defect: unknown;
    const defective = new AbortController();
    const until = AbortSignal.any([signal, defective.signal]);
    const lanes = { laneOf: ({ reference }: Question) => reference.registry, perLane: PER_REGISTRY, atOnce: AT_ONCE, signal: until };
    await workInLanes(questions, lanes, async (question) => {
      try {
        const error = await ask(question, { readers, scan, signal: until });
        const found = question.containers.some(({ id }) => projection.get(id)?.standing.available != null);
        steps.done({ image: question.image, found, error });
      } catch (error) {
        if (until.aborted) return;
        defect = error;
        defective.abort();
      }
    });
    if (defect !== undefined) throw defect;
  }

  return async (scan: Scan, steps: ScanSteps, signal: AbortSignal): Promise<void> => {
    const { asked } = containersToCheck(present, projection);
    // What asks registries is large, and is not loaded for nobody.
    if (asked.length > 0) await askAll(asked, scan, { steps, signal });
    else steps.begun(0);
    if (!signal.aborted) await prune();
  };
}

/**
 * Whether it is no wonder that a registry does not have it: no container of it is known to come from one. Docker Hub, under which names without a
 * registry are looked for, says of what it does not have that one may not see it.
 */
function isOwnImage({ containers, reference }: Question, { reason }: RegistryError): boolean {
  if (reason !== "not_found" && !(reason === "unauthorized" && reference.registry === "docker.io")) return false;
  return containers.every(({ imageDigest, imageId }) => imageDigest === null || imageDigest === imageId);
}
