import { type ImageReference, parsePlatform, type Platform, type ImageReaders } from "../../images/index.ts";
import type { UpdateSettings } from "../../observations.ts";
import type { SavedContainer } from "../containers/index.ts";
import { type Choice, isImageId, type Running, repositoryText, settingsKey, subjectKey } from "./known-image.ts";

/** What must be known of a container to ask about its image. */
export type AskedContainer = Pick<SavedContainer, "id" | "image" | "imageDigest" | "imageId" | "imagePlatform" | "settings">;

/** What is asked of a registry once, for all containers that want the same of it. */
export interface Question<Asked extends AskedContainer = SavedContainer> {
  /** The names that lead here. */
  subjects: readonly string[];
  /** As the first of its containers names it. */
  image: string;
  reference: ImageReference;
  platform: Platform | null;
  containers: readonly Asked[];
  /** What labels make of the tags, by their key; all that any container wants. */
  wanted: ReadonlyMap<string, { settings: UpdateSettings; plan: Choice["plan"] }>;
}

/** An image that cannot be asked about, and why. */
export interface Unaskable<Asked extends AskedContainer = SavedContainer> {
  subjects: readonly string[];
  image: string;
  reference: ImageReference | null;
  containers: readonly Asked[];
  wanted: Question["wanted"];
  error: string | null;
  note: string | null;
}

export interface Survey<Asked extends AskedContainer> {
  questions: Question<Asked>[];
  unaskable: Unaskable<Asked>[];
}

type Reader = Pick<ImageReaders, "readReference" | "mirrored" | "rules">;

/**
 * Gathers what is to be asked about containers: once a reference, platform and registry, however many containers there are. Those that do not run
 * count too: they may be started again, and mostly ask what others ask.
 */
export function surveyOf<Asked extends AskedContainer>(containers: Iterable<Asked>, reader: Reader): Survey<Asked> {
  const groups = new Map<string, { reference: ImageReference; subjects: string[]; containers: Asked[] }>();
  const unaskable: Unaskable<Asked>[] = [];
  for (const [subject, same] of Map.groupBy(containers, subjectKey)) {
    const [first] = same;
    if (first === undefined) continue;
    const { reference, error, note } = referenceOf(first, reader);
    if (reference === null) {
      unaskable.push({ subjects: [subject], image: first.image, reference, containers: same, wanted: new Map(), error, note });
      continue;
    }
    const key = [repositoryText(reference), reference.tag ?? "", reference.digest ?? "", first.imagePlatform ?? ""].join("\n");
    const group = groups.get(key) ?? { reference, subjects: [], containers: [] };
    group.subjects.push(subject);
    group.containers.push(...same);
    groups.set(key, group);
  }
  const questions: Question<Asked>[] = [];
  for (const { reference, subjects, containers: same } of groups.values()) {
    const wanted = wantedOf(reference, same, reader);
    const image = same[0]?.image ?? "";
    const asked = [...wanted.values()].some(({ plan }) => plan.skippedReason === null);
    if (asked)
      questions.push({ subjects, image, reference, platform: parsePlatform(same[0]?.imagePlatform ?? null), containers: same, wanted });
    else unaskable.push({ subjects, image, reference, containers: same, wanted, error: null, note: null });
  }
  return { questions, unaskable };
}

/** What is run by the containers of a question, each content once. */
export function runningOf({ containers }: { containers: readonly Running[] }): Running[] {
  const each = new Map(containers.map(({ imageDigest, imageId }) => [`${imageDigest} ${imageId}`, { imageDigest, imageId }]));
  return [...each.values()];
}

function wantedOf(reference: ImageReference, containers: readonly AskedContainer[], { rules }: Reader): Question["wanted"] {
  const wanted = new Map<string, { settings: UpdateSettings; plan: Choice["plan"] }>();
  for (const { settings } of containers) {
    const key = settingsKey(settings.updates);
    if (wanted.has(key)) continue;
    const plan = rules.plan(reference, settings.updates);
    // Without a tag there is nothing that a newer image could be found under.
    const fixed = reference.tag === null && reference.digest !== null;
    const skippedReason = plan.skippedReason ?? (fixed ? "Its name fixes its content by a digest." : null);
    wanted.set(key, { settings: settings.updates, plan: { ...plan, skippedReason } });
  }
  return wanted;
}

function referenceOf(
  { image, imageId, settings }: AskedContainer,
  { readReference, mirrored }: Reader,
): { reference: ImageReference | null; error: string | null; note: string | null } {
  if (isImageId(image, imageId))
    return { reference: null, error: null, note: "It was made from an image's id, which says nothing of a registry." };
  const read = readReference(image);
  if ("error" in read) return { reference: null, error: read.error, note: null };
  // Podman names so what it builds.
  if (read.registry === "localhost" && !settings.updates.registry)
    return { reference: null, error: null, note: "It was built on its host." };
  return { reference: mirrored(read, settings.updates.registry), error: null, note: null };
}
