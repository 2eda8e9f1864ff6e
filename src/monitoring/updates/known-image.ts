import { MINUTE_MS } from "../../contract/time.ts";
import type { ImageReference, TagChoice, TagPlan } from "../../images/index.ts";
import type { UpdateSettings } from "../../observations.ts";

/** What identifies an image's content, for one platform. */
export interface Content {
  /** Of the platform's own manifest. */
  platformDigest: string;
  configDigest: string;
}

/** What a tag stands for in its registry. Times in milliseconds: it is kept as JSON. */
export interface Available {
  tag: string;
  digest: string;
  /** Its image was looked at: what it does not say of itself is null. */
  described: boolean;
  /** When the image was built, as it says itself. */
  publishedAt: number | null;
  sourceUrl: string | null;
  /** When it was first seen to be there: of a tag its name, of a content its digest. */
  seenAt: number;
}

/** What the labels of containers make of an image's tags. */
export interface Choice {
  plan: TagPlan;
  /** null: no tag is newer. */
  newer: (TagChoice & { available: Available }) | null;
}

/** What is remembered of an image as containers name it: enough to say of any container of it what is available, without asking again. */
export interface KnownImage {
  /** As it is asked about; null when its name cannot be read. */
  reference: ImageReference | null;
  /** What its own tag stands for now; null when that was never needed. */
  remote: Available | null;
  /** By digest, of a list or of a platform's manifest; null: its registry does not have it. */
  contents: Record<string, Content | null>;
  /** By {@link settingsKey}. */
  choices: Record<string, Choice>;
  scanId: string | null;
  checkedAt: number;
  /** Why its registry gave no answer when it was last asked; null when it did. */
  error: string | null;
  /** Why nothing is known, though nothing is wrong. */
  note: string | null;
}

/** The facts of a container that lead to an image: its name, the registry to ask, and its platform. */
export interface Subject {
  image: string;
  imagePlatform: string | null;
  settings: { updates: UpdateSettings };
}

/** Containers with the same key ask the same of a registry. Names hold no line ends. */
export function subjectKey({ image, imagePlatform, settings }: Subject): string {
  return [image, settings.updates.registry ?? "", imagePlatform ?? ""].join("\n");
}

/** Of what decides which tags count, so that a changed label is not answered with what held before. */
export function settingsKey({ track, pin, ignoreMajor, digestOnly, tagInclude, tagExclude }: UpdateSettings): string {
  return JSON.stringify([track, pin, ignoreMajor, digestOnly, tagInclude, tagExclude]);
}

/** `docker.io/library/nginx`. */
export function repositoryText({ registry, repository }: Pick<ImageReference, "registry" | "repository">): string {
  return `${registry}/${repository}`;
}

/** By which the runtime knows the image of a container. */
export interface Running {
  imageDigest: string | null;
  imageId: string | null;
}

/** A container may be made from an image's id, whole or cut, in place of a name. */
export function isImageId(image: string, imageId: string | null): boolean {
  if (image.startsWith("sha256:")) return true;
  return /^[0-9a-f]{12,64}$/.test(image) && imageId?.slice("sha256:".length).startsWith(image) === true;
}

/**
 * Whether a container runs what a digest stands for: one of a list may stand for the same as one of a platform's manifest. Undefined while that is not
 * known of both, or cannot be known: an image that was built on its host has no digest of a registry.
 */
export function runsContent({ imageDigest, imageId }: Running, digest: string, contents: KnownImage["contents"]): boolean | undefined {
  if (imageDigest === digest) return true;
  const wanted = contents[digest];
  if (wanted && (wanted.platformDigest === imageDigest || (imageId !== null && wanted.configDigest === imageId))) return true;
  const own = imageDigest === null ? undefined : contents[imageDigest];
  // Registries forget what no tag leads to; but what only its host has was never there.
  if (own === null) return imageDigest === imageId ? undefined : false;
  if (own === undefined || !wanted) return undefined;
  return own.platformDigest === wanted.platformDigest || own.configDigest === wanted.configDigest;
}

/**
 * What is known of an image that another one's containers are to take: whoever runs the newest tag is up to date. Undefined when the other
 * one leads elsewhere.
 */
export function heirOf(known: KnownImage, tag: string, settings: UpdateSettings): KnownImage | undefined {
  const key = settingsKey(settings);
  const choice = known.choices[key];
  if (known.reference === null || choice === undefined || choice.newer === null || choice.newer.available.tag !== tag) return undefined;
  return {
    ...known,
    reference: { ...known.reference, tag },
    remote: choice.newer.available,
    choices: { [key]: { plan: choice.plan, newer: null } },
  };
}

/** That somebody wants a container to stay at what it runs. */
export interface Pin {
  id: number;
  /** `local`, or an agent's UUID. */
  host: string;
  /** The container that it was set for, and how it was called then. */
  containerId: number;
  containerName: string;
  reason: string | null;
  /** What it ran then. */
  tag: string | null;
  digest: string | null;
  at: Date;
}

export interface Exclusion {
  id: number;
  /** A pattern of image names, see contract/image-pattern.ts. */
  image: string;
  at: Date;
}

export function hostOf(agentId: string | null): string {
  return agentId ?? "local";
}

/** All pins in memory, found by what they hold for: their container whatever it is called, and the one that has its name on its host. */
export interface KnownPins {
  put(pin: Pin): void;
  remove(pin: Pin): void;
  find(container: { id: number; agentId: string | null; name: string }): Pin | undefined;
  all(): Iterable<Pin>;
}

export function createKnownPins(): KnownPins {
  const byId = new Map<number, Pin>();
  const byContainer = new Map<number, Pin>();
  const byName = new Map<string, Pin>();
  const nameKey = (host: string, name: string): string => `${host}/${name}`;

  function remove(pin: Pin): void {
    const known = byId.get(pin.id);
    if (known === undefined) return;
    byId.delete(known.id);
    if (byContainer.get(known.containerId) === known) byContainer.delete(known.containerId);
    const key = nameKey(known.host, known.containerName);
    if (byName.get(key) === known) byName.delete(key);
  }

  return {
    put(pin) {
      remove(pin);
      byId.set(pin.id, pin);
      byContainer.set(pin.containerId, pin);
      byName.set(nameKey(pin.host, pin.containerName), pin);
    },
    remove,
    find: ({ id, agentId, name }) => byContainer.get(id) ?? byName.get(nameKey(hostOf(agentId), name)),
    all: () => byId.values(),
  };
}

/** One round through all images. */
export interface Scan {
  scanId: string;
  trigger: "schedule" | "manual";
  status: "running" | "completed" | "failed";
  /** Why it failed. */
  failure: string | null;
  startedAt: Date;
  completedAt: Date | null;
  /** Images, each however many containers run it. */
  total: number;
  scanned: number;
  updatesFound: number;
  errors: readonly { image: string; error: string }[];
}

export function newScan(scanId: string, trigger: Scan["trigger"], now: Date): Scan {
  return {
    scanId,
    trigger,
    status: "running",
    failure: null,
    startedAt: now,
    completedAt: null,
    total: 0,
    scanned: 0,
    updatesFound: 0,
    errors: [],
  };
}

export const MOST_SCAN_ERRORS = 200;

/** A scan after one more image; `error` is what went wrong with it. */
export function withImage(scan: Scan, { image, found, error }: { image: string; found: boolean; error: string | null }): Scan {
  const errors = error === null || scan.errors.length >= MOST_SCAN_ERRORS ? scan.errors : [...scan.errors, { image, error }];
  return { ...scan, scanned: scan.scanned + 1, updatesFound: scan.updatesFound + Number(found), errors };
}

/** A scan begins this long after a start, so that it is known what runs. */
const AFTER_START_MS = 30_000;
/** After one that failed the next need not wait for a whole interval. */
const AFTER_FAILURE_MS = 10 * MINUTE_MS;
/** A scan may begin this share of the interval early, and never late: with 24 h it is at most 24 h away. */
const JITTER = 0.1;

/** A scan is never further away than this, whatever the clock showed when the last one began: it may have been set back since. */
export function atLatest(due: Date, { intervalMs, now }: { intervalMs: number; now: Date }): Date {
  return new Date(Math.min(due.getTime(), now.getTime() + intervalMs));
}

interface ScheduleFacts {
  intervalMs: number;
  startedAt: Date;
  last: Pick<Scan, "status" | "startedAt"> | undefined;
  /** From 0 to 1: so that not all programs ask at the same time. */
  chance: number;
}

/** When the next scan is due. */
export function nextScanAt({ intervalMs, startedAt, last, chance }: ScheduleFacts): Date {
  const earliest = startedAt.getTime() + AFTER_START_MS;
  if (last === undefined) return new Date(earliest);
  const waitMs = last.status === "failed" ? Math.min(intervalMs, AFTER_FAILURE_MS) : intervalMs;
  return new Date(Math.max(earliest, last.startedAt.getTime() + waitMs * (1 - JITTER * chance)));
}
