/** What images, registries and packages are: the words that all parts of updates share. */

/** Where images of one name are kept. */
export interface Repository {
  /** `docker.io`, `ghcr.io`, `registry.lan:5000`. */
  registry: string;
  /** As the registry knows it: `library/nginx`. */
  repository: string;
}

/** An image's name, taken apart. Without a tag and a digest it means the tag `latest`. */
export interface ImageReference extends Repository {
  tag: string | null;
  digest: string | null;
}

/** What an image was made for. */
export interface Platform {
  os: string;
  architecture: string;
  variant: string | null;
}

/** A tag or a digest in a repository. */
export type Version = { tag: string } | { digest: string };

export interface Layer {
  digest: string;
  /** Compressed, in bytes, as the manifest says. */
  size: number;
  mediaType: string;
}

/** The image of one platform, as its manifest says. */
export interface PlatformImage extends Repository {
  /** Of the list that led to it; null when it stands alone. */
  indexDigest: string | null;
  /** Of this platform's manifest. */
  digest: string;
  /** Of its configuration: the id under which an engine may know it. */
  configDigest: string;
  layers: readonly Layer[];
  /** Of the list's entry and of the manifest. */
  annotations: Readonly<Record<string, string>>;
}

/** What the configuration of an image says of it. */
export interface ImageConfig {
  platform: Platform | null;
  createdAt: Date | null;
  labels: Readonly<Record<string, string>>;
  /** Lines `NAME=value`. */
  environment: readonly string[];
  command: readonly string[] | null;
  entrypoint: readonly string[] | null;
}

/** A document that lists what an image is made of. */
export interface BillOfMaterials {
  format: "spdx" | "cyclonedx";
  /** The document as parsed JSON, not yet checked. */
  document: unknown;
}

/** The documents that are attached to an image. */
export interface AttachedBills {
  bills: readonly BillOfMaterials[];
  /** How many more may list what it is made of: beyond a bound, or in a form that is not known here. */
  unread: number;
}

/** A package inside an image. `ecosystem` and `name` are spelt as OSV spells them: `Debian:12`, `Alpine:v3.20`, `npm`, `PyPI`. */
export interface Package {
  ecosystem: string;
  name: string;
  version: string;
  /** The source package that distributions say vulnerabilities of; null where there is none or it is the same. */
  source: { name: string; version: string } | null;
}

/** What is known of an image's packages. */
export interface PackageList {
  /** Where from; null when nothing could be read, and `note` says why. */
  source: "sbom" | "layers" | null;
  packages: readonly Package[];
  /** Nothing was left out that we know to look for. */
  complete: boolean;
  /** A sentence on what is missing; null when nothing is. */
  note: string | null;
}

/** `linux/arm/v7` taken apart; null when it is no platform. */
export function parsePlatform(text: string | null): Platform | null {
  const [os = "", architecture = "", variant, ...rest] = (text ?? "").split("/");
  return os === "" || architecture === "" || rest.length > 0 ? null : { os, architecture, variant: variant || null };
}

/** Why a registry did not answer a question. The message is a sentence that may be shown: without credentials, bounded, of one line. */
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

  /** The same question may be answered another time. */
  get isPassing(): boolean {
    return PASSING.includes(this.reason);
  }
}

const PASSING: readonly RegistryError["reason"][] = ["rate_limited", "unreachable", "timeout", "unavailable"];

/** From the worst to the one that is none. */
export const SEVERITIES = ["critical", "high", "medium", "low", "none"] as const;
export type SeverityName = (typeof SEVERITIES)[number];
/** Where a severity without a score stands among scores: at its lower end. */
export const LEAST_SCORES: Readonly<Record<SeverityName, number>> = { critical: 9, high: 7, medium: 4, low: 0.1, none: 0 };

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
  severity: SeverityName | null;
  /** The first version without it; null when there is none or nobody says. */
  fixedIn: string | null;
  summary: string;
  url: string;
  publishedAt: string | null;
}

/** Packages that are made of one source, under all of their names. */
export interface UnreadPackages {
  ecosystem: string;
  /** The source's among them. */
  names: readonly string[];
}

/** What is known of an image's vulnerabilities. */
export interface VulnerabilityList {
  /** False when packages or the database could not be read: `vulnerabilities` is then not the whole truth, or empty without meaning. */
  known: boolean;
  vulnerabilities: readonly Vulnerability[];
  /** A sentence on what is missing; null when nothing is. */
  note: string | null;
  /** Ecosystems that the database does not have, so that their packages are not listed, whatever is wrong with them. */
  absent?: readonly string[];
  /** Packages that may have more than is listed, since a record about them could not be read or compared with their version. */
  unread?: readonly UnreadPackages[];
  checkedAt: Date;
}
