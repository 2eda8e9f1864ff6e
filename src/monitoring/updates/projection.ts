import type { InsightSeverity } from "../../events.ts";
import { isBeside, type PresentContainers, type SavedContainer } from "../containers/index.ts";
import type { Outline } from "./enrichment.ts";
import { excluderOf, tagOf, withoutTag } from "../../contract/image-pattern.ts";
import {
  createKnownPins,
  heirOf,
  type KnownImage,
  repositoryText,
  subjectKey,
  type Exclusion,
  type KnownPins,
  type Pin,
} from "./known-image.ts";
import { isAlerting, type Standing, standingOf } from "./standing.ts";

/** The worst that a container's image does to its posture; undefined when nothing is known of it. */
export type UpdateSeverities = readonly InsightSeverity[] | undefined;

/** How a present container stands, with all that is known of it. */
export interface Entry {
  container: SavedContainer;
  known: KnownImage | undefined;
  pin: Pin | undefined;
  standing: Standing;
  /** Of what it runs against what is available, as the edition allows; undefined: not looked at yet. */
  outline: Outline | undefined;
  /** The worst that an update would mend, as the edition allows; undefined: not known. */
  worstFixed: WorstFixed;
  alerting: boolean;
  severities: UpdateSeverities;
}

/** How all present containers stand, in memory: made of what is remembered of images, and of what people decided. */
export interface UpdateProjection {
  pins: KnownPins;
  exclusions: Map<number, Exclusion>;
  /** Remembers an image; the containers of it are to be looked at again. */
  putImage(subject: string, known: KnownImage): void;
  removeImage(subject: string): void;
  image(subject: string): KnownImage | undefined;
  subjects(): Iterable<string>;
  /** Looks at a container again; answers what was and what is. One that is gone, or is to be left alone, is forgotten. */
  refresh(id: number): { before: Entry | undefined; after: Entry | undefined };
  /** The same without keeping what is seen. */
  peek(id: number): { before: Entry | undefined; after: Entry | undefined };
  get(id: number): Entry | undefined;
  all(): Iterable<Entry>;
  idsOf(subject: string): number[];
  /** The pattern that keeps an image out; undefined: none does. */
  exclusionOf(image: string): string | undefined;
}

type WorstFixed = NonNullable<Outline["cves"]>["worstFixed"] | undefined;

export interface UpdateProjectionParts {
  present: Pick<PresentContainers, "get">;
  outlineOf(key: string): Outline | undefined;
  /** Whether the edition shows vulnerabilities: below it, they decide nothing. */
  showsCves(): boolean;
}

export function createUpdateProjection({ present, outlineOf, showsCves }: UpdateProjectionParts): UpdateProjection {
  const pins = createKnownPins();
  const entries = new Map<number, Entry>();
  const images = new Map<string, KnownImage>();
  const bySubject = new Map<string, Set<number>>();
  const exclusions = new Map<number, Exclusion>();

  /** What is known of its image, else of one whose containers are to take it. */
  function knownOf(container: SavedContainer): KnownImage | undefined {
    const own = images.get(subjectKey(container));
    if (own !== undefined) return own;
    const tag = tagOf(container.image);
    for (const [subject, known] of images) {
      if (!subject.endsWith(subjectTail(container)) || !sameRepository(subject, container.image)) continue;
      const heir = heirOf(known, tag, container.settings.updates);
      if (heir !== undefined) return heir;
    }
    return undefined;
  }

  function exclusionOf(image: string): string | undefined {
    if (exclusions.size === 0) return undefined;
    const excludes = excluderOf(image);
    for (const exclusion of exclusions.values()) if (excludes(exclusion.image)) return exclusion.image;
    return undefined;
  }

  function entryOf(container: SavedContainer, before: Entry | undefined): Entry {
    const known = knownOf(container);
    const pin = pins.find(container);
    const exclusion = exclusionOf(container.image);
    const settings = container.settings.updates;
    const standing = standingOf({ running: container, settings, known, decisions: { pin, exclusion } });
    const outline = known && outlineOf(caseKey(container, known, standing));
    const worstFixed = showsCves() ? worstFixedOf({ container, standing, outline }, before) : undefined;
    return {
      container,
      known,
      pin,
      standing,
      outline,
      worstFixed,
      alerting: isAlerting(standing, settings, worstFixed === "critical"),
      severities: severitiesOf(standing, worstFixed),
    };
  }

  function peek(id: number): ReturnType<UpdateProjection["peek"]> {
    const container = present.get(id);
    const before = entries.get(id);
    // What waits beside another has nothing to say until it takes its place.
    const isAsked = container !== undefined && !container.settings.ignored && !isBeside(container);
    const after = isAsked ? entryOf(container, before) : undefined;
    return { before, after };
  }

  function forget(entry: Entry): void {
    entries.delete(entry.container.id);
    const subject = subjectKey(entry.container);
    const same = bySubject.get(subject);
    same?.delete(entry.container.id);
    if (same?.size === 0) bySubject.delete(subject);
  }

  return {
    pins,
    exclusions,
    putImage: (subject, known) => void images.set(subject, known),
    removeImage: (subject) => void images.delete(subject),
    image: (subject) => images.get(subject),
    subjects: () => images.keys(),
    peek,
    refresh(id) {
      const { before, after } = peek(id);
      if (before !== undefined) forget(before);
      if (after === undefined) return { before, after };
      entries.set(id, after);
      const subject = subjectKey(after.container);
      const same = bySubject.get(subject);
      if (same === undefined) bySubject.set(subject, new Set([id]));
      else same.add(id);
      return { before, after };
    },
    get: (id) => entries.get(id),
    all: () => entries.values(),
    idsOf: (subject) => [...(bySubject.get(subject) ?? [])],
    exclusionOf,
  };
}

/** By which an enrichment is found: what runs, and what it could become. */
export function caseKey(
  { imageDigest, imagePlatform }: Pick<SavedContainer, "imageDigest" | "imagePlatform">,
  known: KnownImage,
  { available }: Standing,
): string {
  const image = known.reference === null ? "" : repositoryText(known.reference);
  return [image, imageDigest ?? "", imagePlatform ?? "", available === null ? "" : `${available.tag}@${available.digest}`].join("\n");
}

/** Until the next version in a row is studied it counts as fixing what the one before it does: else an alert would end and fire again. */
function worstFixedOf(
  { container, standing, outline }: Pick<Entry, "container" | "standing" | "outline">,
  before: Entry | undefined,
): WorstFixed {
  if (outline?.cves) return outline.cves.worstFixed;
  const isStillAvailable = standing.status === "available" && before?.standing.status === "available";
  return isStillAvailable && before.container.imageDigest === container.imageDigest ? before.worstFixed : undefined;
}

/** What an update would mend is what is wrong with a container; how bad that is nobody knows who does not know its vulnerabilities. */
function severitiesOf({ status }: Standing, worst: string | null | undefined): UpdateSeverities {
  // Of what is excluded nothing is asked, and so nothing known.
  if (status === "unknown" || status === "excluded") return undefined;
  if (status !== "available") return [];
  const severity: InsightSeverity = worst === "critical" || worst === "high" ? worst : "medium";
  return [severity];
}

function subjectTail({ imagePlatform, settings }: SavedContainer): string {
  return `\n${settings.updates.registry ?? ""}\n${imagePlatform ?? ""}`;
}

function sameRepository(subject: string, image: string): boolean {
  return withoutTag(subject.slice(0, subject.indexOf("\n"))) === withoutTag(image);
}
