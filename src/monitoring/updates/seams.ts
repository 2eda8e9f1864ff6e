import type { Readable } from "node:stream";
import type { InsightSeverity, UpdateType } from "../../events.ts";
import type { UpdateSettings } from "../../observations.ts";
import type { SavedContainer } from "../containers/index.ts";
import type { BillOfMaterials, ImageConfig, ImageReference, PackageList, Platform, PlatformImage, Repository, Version } from "./image.ts";

/** Why a registry did not tell what it was asked. The message is a sentence that may be shown: without credentials, bounded, of one line. */
export class RegistryError extends Error {
  readonly reason:
    | "unauthorized"
    | "not_found"
    | "rate_limited"
    | "unreachable"
    | "timeout"
    | "refused"
    | "malformed"
    | "too_large"
    | "unavailable";

  constructor(reason: RegistryError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Registries, read only. Everything throws a RegistryError, and the signal's reason when that is aborted. */
export interface Registries {
  /** The digest that a tag or digest stands for now: of a list, where it leads to one. One small request when nothing changed. */
  digestOf(repository: Repository, version: Version, signal: AbortSignal): Promise<string>;
  /** The image of a platform. Without a platform only what is not a list of several is found. */
  image(repository: Repository, version: Version, platform: Platform | null, signal: AbortSignal): Promise<PlatformImage>;
  /** All tags, in no order; `complete` is false when there are more than are read. One small request when nothing changed and the registry allows. */
  tags(repository: Repository, signal: AbortSignal): Promise<{ tags: readonly string[]; complete: boolean }>;
  config(image: PlatformImage, signal: AbortSignal): Promise<ImageConfig>;
  /** A layer's bytes as they are stored, held against its digest: the stream fails at its end when they differ, or as soon as they are too many. */
  blob(repository: Repository, digest: string, options: { maxBytes: number; signal: AbortSignal }): Promise<Readable>;
  /** Documents attached to an image that say what it is made of; empty when there are none. */
  billsOfMaterials(image: PlatformImage, signal: AbortSignal): Promise<readonly BillOfMaterials[]>;
  stop(): void;
}

/** Which newer tag there is, by the rules of versions. */
export interface TagChoice {
  tag: string;
  type: Exclude<UpdateType, "digest">;
}

/** How the tags of a container's image are to be read: by version, or only by what its own tag contains. */
export interface TagPlan {
  mode: "semver" | "digest";
  /** A sentence on which tags count, as a person reads it. */
  candidatesFilter: string;
  /** Nothing is asked, and why; null when it is. */
  skippedReason: string | null;
}

export interface TagRules {
  plan(reference: ImageReference, settings: UpdateSettings): TagPlan;
  /**
   * The newest tags that the settings allow, the best first; none when none is newer. Only asked in mode semver. However many tags there are,
   * nothing else is held up. Throws the signal's reason.
   */
  choose(
    current: string,
    tags: readonly string[],
    settings: UpdateSettings,
    options: { most: number; signal: AbortSignal },
  ): Promise<TagChoice[]>;
}

/** A vulnerability of a package of an image. */
export interface Vulnerability {
  /** `CVE-2024-1234` where it has one, else the database's own id. */
  id: string;
  /** The database's id, when another. */
  osvId: string;
  package: string;
  version: string;
  ecosystem: string;
  /** By the CVSS vector of its record, computed; null when the record has none. */
  score: number | null;
  vector: string | null;
  /** By the score, else as the distribution says; null when nobody says. */
  severity: "critical" | "high" | "medium" | "low" | "none" | null;
  /** The first version without it; null when there is none or nobody says. */
  fixedIn: string | null;
  summary: string;
  url: string;
  publishedAt: string | null;
}

/** What is known of an image's vulnerabilities. */
export interface VulnerabilityList {
  /** False when packages or the database could not be read: `vulnerabilities` is then not the whole truth, or empty without meaning. */
  known: boolean;
  vulnerabilities: readonly Vulnerability[];
  /** A sentence on what is missing; null when nothing is. */
  note: string | null;
  /** Ecosystems of which the database has nothing, so that their packages are not in the list, whatever is wrong with them. */
  absent?: readonly string[];
  checkedAt: Date;
}

/** Reads what an image is made of. Never throws but for the signal: what cannot be read is said in the note. */
export interface PackageReader {
  packagesOf(image: PlatformImage, signal: AbortSignal): Promise<PackageList>;
}

export interface VulnerabilityFinder {
  /** Never throws but for the signal. */
  find(packages: PackageList, signal: AbortSignal): Promise<VulnerabilityList>;
}

/** What changed between two versions, as its authors tell. */
export interface Changelog {
  entries: readonly {
    version: string;
    title: string;
    url: string | null;
    publishedAt: string | null;
    text: string;
    breaking: readonly string[];
  }[];
  url: string | null;
  /** A sentence on what is missing; null when nothing is. */
  note: string | null;
  /** It was asked too often just now: an hour later there may be more. */
  isPassing?: boolean;
}

export interface Changelogs {
  /** Never throws but for the signal; undefined when the image does not say where its source is. */
  between(
    image: { sourceUrl: string | null; currentTag: string | null; availableTag: string | null },
    signal: AbortSignal,
  ): Promise<Changelog | undefined>;
}

/** The worst that a container's image does to its posture; undefined when nothing is known of it. */
export type UpdateSeverities = readonly InsightSeverity[] | undefined;

/** A workload of Kubernetes, as far as its image is set by a command. */
export interface Workload {
  /** `Deployment`, `StatefulSet`, ... */
  kind: string;
  name: string;
  namespace: string;
  /** Names of the containers of its pod template that run the image. */
  containers: readonly string[];
}

/** The workload that a container stands for; null of others, and where it is not seen. */
export type WorkloadOf = (container: Pick<SavedContainer, "agentId" | "externalId" | "image" | "runtime">) => Workload | null;
